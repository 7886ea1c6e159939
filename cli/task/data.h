// The labeled data of a task with its activations.
//
// The request to train task models.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/features.h"
#include "cli/common/listener.h"
#include "core/inference/activations.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/labels.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "core/train/session.h"
#include "io/labeled/examples.h"
#include "io/labeled/word_vectors.h"
#include "io/model/model.h"
#include "io/train/run_folder.h"

namespace elmo {

/// Labeled files, and how they are read.
struct TaskFiles {
  std::string train;
  std::string dev;
  std::string test;                ///< scored once after training; empty: none
  std::string words;               ///< word vectors; empty: trained from random ones
  std::string column;              ///< of CoNLL-U
  TokenizerSettings tokenizer;     ///< of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
};

/// Models of one kind, trained on the same data in the same way.
struct TaskRequest {
  TaskFiles files;
  TaskOptions options;  ///< without the biLM's shape, which its model provides
  TaskPlan plan;        ///< with its learning rate
  SessionOptions session;
  FeatureOptions features;
  std::filesystem::path features_folder;  ///< of the activations; empty: one in `folder`
  /// One model is trained per seed, in its own folder. Empty: one model with the plan's seed.
  std::vector<std::uint64_t> seeds;
  std::filesystem::path folder;  ///< of the run
  ExistingRun existing = ExistingRun::refused;
};

/// The data on which a task model is trained and evaluated. `options` has the biLM's shape and the
/// mix.
struct TaskData {
  TaskOptions options;
  LabelSet labels;  ///< learned labels first, then those that only the other data have
  std::vector<std::string> learned;
  TaskMetric metric = TaskMetric::accuracy;
  std::unique_ptr<WordVocabulary> words;
  std::optional<WordVectors> vectors;  ///< without their words, which are in `words`
  TaskExamples train;
  TaskExamples dev;
  std::optional<TaskExamples> test;
  std::string bilm;  ///< fingerprint; empty: no biLM
  std::string bilm_name;
  std::unique_ptr<ActivationSource> train_activations;
  std::unique_ptr<ActivationSource> dev_activations;
  std::unique_ptr<ActivationSource> test_activations;
  std::unique_ptr<TaskCorpus> train_corpus;  ///< of the examples and their activations
  std::unique_ptr<TaskCorpus> dev_corpus;
  std::unique_ptr<TaskCorpus> test_corpus;  ///< null without test data
};

/// Counts the labels of the examples that are among the first `learned` of `labels`, and those that
/// are not. Errors: as KnownLabels::check.
KnownLabels check_labels(const TaskExamples& examples, const LabelSet& labels, std::size_t learned);

/// Notes what was repaired or left out in the file of the examples, and the reader's notes.
void note_examples(const TaskExamples& examples, RunListener& listener);

/// Returns the number of tokens of all texts.
std::uint64_t tokens_of(const TaskExamples& examples);

/// Makes the corpora from the current examples.
void make_corpora(TaskData& data);

/// Reads the data and its words, without activations. Errors: as load_task_data().
TaskData read_task_data(const TaskRequest& request, const std::atomic<bool>& stop);

/// Reads the data and, with `bilm`, computes the missing activations. Returns nothing if `stop`
/// became true. If the run is replaced, the activations in its own folder are removed after the
/// data is read. Errors: InputError for data that cannot be learned from; otherwise as readers and
/// FeatureStore.
std::optional<TaskData> load_task_data(const TaskRequest& request, std::optional<LoadedModel> bilm,
                                       RunListener& listener, const std::atomic<bool>& stop);

}  // namespace elmo
