// What the models of all kinds of task have in common: how they are trained and asked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/sentence.h"
#include "core/nn/layer.h"
#include "core/parallel/workers.h"

namespace elmo {

/// A text as a task model reads it: at least one token. A view, which has to last as long as the
/// batch it is in.
struct TaskText {
  const Sentence* sentence = nullptr;   ///< its tokens' bytes are the characters
  std::span<const std::int32_t> words;  ///< [tokens] rows of the word vectors; 0: unknown
  /// [tokens, 2L+1, P] of the biLM; empty where the model has no use for them.
  std::span<const float> activations;

  std::int64_t tokens() const { return static_cast<std::int64_t>(words.size()); }
};

/// One example. Each kind says what its numbers mean (the comment at its model).
struct TaskExample {
  std::span<const TaskText> texts;      ///< at least one: two of a pair, those of a document
  std::span<const std::int32_t> given;  ///< what is known beside the texts
  std::span<const std::int32_t>
      labels;           ///< what is to be predicted; may be empty where it is asked
  float weight = 1.0F;  ///< of its loss, where it has one label

  /// Of all texts.
  std::int64_t tokens() const {
    std::int64_t sum = 0;
    for (const TaskText& text : texts) sum += text.tokens();
    return sum;
  }
};

using TaskBatch = std::span<const TaskExample>;

/// What a model says of one example.
struct TaskPrediction {
  std::vector<std::int32_t> labels;      ///< as an example has them
  std::vector<float> scores;             ///< their probabilities; each kind says of what
  std::vector<std::int32_t> found = {};  ///< what the model found where nothing was given
};

/// A model for one task. `workers` may be any number: results do not depend on it. Not for two
/// threads at once.
class TaskModel {
 public:
  virtual ~TaskModel() = default;

  /// All that is trained, in an order of the model's own; no two have the same name. They stay
  /// where they are as long as the model.
  virtual std::vector<Parameter*> parameters() = 0;

  /// Draws the values of all parameters that were not read from somewhere.
  virtual void initialize(std::uint64_t seed) = 0;

  /// The mean loss of the examples, penalties included. Adds its gradient to the parameters'.
  virtual double train(TaskBatch batch, const PassOptions& options, Workers& workers) = 0;

  /// Of the examples that train() was given last, the tokens that it read: all of them, unless the
  /// model reads a part of a long example.
  virtual std::int64_t trained_tokens(TaskBatch batch) const {
    std::int64_t sum = 0;
    for (const TaskExample& example : batch) sum += example.tokens();
    return sum;
  }

  /// Replaces `predictions` by one for each example, in their order.
  virtual void predict(TaskBatch batch, Workers& workers,
                       std::vector<TaskPrediction>& predictions) = 0;
};

}  // namespace elmo
