// Common interface of the task models of all kinds, their batches in prediction, and models that
// give each example one label.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// An input text of a task model, with at least one token. A view, which must stay valid as long as
/// its batch.
struct TaskText {
  const Sentence* sentence = nullptr;   ///< the bytes of its tokens are the characters
  std::span<const std::int32_t> words;  ///< [tokens] rows of the word vectors; 0: unknown
  /// Activations of the biLM, [tokens, 2L+1, P]; empty if the model does not use them.
  std::span<const float> activations;

  std::int64_t tokens() const { return static_cast<std::int64_t>(words.size()); }
};

/// The given data and the expected output of an example, beside its texts. Each kind of task has a
/// type of its own. Immutable once an example has it, and shared by copies of the example.
struct TaskGold {
  virtual ~TaskGold() = default;

  /// True if there is an expected output from which a model can learn.
  virtual bool can_be_learned() const = 0;
  /// True if there is an expected output with which a prediction can be compared.
  virtual bool can_be_scored() const { return can_be_learned(); }
  /// Text, for a checksum, of everything that learning and scores depend on.
  virtual std::string text() const = 0;

  /// The gold data of a kind. std::bad_cast if they are of another one.
  template <typename Gold>
  const Gold& as() const {
    return dynamic_cast<const Gold&>(*this);
  }
};

/// Output of a model for one example. Each kind of task has a type of its own.
struct TaskPrediction {
  virtual ~TaskPrediction() = default;

  /// The prediction of a kind. std::bad_cast if it is of another one.
  template <typename Prediction>
  const Prediction& as() const {
    return dynamic_cast<const Prediction&>(*this);
  }
};

using PredictionPointer = std::shared_ptr<const TaskPrediction>;

/// Predictions for examples, in their order.
using TaskPredictions = std::span<const PredictionPointer>;

/// One number per line, and a blank line: a part of TaskGold::text().
std::string numbers_text(std::span<const std::int32_t> numbers);

/// Numbers of labels in a LabelSet: one for each token, or one for the example.
struct LabelGold : TaskGold {
  explicit LabelGold(std::vector<std::int32_t> numbers) : labels(std::move(numbers)) {}

  bool can_be_learned() const override { return !labels.empty(); }
  std::string text() const override { return numbers_text({}) + numbers_text(labels); }

  std::vector<std::int32_t> labels;
};

/// Labels as in LabelGold, and the probability of each.
struct LabelPrediction : TaskPrediction {
  LabelPrediction() = default;
  LabelPrediction(std::vector<std::int32_t> numbers, std::vector<float> probabilities)
      : labels(std::move(numbers)), scores(std::move(probabilities)) {}

  std::vector<std::int32_t> labels;
  std::vector<float> scores;
};

/// One example.
struct TaskExample {
  std::span<const TaskText> texts;  ///< at least one; two of a pair, or the sentences of a document
  const TaskGold* gold = nullptr;   ///< null if nothing is known
  float weight = 1.0F;              ///< weight of its loss, if it has one label

  /// Tokens of all texts.
  std::int64_t tokens() const {
    std::int64_t sum = 0;
    for (const TaskText& text : texts) sum += text.tokens();
    return sum;
  }
};

using TaskBatch = std::span<const TaskExample>;

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

  /// Returns one prediction per example, in the same order. Reads no expected outputs.
  virtual std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) = 0;
};

/// A model that gives each example one label (LabelGold, LabelPrediction). The loss is the mean of
/// weight · −log p of the examples' labels. Predicts the most probable label, with its probability.
class LabelModel : public TaskModel {
 public:
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) final;
  std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) final;

 private:
  /// Replaces `logits` [examples, labels].
  virtual void forward(TaskBatch batch, const PassOptions& options, Workers& workers,
                       Matrix& logits) = 0;

  /// `logit_gradient` has the shape of `logits` in forward and is overwritten. Returns the
  /// penalties.
  virtual double backward(Matrix& logit_gradient, const PassOptions& options, Workers& workers) = 0;

  Matrix logits_;  // then their gradient, or probabilities
};

inline constexpr std::size_t kPredictedExamples = 32;
inline constexpr std::uint64_t kPredictedTokens = 8192;  ///< fewer examples if texts are long

/// Returns the end of the batch that begins with example `begin` of `examples`. It has at least one
/// example. tokens_of(i) is the number of tokens of example i.
template <typename TokensOf>
std::size_t predicted_batch_end(std::size_t begin, std::size_t examples,
                                const TokensOf& tokens_of) {
  std::size_t end = begin;
  for (std::uint64_t tokens = 0;
       end < std::min(begin + kPredictedExamples, examples) && tokens < kPredictedTokens; ++end) {
    tokens += static_cast<std::uint64_t>(tokens_of(end));
  }
  return end;
}

}  // namespace elmo
