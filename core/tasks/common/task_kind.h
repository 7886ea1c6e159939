// What one kind of task has that others do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/task_plan.h"
#include "core/tasks/common/task_scores.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

/// What an example consists of.
struct ExampleShape {
  std::size_t texts = 1;      ///< 1 or 2
  bool token_labels = false;  ///< a label for each token of the text; else one for the example
};

/// TaskKindEntry::max_labels of models whose cost grows with the labels alone.
inline constexpr std::size_t kMaxLabels = 10000;

/// Settings that models of a kind learn well with; all others are the same for every kind.
struct TaskDefaults {
  std::int64_t layers = 1;                           ///< TaskOptions::layers
  std::int64_t hidden = 128;                         ///< TaskOptions::hidden
  float dropout = 0.5F;                              ///< TaskOptions::dropout
  float elmo_dropout = 0.0F;                         ///< MixOptions::dropout
  std::uint64_t batch = 16;                          ///< TaskPlan::batch
  float rate = 0.002F;                               ///< TaskPlan::rate
  LabelWeights label_weights = LabelWeights::equal;  ///< TaskPlan::label_weights
  float average = 0.99F;                             ///< TaskPlan::average
  float clip = 5.0F;                                 ///< TaskPlan::clip
};

/// An entry of the table in core/tasks/kinds.h.
struct TaskKindEntry {
  TaskKind kind{};
  const char* name = nullptr;     ///< as it is typed and as files have it
  const char* summary = nullptr;  ///< what is labeled, and by which model
  ExampleShape shape{};
  bool named_labels = false;  ///< TaskExample::labels are numbers of names, at least two
  TaskDefaults defaults;
  TaskDefaults paper;  ///< sizes as published; see the kind for where

  /// The model weighs each label behind each other one: at every token labels² operations, and as
  /// many parameters.
  bool weighs_label_pairs = false;

  /// More would take too long, or are a mistake, such as a column of ids.
  std::size_t max_labels = 0;

  /// A model, all parameters zero. `words` has to outlive it.
  std::unique_ptr<TaskModel> (*make)(const TaskOptions& options, const WordVocabulary& words,
                                     const std::vector<std::string>& labels) = nullptr;

  /// What models of these labels are compared by.
  TaskMetric (*metric)(const std::vector<std::string>& labels) = nullptr;

  /// Scores of nothing yet, for a model of the labels `learned`; `labels` has these first, then
  /// others of the data, and has to outlive them.
  std::unique_ptr<TaskScores> (*scores)(const std::vector<std::string>& learned,
                                        const LabelSet& labels) = nullptr;
};

}  // namespace elmo
