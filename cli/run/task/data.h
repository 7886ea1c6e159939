// The labelled data of a task with its activations.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "cli/flags/task.h"
#include "core/inference/activation_source.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/labelled_sentence.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_options.h"
#include "io/labelled/examples.h"
#include "io/labelled/word_vectors.h"

namespace elmo {

/// What a task model is trained on and measured by. `options.bilm` and the mix are known.
struct TaskData {
  TaskOptions options;
  LabelSet labels;  ///< those to be learned first, then those of the development data alone
  std::vector<std::string> learned;
  bool spans = false;
  std::unique_ptr<WordVocabulary> words;
  std::optional<WordVectors> vectors;  ///< without their words
  TaskExamples train;
  TaskExamples dev;
  std::string bilm;  ///< fingerprint; empty: none
  std::unique_ptr<ActivationSource> train_activations;
  std::unique_ptr<ActivationSource> dev_activations;
  std::unique_ptr<TaskCorpus> train_corpus;  ///< of the examples and their activations
  std::unique_ptr<TaskCorpus> dev_corpus;
};

/// Makes the corpora of the examples as they are now.
void make_corpora(TaskData& data);

/// Reads the data, and computes its activations where there are none, in `folder` unless the flags
/// name another; nothing where `stop` became true. Errors: InputError for data that cannot be
/// learned from; else as readers and FeatureStore.
std::optional<TaskData> load_task_data(const TaskTrainFlags& flags,
                                       const std::filesystem::path& folder,
                                       const std::atomic<bool>& stop);

}  // namespace elmo
