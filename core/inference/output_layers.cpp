#include "core/inference/output_layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"

namespace elmo {

LayerWeights layer_weights(std::size_t layers, const EmbedOptions& options) {
  LayerWeights result;
  result.layer_norm = options.layer_norm;
  result.boundaries = options.boundaries;
  switch (options.layers) {
    case LayerSelection::all:
      break;
    case LayerSelection::top:
      result.weights.assign(layers, 0.0F);
      result.weights.back() = 1.0F;
      break;
    case LayerSelection::average:
      result.weights.assign(layers, 1.0F / static_cast<float>(layers));
      break;
    case LayerSelection::mix: {
      std::vector<float> weights = options.mix_weights;
      if (weights.empty()) weights.assign(layers, 0.0F);
      if (weights.size() != layers) {
        throw RequestError("the mix has " + std::to_string(weights.size()) +
                           " weights, but the model has " + std::to_string(layers) +
                           " layers, the token layer included; expected one weight for each");
      }
      result.weights = scalar_mix_factors(weights, options.gamma);
      break;
    }
  }
  return result;
}

void mix_sentences(const ActivationBatch& batch, const ActivationLayout& layout,
                   const LayerWeights& weights, std::vector<float>& mixed) {
  const auto values = static_cast<std::size_t>(layout.values_per_token());
  const auto mixed_values = static_cast<std::size_t>(2 * layout.width);
  mixed.resize(batch.activations.size() / values * mixed_values);
  std::span<const float> rest = batch.activations;
  float* to = mixed.data();
  for (const Sentence& sentence : batch.sentences) {
    if (sentence.size() == 0) continue;
    mix_layers(rest.first(sentence.size() * values), layout.width, weights, to);
    rest = rest.subspan(sentence.size() * values);
    to += sentence.size() * mixed_values;
  }
}

namespace {

std::size_t layer_count(const ModelOptions& model) {
  return static_cast<std::size_t>(model.lstm.n_layers) + 1;
}

void check(const EmbedOptions& options) {
  if (options.lanes < 1) throw RequestError("found no lanes; expected at least 1");
}

}  // namespace

ActivationLayout token_layout(const ModelOptions& model, const EmbedOptions& options) {
  check(options);
  layer_weights(layer_count(model), options);  // throws if the options are invalid
  const std::int64_t width = model.lstm.projection_dim;
  switch (options.layers) {
    case LayerSelection::top:
      return {{"top"}, 2 * width};
    case LayerSelection::average:
      return {{"average"}, 2 * width};
    case LayerSelection::mix:
      return {{"mix"}, 2 * width};
    case LayerSelection::all:
      break;
  }
  ActivationLayout layout{{"x"}, width};
  for (std::int64_t layer = 1; layer <= model.lstm.n_layers; ++layer) {
    layout.rows.push_back("forward_" + std::to_string(layer));
    layout.rows.push_back("backward_" + std::to_string(layer));
  }
  return layout;
}

ActivationLayout activation_layout(const ModelOptions& model, const EmbedOptions& options) {
  ActivationLayout layout = token_layout(model, options);
  if (options.pool && options.pool->kind == PoolKind::first_last) layout.width *= 2;
  return layout;
}

OutputLayers::OutputLayers(const ModelOptions& model, const EmbedOptions& options,
                           bool with_boundaries)
    : layers_(options.layers),
      weights_(layer_weights(layer_count(model), options)),
      keep_boundaries_(options.boundaries),
      drop_boundaries_(with_boundaries && !options.boundaries),
      width_(model.lstm.projection_dim),
      row_values_(model.activation_rows() * width_),
      token_values_(token_layout(model, options).values_per_token()) {}

void OutputLayers::apply(Batch& batch) const {
  if (keep_boundaries_) {
    for (Sentence& sentence : batch.sentences) {
      if (sentence.size() > 0) sentence.add_boundaries();
    }
  }
  std::size_t kept = 0;
  for (const Sentence& sentence : batch.sentences) kept += sentence.kept_count();
  // If all layers are output, moves the rows within their memory: a copy would double it.
  const bool in_place = layers_ == LayerSelection::all;
  if (in_place) {
    batch.selected.swap(batch.activations);
  } else {
    batch.selected.resize(kept * static_cast<std::size_t>(token_values_));
  }
  const float* rows = in_place ? batch.selected.data() : batch.activations.data();
  float* to = batch.selected.data();
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    const Sentence& sentence = batch.sentences[s];
    if (sentence.kept_count() == 0) continue;
    take_rows(sentence, rows + (batch.rows[s].begin + (drop_boundaries_ ? 1 : 0)) * row_values_,
              to);
    to += static_cast<std::int64_t>(sentence.kept_count()) * token_values_;
  }
  batch.selected.resize(kept * static_cast<std::size_t>(token_values_));
}

// Selects the rows of a sentence's kept tokens from the activations of all its tokens.
void OutputLayers::take_rows(const Sentence& sentence, const float* from, float* to) const {
  const auto take = [&](std::int64_t first, std::int64_t count, float* rows) {
    const float* begin = from + first * row_values_;
    if (layers_ == LayerSelection::all) {
      if (rows != begin) std::copy(begin, begin + count * row_values_, rows);
    } else {
      mix_layers({begin, static_cast<std::size_t>(count * row_values_)}, width_, weights_, rows);
    }
  };
  const auto tokens = static_cast<std::int64_t>(sentence.size());
  if (sentence.keeps_all()) return take(0, tokens, to);
  std::vector<float> all;  // layers are normalized over the whole sentence
  if (weights_.layer_norm) {
    all.resize(static_cast<std::size_t>(tokens * token_values_));
    take(0, tokens, all.data());
  }
  for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept, to += token_values_) {
    const auto token = static_cast<std::int64_t>(sentence.kept_token(kept));
    if (weights_.layer_norm) {
      std::copy_n(all.data() + token * token_values_, token_values_, to);
    } else {
      take(token, 1, to);
    }
  }
}

namespace {

double length_or_one(std::span<const double> vector) {
  const double length =
      std::sqrt(std::inner_product(vector.begin(), vector.end(), vector.begin(), 0.0));
  return length > 0 ? length : 1.0;
}

}  // namespace

UnitPooling::UnitPooling(const ActivationLayout& layout, PoolOptions options)
    : options_(options),
      row_count_(static_cast<std::size_t>(layout.row_count())),
      width_(static_cast<std::size_t>(layout.width)),
      sums_(row_count_ * width_ * (options.kind == PoolKind::first_last ? 2 : 1)) {}

void UnitPooling::add(const ActivationBatch& batch) {
  const float* values = batch.activations.data();
  for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
    const Sentence& sentence = batch.sentences[s];
    if (sentence.is_left_out()) continue;
    if (unit_ && unit_->document->number != sentence.document->number) end_unit();
    if (!unit_) begin_unit(sentence, batch.number_of(s));
    ++unit_->sentences;
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
      const ByteSpan span = sentence.spans()[sentence.kept_token(kept)];
      if (unit_->tokens == 0) unit_->span.begin = span.begin;
      unit_->span.end = span.end;
      add_token(values);
      ++unit_->tokens;
      values += row_count_ * width_;
    }
    if (options_.unit == PoolUnit::sentence) end_unit();
  }
}

void UnitPooling::begin_unit(const Sentence& sentence, std::uint64_t number) {
  const bool is_document = options_.unit == PoolUnit::document;
  unit_ = PooledRow{.document = sentence.document,
                    .first_sentence = number,
                    .line = sentence.line,
                    .text = is_document ? sentence.document->id : sentence.text()};
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

void UnitPooling::add_token(const float* values) {
  const bool is_first = unit_->tokens == 0;
  switch (options_.kind) {
    case PoolKind::mean:
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += values[i];
      return;
    case PoolKind::max:
      for (std::size_t i = 0; i < sums_.size(); ++i) {
        if (is_first || values[i] > sums_[i]) sums_[i] = values[i];
      }
      return;
    case PoolKind::first_last:
      for (std::size_t row = 0; row < row_count_; ++row, values += width_) {
        double* to = sums_.data() + 2 * row * width_;
        if (is_first) std::copy_n(values, width_, to);
        std::copy_n(values, width_, to + width_);
      }
      return;
  }
}

void UnitPooling::end_unit() {
  if (!unit_) return;
  const bool divides = options_.kind == PoolKind::mean && unit_->tokens > 0;
  const double count = divides ? static_cast<double>(unit_->tokens) : 1.0;
  const std::size_t width = sums_.size() / row_count_;
  for (std::size_t row = 0; row < row_count_; ++row) {
    const auto sums = std::span(sums_).subspan(row * width, width);
    const double divisor = options_.normalize ? length_or_one(sums) : count;
    for (const double sum : sums) values_.push_back(static_cast<float>(sum / divisor));
  }
  rows_.push_back(*std::move(unit_));
  unit_.reset();
}

void UnitPooling::clear() {
  rows_.clear();
  values_.clear();
}

}  // namespace elmo
