// The examples that a task model is trained on or measured by.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/inference/activation_source.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_model.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// A text that examples are made of. Several examples may share it.
struct CorpusText {
  Sentence sentence;
  std::vector<std::int32_t> words;  ///< as TaskText::words
};

/// What the scores of a kind need of an example beside its numbers, such as the spelling of
/// answers.
class TaskGold {
 public:
  virtual ~TaskGold() = default;
};

/// One example as it is kept.
struct TaskRecord {
  std::vector<std::uint64_t> texts;       ///< numbers of texts; none of them is without tokens
  std::vector<std::int32_t> given = {};   ///< as TaskExample::given
  std::vector<std::int32_t> labels = {};  ///< as TaskExample::labels
  std::shared_ptr<const TaskGold> gold = nullptr;  ///< null where the kind's scores need none
  float weight = 1.0F;                             ///< as TaskExample::weight
};

/// Examples with their activations, which are read once and kept where they are few, or else read
/// from their source whenever they are asked for. Not for two threads at once.
class TaskCorpus {
 public:
  /// Keeps activations of up to this many bytes.
  static constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30;

  /// All have to outlive it. Text n has the activations of sentence n; `activations` is null where
  /// the model reads none. Errors: as the source's.
  TaskCorpus(std::span<const CorpusText> texts, std::span<const TaskRecord> records,
             ActivationSource* activations, std::uint64_t kept_bytes = kKeptBytes);

  std::uint64_t size() const { return records_.size(); }
  /// Of all examples; those of a text that several share count for each.
  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t tokens_of(std::uint64_t index) const;
  const TaskRecord& operator[](std::uint64_t index) const { return records_[index]; }

  /// These examples. What it gives is valid until the next call. Errors: as the source's.
  TaskBatch load(std::span<const std::uint64_t> indices);

 private:
  std::span<const float> activations_of(std::uint64_t text);

  std::span<const CorpusText> texts_;
  std::span<const TaskRecord> records_;
  ActivationSource* activations_;
  std::uint64_t tokens_ = 0;
  AlignedVector<float> kept_;  // of all sentences of the source, or none
  // Of a batch.
  AlignedVector<float> read_;
  std::size_t read_values_ = 0;  // of read_ that are taken
  std::unordered_map<std::uint64_t, std::span<const float>> read_texts_;
  std::vector<TaskText> batch_texts_;
  std::vector<TaskExample> batch_;
};

}  // namespace elmo
