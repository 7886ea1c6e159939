// The examples that a task model is trained on or measured by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/activation_source.h"
#include "core/inference/sentence.h"
#include "core/tasks/common/task_model.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// One example as it is kept. Its texts have at least one token.
struct TaskRecord {
  Sentence text;
  Sentence second;                         ///< of a pair only, else empty
  std::vector<std::int32_t> words;         ///< as TaskText::words
  std::vector<std::int32_t> second_words;  ///< likewise
  std::uint64_t sentence = 0;              ///< of the activations
  std::uint64_t second_sentence = 0;
  std::vector<std::int32_t> labels;  ///< as TaskExample::labels

  std::uint64_t tokens() const { return words.size() + second_words.size(); }
};

/// Examples with their activations, which are read once and kept where they are few, or else read
/// from their source whenever they are asked for. Not for two threads at once.
class TaskCorpus {
 public:
  /// Keeps activations of up to this many bytes.
  static constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30;

  /// Both have to outlive it; `activations` is null where the model reads none. Errors: as the
  /// source's.
  TaskCorpus(std::span<const TaskRecord> records, ActivationSource* activations,
             std::uint64_t kept_bytes = kKeptBytes);

  std::uint64_t size() const { return records_.size(); }
  std::uint64_t tokens() const { return tokens_; }
  const TaskRecord& operator[](std::uint64_t index) const { return records_[index]; }

  /// These examples. What it gives is valid until the next call. Errors: as the source's.
  TaskBatch load(std::span<const std::uint64_t> indices);

 private:
  std::span<const float> activations_of(std::uint64_t sentence, std::size_t& read);

  std::span<const TaskRecord> records_;
  ActivationSource* activations_;
  std::uint64_t tokens_ = 0;
  AlignedVector<float> kept_;  // of all sentences of the source, or none
  AlignedVector<float> read_;  // of a batch
  std::vector<TaskExample> batch_;
};

}  // namespace elmo
