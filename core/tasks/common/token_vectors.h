// The input layer of task models, x_k = [characters; word; ELMo] for each token, and ELMo at the
// output of the task's RNN. ELMo is a mix of the biLM's layers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/nn/character_cnn.h"
#include "core/nn/embedding.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

/// The layer weights [L + 1] that the options fix, or nothing if they are learned.
std::optional<std::vector<float>> fixed_shares(const TaskOptions& options);

/// A scalar mix as in MixOptions, with its dropout. Not for two threads at once.
class ElmoColumns {
 public:
  /// `place` is the dropout stream; each one of the model has its own masks.
  ElmoColumns(const std::string& name, const TaskOptions& options, std::uint32_t place);

  std::int64_t columns() const { return mix_.columns(); }
  std::vector<Parameter*> parameters() { return mix_.parameters(); }

  /// Writes the mix of the texts' tokens to `to`, from column `column` on. Rows are the tokens of
  /// one text after another.
  void forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
               std::int64_t column);

  /// `gradient` has the shape of `to` in forward; its ELMo columns are overwritten. Also adds the
  /// gradient of λ‖w‖², and returns that penalty.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  ScalarMix mix_;
  float dropout_;
  std::uint32_t place_;
  std::vector<std::span<const float>> activations_;
};

/// Computes [h; ELMo] if the options put ELMo at the output (Peters et al. 2018, section 3.3), else
/// copies h. Not for two threads at once.
class OutputElmo {
 public:
  /// `columns`: number of columns of h.
  OutputElmo(const TaskOptions& options, std::int64_t columns);

  std::int64_t outputs() const { return columns_ + (elmo_ ? elmo_->columns() : 0); }
  std::vector<Parameter*> parameters();

  /// Replaces `to` [rows, outputs()]. Rows are the tokens of one text after another.
  void forward(const Matrix& hidden, std::span<const TaskText> texts, const PassOptions& options,
               Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Replaces `hidden_gradient`,
  /// the gradient with respect to h. Returns λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient);

 private:
  std::int64_t columns_;
  std::optional<ElmoColumns> elmo_;
};

/// A character CNN, word vectors (trained with the task unless the options say otherwise) and, if
/// the options ask for it, mixed layers of the biLM; then dropout on the concatenation. Not for two
/// threads at once.
class TokenVectors {
 public:
  /// `words` must outlive this object.
  TokenVectors(const TaskOptions& options, const WordVocabulary& words);

  std::int64_t columns() const;
  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `to` [tokens of all texts, columns()].
  void forward(std::span<const TaskText> texts, const PassOptions& options, Workers& workers,
               Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Returns λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Workers& workers);

 private:
  void look_up(std::span<const TaskText> texts, const PassOptions& options);

  float dropout_;
  bool train_words_;
  const WordVocabulary& words_;
  std::optional<CharacterCnn> characters_;
  Embedding embedding_;
  std::optional<ElmoColumns> elmo_;
  std::int64_t word_column_;
  std::int64_t elmo_column_;

  std::vector<std::int32_t> rows_;         // of the word vectors, one per token
  std::vector<std::string_view> spelled_;  // one per token
};

}  // namespace elmo
