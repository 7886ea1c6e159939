// Input layer of task models: x_k = [characters; word; ELMo] for each token.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/nn/character_cnn.h"
#include "core/nn/embedding.h"
#include "core/tasks/common/elmo_columns.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

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
