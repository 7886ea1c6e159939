// Examples of tasks, and the corpus of examples that trains or evaluates a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/sentence.h"
#include "core/matrix.h"
#include "core/tasks/common/task_model.h"

namespace elmo {

/// A text of one or more examples.
struct CorpusText {
  Sentence sentence;
  std::vector<std::int32_t> words;  ///< see TaskText::words
};

/// A stored example.
struct TaskRecord {
  std::vector<std::uint64_t> texts;           ///< numbers of texts, each with at least one token
  std::shared_ptr<const TaskGold> gold = {};  ///< see TaskExample::gold
  float weight = 1.0F;                        ///< see TaskExample::weight
};

/// Texts that belong together, and the examples made from them: a sentence, a pair of texts, a
/// context with its questions, or a document.
struct ExampleGroup {
  std::vector<Sentence> texts;      ///< at least one; may have no tokens
  std::vector<TaskRecord> records;  ///< refer to these texts by index; may be empty
};

/// Reads groups of examples in order. Errors: InputError, naming the file and the line, for
/// anything that is not an example of its kind; otherwise as the reader of the bytes. One thread.
class ExampleSource {
 public:
  virtual ~ExampleSource() = default;

  /// Replaces `group` by the next group. Returns false at the end.
  virtual bool next(ExampleGroup& group) = 0;

  /// The name of the file in error messages; empty if the texts are not from one file.
  virtual const std::string& name() const = 0;
};

/// Examples with their activations. Activations that are small enough are read once and kept;
/// otherwise each load() reads them from their source. Not for two threads at once.
class TaskCorpus {
 public:
  /// Default limit for keeping activations, in bytes.
  static constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30;

  /// All arguments must outlive this object. Text n has the activations of sentence n.
  /// `activations` is null if the model reads none. Errors: as the source's.
  TaskCorpus(std::span<const CorpusText> texts, std::span<const TaskRecord> records,
             ActivationSource* activations, std::uint64_t kept_bytes = kKeptBytes);

  std::uint64_t size() const { return records_.size(); }
  /// Tokens of all examples. A text that several examples share counts for each of them.
  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t tokens_of(std::uint64_t index) const;
  const TaskRecord& operator[](std::uint64_t index) const { return records_[index]; }

  /// Loads these examples. The batch is valid until the next call. Errors: as the source's.
  TaskBatch load(std::span<const std::uint64_t> indices);

 private:
  std::span<const float> activations_of(std::uint64_t text);

  std::span<const CorpusText> texts_;
  std::span<const TaskRecord> records_;
  ActivationSource* activations_;
  std::uint64_t tokens_ = 0;
  AlignedVector<float> kept_;  // of all sentences of the source, or empty
  // The current batch.
  AlignedVector<float> read_;
  std::size_t read_values_ = 0;  // used values of read_
  std::unordered_map<std::uint64_t, std::span<const float>> read_texts_;
  std::vector<TaskText> batch_texts_;
  std::vector<TaskExample> batch_;
};

/// Sets the weights of `records` so that each label has the same share of the total weight as it
/// has of the examples `like`. Otherwise, a model of one data set is biased for data with another
/// distribution of labels (importance weights for label shift, Lipton et al. 2018, section 2). Each
/// record has one label, among the first `labels`. The mean weight is 1. One is added to the count
/// of each label, so that no weight is 0. Other labels of `like` are ignored.
void weigh_labels(std::span<const TaskRecord> like, std::size_t labels,
                  std::span<TaskRecord> records);

}  // namespace elmo
