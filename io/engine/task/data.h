// The request to train task models, as `elmo task train` and `elmo task compare` make it, and its
// labeled data with their activations.
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
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "core/train/session.h"
#include "io/engine/features.h"
#include "io/engine/listener.h"
#include "io/engine/model.h"
#include "io/labeled/examples.h"
#include "io/labeled/word_vectors.h"
#include "io/tasks/kinds.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// Models of one kind, trained on the same data in the same way.
struct TaskRequest {
  const LabeledKind* kind = labeled_kind("tag");
  std::string train;  ///< labeled files, like the next two
  std::string dev;
  std::string test;                ///< scored once after training; empty: none
  std::string column = "upos";     ///< CoNLL-U: the column with the labels
  TableNames table;                ///< tables of texts: the columns to read
  TokenizerRequest tokenizer;      ///< tokenizer of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
  std::string words;               ///< file of word vectors; empty: trained from random ones
  bool train_words = false;        ///< train the vectors of the file

  /// Lacks the biLM's shape, which the biLM provides, and `train_words`.
  TaskOptions options;
  TaskPlan plan;  ///< includes the learning rate
  SessionOptions session{.checkpoint_seconds = 60.0};
  FeatureOptions features;  ///< features of the biLM; default folder: `features` in `output`
  /// One model is trained per seed, in its own folder. Empty: one model with the plan's seed.
  std::vector<std::uint64_t> seeds;

  std::string output;  ///< folder of the run
  bool resume = false;
  bool overwrite = false;

  bool uses_bilm() const { return options.elmo != ElmoPlace::none; }
  std::vector<std::uint64_t> all_seeds() const {
    return seeds.empty() ? std::vector{plan.seed} : seeds;
  }
};

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
  TaskMetric metric;
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
