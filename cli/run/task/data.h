// The labeled data of a task with its activations.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/run/listener.h"
#include "cli/run/task/request.h"
#include "core/inference/activation_source.h"
#include "core/tasks/common/known_labels.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/task_scores.h"
#include "io/labeled/examples.h"
#include "io/labeled/word_vectors.h"
#include "io/model/model.h"

namespace elmo {

/// What a task model is trained on and measured by. `options.bilm` and the mix are known.
struct TaskData {
  TaskOptions options;
  LabelSet labels;  ///< those to be learned first, then those of the other data alone
  std::vector<std::string> learned;
  TaskMetric metric = TaskMetric::accuracy;
  std::unique_ptr<WordVocabulary> words;
  std::optional<WordVectors> vectors;  ///< without their words
  TaskExamples train;
  TaskExamples dev;
  std::optional<TaskExamples> test;
  std::string bilm;  ///< fingerprint; empty: none
  std::string bilm_name;
  std::unique_ptr<ActivationSource> train_activations;
  std::unique_ptr<ActivationSource> dev_activations;
  std::unique_ptr<ActivationSource> test_activations;
  std::unique_ptr<TaskCorpus> train_corpus;  ///< of the examples and their activations
  std::unique_ptr<TaskCorpus> dev_corpus;
  std::unique_ptr<TaskCorpus> test_corpus;  ///< null without test data
};

/// Which labels of the examples are among the first `learned` of all. Errors: as
/// KnownLabels::check.
KnownLabels check_labels(const TaskExamples& examples, const LabelSet& labels, std::size_t learned);

/// Notes what is to be said of the examples' file.
void note_examples(const TaskExamples& examples, RunListener& listener);

/// Of all texts.
std::uint64_t tokens_of(const TaskExamples& examples);

/// Makes the corpora of the examples as they are now.
void make_corpora(TaskData& data);

/// Reads the data and its words, without activations. Errors: as load_task_data().
TaskData read_task_data(const TaskRequest& request, const std::atomic<bool>& stop);

/// Reads the data, and computes its activations by `bilm`, if there is one, where there are none;
/// nothing where `stop` became true. A run that is replaced loses the activations in its own folder
/// once the data was read. Errors: InputError for data that cannot be learned from; else as readers
/// and FeatureStore.
std::optional<TaskData> load_task_data(const TaskRequest& request, std::optional<LoadedModel> bilm,
                                       RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
