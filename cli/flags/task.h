// What `elmo task` was asked to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/flags/features.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/task_plan.h"
#include "core/train/session.h"
#include "io/text/source/input_options.h"

namespace elmo {

class Options;

/// Labeled files, and how they are read.
struct TaskDataFlags {
  std::string column = "upos";     ///< of CoNLL-U
  TokenizerRequest tokenizer;      ///< of raw text
  bool skip_unanswerable = false;  ///< questions without an answer are left out
};

struct TaskTrainFlags {
  TaskOptions options;  ///< except the biLM's shape, which its model has
  TaskPlan plan;
  SessionOptions session{.checkpoint_seconds = 60.0};
  std::vector<std::uint64_t> seeds;  ///< empty: the plan's
  FeatureFlags features;
  TaskDataFlags data;
  std::string train;
  std::string dev;
  std::string test;          ///< empty: none
  std::string words;         ///< file of word vectors; empty: trained from random ones
  bool train_words = false;  ///< those of the file
  std::string output;
  bool resume = false;
  bool overwrite = false;
  bool json = false;
  bool dry_run = false;
  bool plot = false;
};

/// Registers the options of `elmo task train`; `flags` has to outlive `app`'s parsing.
void add_task_train_flags(Options app, TaskTrainFlags& flags);

/// Registers what `elmo task compare` has of these: all but where layers stand and how they mix.
void add_task_compare_flags(Options app, TaskTrainFlags& flags);

/// RequestError for what the options together cannot mean.
void check_task_compare_flags(const Options& app, const TaskTrainFlags& flags);
void check_task_train_flags(const Options& app, const TaskTrainFlags& flags);

/// Registers --column.
void add_column(Options app, TaskDataFlags& flags);

/// Registers --column, --tokenizer, --locale and --skip-unanswerable.
void add_task_data_flags(Options app, TaskDataFlags& flags);

}  // namespace elmo
