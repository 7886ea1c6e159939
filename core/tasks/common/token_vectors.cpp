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

OutputElmo::OutputElmo(const TaskOptions& options, std::int64_t columns) : columns_(columns) {
  if (options.elmo_at_output()) {
    elmo_.emplace(options, ElmoPlace::output, mask_id(DropoutMask::output_elmo));
  }
}

void OutputElmo::forward(const Matrix& hidden, std::span<const TaskText> texts,
                         const PassOptions& options, Matrix& to) {
  to.set_shape(hidden.rows, outputs());
  for (std::int64_t row = 0; row < hidden.rows; ++row) {
    std::copy_n(hidden.row(row), columns_, to.row(row));
  }
  if (elmo_) elmo_->forward(texts, options, to, columns_);
}

double OutputElmo::backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient) {
  hidden_gradient.set_shape(gradient.rows, columns_);
  for (std::int64_t row = 0; row < gradient.rows; ++row) {
    std::copy_n(gradient.row(row), columns_, hidden_gradient.row(row));
  }
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
