// The options of `elmo task`.
//
// The options of commands that predict with a trained task model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common/features_options.h"
#include "cli/task/predictor.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_options.h"
#include "core/train/session.h"
#include "io/text/source/input_options.h"

namespace elmo {

class Options;

/// How labeled files are read.
struct TaskDataFlags {
  std::string column = "upos";     ///< of CoNLL-U
  TokenizerRequest tokenizer;      ///< of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
};

struct TaskTrainFlags {
  TaskOptions options;  ///< without the biLM's shape, which its model provides
  TaskPlan plan;
  SessionOptions session{.checkpoint_seconds = 60.0};
  std::vector<std::uint64_t> seeds;  ///< empty: the plan's
  FeatureFlags features;
  TaskDataFlags data;
  std::string train;
  std::string dev;
  std::string test;          ///< empty: none
  std::string words;         ///< file of word vectors; empty: trained from random ones
  bool train_words = false;  ///< train the vectors of the file
  std::string output;
  bool resume = false;
  bool overwrite = false;
  bool json = false;
  bool dry_run = false;
  bool plot = false;
};

/// Registers the options of `elmo task train`. `flags` must outlive the parsing of `app`.
void add_task_train_flags(Options app, TaskTrainFlags& flags);

/// Registers the options of `elmo task compare`: the same, except those for the position and the
/// mix of layers. `flags` must outlive the parsing of `app`.
void add_task_compare_flags(Options app, TaskTrainFlags& flags);

/// Throw RequestError for options that cannot be combined.
void check_task_compare_flags(const Options& app, const TaskTrainFlags& flags);
void check_task_train_flags(const Options& app, const TaskTrainFlags& flags);

/// Registers --column.
void add_column(Options app, TaskDataFlags& flags);

/// Registers --column, --tokenizer, --locale and --skip-unanswerable.
void add_task_data_flags(Options app, TaskDataFlags& flags);

class Options;

struct PredictorFlags {
  PredictorRequest request;
  bool quiet = false;
};

/// Registers DIR, the model options, --precision, --threads and --quiet. `flags` must outlive the
/// parsing of `app`.
void add_predictor_flags(Options app, PredictorFlags& flags);

}  // namespace elmo
