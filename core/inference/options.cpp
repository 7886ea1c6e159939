#include "core/inference/options.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace elmo {

ActivationLayout pooled_layout(ActivationLayout layout, PoolKind kind) {
  if (kind == PoolKind::first_last) layout.width *= 2;
  return layout;
}

Pooling::Pooling(const ActivationLayout& layout, PoolOptions options)
    : options_(options),
      row_count_(static_cast<std::size_t>(layout.row_count())),
      width_(static_cast<std::size_t>(layout.width)),
      sums_(row_count_ * width_),
      first_(row_count_ * width_),
      last_(row_count_ * width_) {}

void Pooling::add(const ActivationBatch& batch) {
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

void Pooling::begin_unit(const Sentence& sentence, std::uint64_t number) {
  const bool is_document = options_.unit == PoolUnit::document;
  unit_ = PooledRow{sentence.document,
                    number,
                    sentence.line,
                    0,
                    0,
                    {},
                    is_document ? sentence.document->id : sentence.text()};
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(first_.begin(), first_.end(), 0.0F);
  std::fill(last_.begin(), last_.end(), 0.0F);
}

void Pooling::add_token(const float* values) {
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
      if (is_first) std::copy_n(values, first_.size(), first_.begin());
      std::copy_n(values, last_.size(), last_.begin());
      return;
  }
}

void Pooling::end_unit() {
  if (!unit_) return;
  if (options_.kind == PoolKind::first_last) {
    for (std::size_t row = 0; row < row_count_; ++row) {
      for (const std::vector<float>* token : {&first_, &last_}) {
        const auto begin = token->begin() + static_cast<std::ptrdiff_t>(row * width_);
        values_.insert(values_.end(), begin, begin + static_cast<std::ptrdiff_t>(width_));
      }
    }
  } else {
    const bool divides = options_.kind == PoolKind::mean && unit_->tokens > 0;
    const double count = divides ? static_cast<double>(unit_->tokens) : 1.0;
    for (const double sum : sums_) values_.push_back(static_cast<float>(sum / count));
  }
  rows_.push_back(*std::move(unit_));
  unit_.reset();
}

void Pooling::clear() {
  rows_.clear();
  values_.clear();
}

}  // namespace elmo
