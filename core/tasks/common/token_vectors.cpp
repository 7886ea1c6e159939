#include "core/tasks/common/token_vectors.h"

#include <algorithm>

#include "core/kernels/random.h"

namespace elmo {

bool WordVocabulary::add(std::string_view word, bool rare) {
  const auto row = static_cast<std::int32_t>(rows());
  if (!rows_.try_emplace(std::string(word), row).second) return false;
  words_.emplace_back(word);
  rare_.push_back(rare ? 1 : 0);
  return true;
}

std::int32_t WordVocabulary::row(std::string_view word) const {
  const auto found = rows_.find(word);
  return found == rows_.end() ? 0 : found->second;
}

std::string elmo_name(ElmoPlace place) {
  return std::string("elmo_").append(kElmoPlaces.word(place));
}

std::vector<ElmoPlace> mix_places(const TaskOptions& options) {
  std::vector<ElmoPlace> places;
  if (options.concatenates()) return places;
  if (options.elmo_at_input()) places.push_back(ElmoPlace::input);
  if (options.elmo_at_output()) places.push_back(ElmoPlace::output);
  return places;
}

std::optional<std::vector<float>> fixed_shares(const TaskOptions& options) {
  const auto layers = static_cast<std::size_t>(options.bilm.layers);
  std::vector<float> shares(layers + 1, 0.0F);
  switch (options.mix.kind) {
    case MixKind::all:
    case MixKind::concat:
      return std::nullopt;
    case MixKind::top:
      shares[layers] = 1.0F;
      break;
    case MixKind::layer:
      shares[static_cast<std::size_t>(options.mix.layer)] = 1.0F;
      break;
    case MixKind::average:
      shares.assign(layers + 1, 1.0F / static_cast<float>(layers + 1));
      break;
  }
  return shares;
}

ElmoLayers::ElmoLayers(const TaskOptions& options, ElmoPlace place, std::uint32_t mask_id)
    : columns_(options.elmo_columns()),
      projection_(options.bilm.projection),
      layer_norm_(options.mix.layer_norm),
      dropout_(options.mix.dropout),
      mask_id_(mask_id) {
  if (options.concatenates()) return;
  mix_.emplace(elmo_name(place), ScalarMix::Options{.layers = options.bilm.layers,
                                                    .projection = projection_,
                                                    .fixed_shares = fixed_shares(options),
                                                    .lambda = options.mix.lambda,
                                                    .layer_norm = layer_norm_,
                                                    .dropout = dropout_,
                                                    .mask_id = mask_id_});
}

void ElmoLayers::forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
                         std::int64_t column) {
  if (mix_) {
    std::vector<std::span<const float>> activations;
    for (const TaskText& text : texts) activations.push_back(text.activations);
    return mix_->forward(activations, options, to, column);
  }
  std::int64_t row = 0;
  for (const TaskText& text : texts) {
    concatenate_layers(text.activations, projection_, layer_norm_,
                       to.view(row, text.tokens()).column_range(column, columns_));
    row += text.tokens();
  }
  drop_columns(options, dropout_, mask_id_, to, column, columns_);
}

double ElmoLayers::backward(Matrix& gradient, std::int64_t column, const PassOptions& options) {
  return mix_ ? mix_->backward(gradient, column, options) : 0.0;
}

OutputElmo::OutputElmo(const TaskOptions& options, std::int64_t columns) : columns_(columns) {
  if (options.elmo_at_output()) {
    elmo_.emplace(options, ElmoPlace::output, mask_id(DropoutMask::output_elmo));
  }
}

void OutputElmo::forward(const Matrix& hidden, std::span<const TaskText> texts,
                         const PassOptions& options, Matrix& to) {
  to.set_shape(hidden.rows, outputs());
  copy_rows(hidden.view(), to.view().column_range(0, columns_));
  if (elmo_) elmo_->forward(texts, options, to, columns_);
}

double OutputElmo::backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient) {
  hidden_gradient.set_shape(gradient.rows, columns_);
  copy_rows(gradient.view().column_range(0, columns_), hidden_gradient.view());
  return elmo_ ? elmo_->backward(gradient, columns_, options) : 0.0;
}

TokenVectors::TokenVectors(const TaskOptions& options, const WordVocabulary& words)
    : dropout_(options.dropout),
      train_words_(options.train_words),
      words_(words),
      embedding_("words", words.rows(), options.word_columns),
      word_column_(options.character_filters),
      elmo_column_(options.character_filters + options.word_columns) {
  if (options.character_filters > 0) {
    characters_.emplace("characters", options.character_columns, options.character_filters,
                        options.character_width);
  }
  if (options.elmo_at_input()) {
    elmo_.emplace(options, ElmoPlace::input, mask_id(DropoutMask::input_elmo));
  }
}

std::int64_t TokenVectors::columns() const { return elmo_column_ + (elmo_ ? elmo_->columns() : 0); }

// In training, replaces rare words by the unknown word half of the time.
void TokenVectors::look_up(std::span<const TaskText> texts, const PassOptions& options) {
  rows_.clear();
  spelled_.clear();
  const std::uint64_t key = random_key(options.seed, RandomUse::unknown_words, options.step);
  for (const TaskText& text : texts) {
    for (std::size_t token = 0; token < text.words.size(); ++token) {
      const std::int32_t row = text.words[token];
      const bool hidden =
          options.training && words_.is_rare(row) && (random_bits(key, rows_.size()) & 1U) != 0;
      rows_.push_back(hidden ? 0 : row);
      spelled_.push_back(text.sentence->token(token));
    }
  }
}

void TokenVectors::forward(std::span<const TaskText> texts, const PassOptions& options,
                           Workers& workers, Matrix& to) {
  look_up(texts, options);
  to.set_shape(static_cast<std::int64_t>(rows_.size()), columns());
  workers.run(2, [&](std::size_t job) {
    if (job == 0) {
      if (characters_) characters_->forward(spelled_, to, 0);
      return;
    }
    embedding_.forward(rows_, to, word_column_);
    if (elmo_) elmo_->forward(texts, options, to, elmo_column_);
  });
  drop(options, dropout_, mask_id(DropoutMask::input), workers, to);
}

double TokenVectors::backward(Matrix& gradient, const PassOptions& options, Workers& workers) {
  drop(options, dropout_, mask_id(DropoutMask::input), workers, gradient);
  double penalty = 0.0;
  workers.run(2, [&](std::size_t job) {
    if (job == 0) {
      if (characters_) characters_->backward(gradient, 0);
      return;
    }
    if (train_words_) embedding_.backward(gradient, word_column_);
    if (elmo_) penalty = elmo_->backward(gradient, elmo_column_, options);
  });
  return penalty;
}

}  // namespace elmo
