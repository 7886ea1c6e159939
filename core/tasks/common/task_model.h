// Common interface of the task models of all kinds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/sentence.h"
#include "core/nn/layer.h"
#include "core/parallel/workers.h"

namespace elmo {

/// A text as input of a task model, with at least one token. A view, which must remain valid as
/// long as the batch it is in.
struct TaskText {
  const Sentence* sentence = nullptr;   ///< the bytes of its tokens are the characters
  std::span<const std::int32_t> words;  ///< [tokens] rows of the word vectors; 0: unknown
  /// Activations of the biLM, [tokens, 2L+1, P]; empty if the model does not use them.
  std::span<const float> activations;

  std::int64_t tokens() const { return static_cast<std::int64_t>(words.size()); }
};

/// One example. Each kind's model documents the meaning of the numbers.
struct TaskExample {
  std::span<const TaskText> texts;  ///< at least one; two of a pair, or the sentences of a document
  std::span<const std::int32_t> given;   ///< known besides the texts
  std::span<const std::int32_t> labels;  ///< expected output; may be empty in prediction
  float weight = 1.0F;                   ///< of its loss, if it has one label

  /// Tokens of all texts.
  std::int64_t tokens() const {
    std::int64_t sum = 0;
    for (const TaskText& text : texts) sum += text.tokens();
    return sum;
  }
};

using TaskBatch = std::span<const TaskExample>;

/// Prediction of a model for one example.
struct TaskPrediction {
  std::vector<std::int32_t> labels;      ///< in the form of TaskExample::labels
  std::vector<float> scores;             ///< probabilities; each kind documents of what
  std::vector<std::int32_t> found = {};  ///< what the model found by itself if it was not given
};

/// A model for one task. Results do not depend on the number of `workers`. Not for two threads at
/// once.
class TaskModel {
 public:
  virtual ~TaskModel() = default;

  /// All trained parameters, in a fixed order of the model, with distinct names. Their addresses
  /// stay valid as long as the model.
  virtual std::vector<Parameter*> parameters() = 0;

  /// Initializes all parameters randomly, except those that were read from a file.
  virtual void initialize(std::uint64_t seed) = 0;

  /// Returns the mean loss of the examples, including penalties. Adds its gradient to the
  /// parameters' gradients.
  virtual double train(TaskBatch batch, const PassOptions& options, Workers& workers) = 0;

  /// Number of tokens that the last train() read of its examples: all of them, unless the model
  /// reads only a part of a long example.
  virtual std::int64_t trained_tokens(TaskBatch batch) const {
    std::int64_t sum = 0;
    for (const TaskExample& example : batch) sum += example.tokens();
    return sum;
  }

  /// Replaces `predictions` by one prediction per example, in the same order.
  virtual void predict(TaskBatch batch, Workers& workers,
                       std::vector<TaskPrediction>& predictions) = 0;
};

}  // namespace elmo
