// The labeled data of a task with its activations.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/activations.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/labels.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/engine/task/request.h"
#include "io/labeled/examples.h"
#include "io/labeled/word_vectors.h"

namespace elmo {

/// The examples of a file with their activations.
struct TaskSplit : TaskExamples {
  std::unique_ptr<ActivationSource> activations;  ///< null without a biLM
  std::unique_ptr<TaskCorpus> corpus;             ///< the examples and their activations
};

/// The data on which a task model is trained and evaluated. `options` has the biLM's shape and the
/// mix.
struct TaskData {
  const LabeledKind* kind = nullptr;
  TaskOptions options;
  TokenizerSettings tokenizer;  ///< tokenizer of raw text
  LabelSet labels;              ///< learned labels first, then those that only the other data have
  std::vector<std::string> learned;
  TaskMetric metric = TaskMetric::accuracy;
  std::unique_ptr<WordVocabulary> words;
  std::optional<WordVectors> vectors;  ///< without their words, which are in `words`
  TaskSplit train;
  TaskSplit dev;
  std::optional<TaskSplit> test;
  std::string bilm;  ///< fingerprint; empty: no biLM
  std::string bilm_name;
  std::string features_dtype;  ///< stored type of the activations, and their precision
  std::string precision;

  /// Returns all splits with their names: "train", "dev" and, if there is one, "test".
  std::vector<std::pair<const char*, TaskSplit*>> splits();
};

/// Opens the biLM that the request uses; nothing if it uses none. Errors: as open_model;
/// RequestError if the biLM lacks the only layer of the mix.
std::optional<OpenedModel> task_bilm(const TaskRequest& request);

/// Counts the labels of the examples, separately for the first `learned` of `labels` and for
/// others. Errors: as KnownLabels::check.
KnownLabels check_labels(const TaskExamples& examples, const LabelSet& labels, std::size_t learned);

/// Notes what was repaired or left out in the file of the examples, and the reader's notes.
void note_examples(const TaskExamples& examples, RunListener& listener);

/// Returns the number of tokens of all texts.
std::uint64_t tokens_of(const TaskExamples& examples);

/// Makes the corpora from the current examples.
void make_corpora(TaskData& data);

/// Reads the data and its words, without activations. `bilm`: see task_bilm(). Errors: as
/// load_task_data().
TaskData read_task_data(const TaskRequest& request, const std::optional<OpenedModel>& bilm,
                        const std::atomic<bool>& stop);

/// Reads the data and, with `bilm`, computes the missing activations. Returns nothing if `stop`
/// became true. If the run is replaced, the activations in its own folder are removed after the
/// data is read. Errors: InputError for data that cannot be learned from; otherwise as readers and
/// FeatureStore.
std::optional<TaskData> load_task_data(const TaskRequest& request, std::optional<OpenedModel> bilm,
                                       RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
