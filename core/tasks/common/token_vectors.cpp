#include "core/tasks/common/token_vectors.h"

#include "core/kernels/random_bits.h"
#include "core/nn/dropout.h"
#include "core/tasks/common/task_places.h"

namespace elmo {

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
    elmo_.emplace("elmo_input", options, place(TaskPlace::input_elmo));
  }
}

std::int64_t TokenVectors::columns() const { return elmo_column_ + (elmo_ ? elmo_->columns() : 0); }

std::vector<Parameter*> TokenVectors::parameters() {
  std::vector<Parameter*> all;
  if (characters_) all = characters_->parameters();
  all.push_back(&embedding_.parameter());
  if (elmo_) {
    for (Parameter* parameter : elmo_->parameters()) all.push_back(parameter);
  }
  return all;
}

void TokenVectors::initialize(std::uint64_t seed) {
  if (characters_) characters_->initialize(seed);
  embedding_.initialize(seed);
}

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
  drop(options, dropout_, place(TaskPlace::input), workers, to);
}

double TokenVectors::backward(Matrix& gradient, const PassOptions& options, Workers& workers) {
  drop(options, dropout_, place(TaskPlace::input), workers, gradient);
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
