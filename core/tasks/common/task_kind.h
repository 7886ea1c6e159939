// Kinds of task without their files: model, scores and recommended settings; and the schedule of
// training.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

class WordVocabulary;

/// Weights of the losses of examples with one label: equal, or such that the labels have the
/// distribution of the development data (weigh_labels()).
enum class LabelWeights { equal, dev };

inline constexpr auto kLabelWeights =
    enum_table<LabelWeights>({{"equal", LabelWeights::equal}, {"dev", LabelWeights::dev}});

/// The length and the steps of a training run.
struct TaskPlan {
  std::uint64_t batch = 16;         ///< examples per step
  std::uint64_t evaluations = 100;  ///< maximum number of evaluations on the development data
  std::uint64_t min_steps = 1000;   ///< minimum length of a run
  std::uint64_t patience = 4;       ///< evaluations without improvement that end a run; 0: no limit
  std::uint64_t decay_patience = 2;  ///< evaluations without improvement that lower the rate
  float decay = 0.5F;                ///< factor that lowers the rate; 1: constant rate
  float rate = 0.002F;               ///< learning rate of Adam
  float weight_decay = 0.0F;
  LabelWeights label_weights = LabelWeights::equal;
  float average = 0.99F;  ///< decay of the weights' moving average, which is evaluated; 0: none
  float clip = 5.0F;      ///< maximum norm of the gradient; 0: no clipping
  std::uint64_t seed = 0;
};

/// Steps between evaluations: an epoch, or more with little data, so that `min_steps` steps have at
/// most 16 evaluations, or plan.evaluations if that is fewer.
constexpr std::uint64_t steps_between_evaluations(const TaskPlan& plan,
                                                  std::uint64_t steps_per_epoch) {
  constexpr std::uint64_t kInMinSteps = 16;
  const std::uint64_t count = std::min(plan.evaluations, kInMinSteps);
  return std::max(steps_per_epoch, (plan.min_steps + count - 1) / count);
}

/// True if a run that has made plan.evaluations can continue with more: it still evaluates after
/// the same steps.
constexpr bool can_continue(const TaskPlan& plan, std::uint64_t steps_per_epoch) {
  TaskPlan longer = plan;
  ++longer.evaluations;
  return steps_between_evaluations(longer, steps_per_epoch) ==
         steps_between_evaluations(plan, steps_per_epoch);
}

/// True if plan.evaluations rather than plan.patience ended a run of `evaluations` evaluations. The
/// last `since_best` of them did not improve the score.
constexpr bool ended_early(const TaskPlan& plan, std::uint64_t evaluations,
                           std::uint64_t since_best) {
  return evaluations >= plan.evaluations && since_best < std::max<std::uint64_t>(plan.patience, 1);
}

/// Structure of the examples that a kind of task reads, and where they come from.
struct ExampleShape {
  std::size_t texts = 1;      ///< texts per example, 1 or 2
  bool token_labels = false;  ///< one label for each token of the text; else one for the example
  bool records = false;       ///< more than labeled tokens and texts, in file formats of its own
  bool segments = false;      ///< labeled data are raw text, segmented by the rules of a language
};

/// TaskKind::max_labels for models whose cost is linear in the number of labels.
inline constexpr std::size_t kMaxLabels = 10000;

/// Recommended settings for models of a kind.
struct TaskDefaults : TaskOptions, TaskPlan {};

/// A kind of task.
struct TaskKind {
  const char* name = nullptr;     ///< name in options and files
  const char* summary = nullptr;  ///< the thing that is labeled, and the model
  ExampleShape shape{};
  bool named_labels = false;  ///< gold data are a LabelGold of named labels, at least two
  TaskDefaults defaults;
  TaskDefaults paper;  ///< published sizes; the source is cited at each kind

  /// The model scores each pair of adjacent labels: labels² operations per token, and as many
  /// parameters.
  bool weighs_label_pairs = false;

  /// Maximum number of labels. More would take too long, or indicate a mistake, such as a column of
  /// ids.
  std::size_t max_labels = kMaxLabels;

  /// Makes a model with all parameters zero. `words` must outlive it.
  std::unique_ptr<TaskModel> (*make)(const TaskOptions& options, const WordVocabulary& words,
                                     const std::vector<std::string>& labels) = nullptr;

  /// Returns the metric for comparing models of these labels.
  TaskMetric (*metric)(const std::vector<std::string>& labels) = nullptr;

  /// Makes scores without any examples, for a model of the labels `learned`. `labels` has these
  /// first, then other labels of the data, and must outlive the scores.
  std::unique_ptr<TaskScores> (*scores)(const std::vector<std::string>& learned,
                                        const LabelSet& labels) = nullptr;
};

/// TaskKind::make for a model whose constructor takes the same arguments.
template <typename Model>
std::unique_ptr<TaskModel> make_task_model(const TaskOptions& options, const WordVocabulary& words,
                                           const std::vector<std::string>& labels) {
  return std::make_unique<Model>(options, words, labels);
}

/// The program's kinds, each defined beside its model. io/tasks/kinds.h adds the files that they
/// read and write.
TaskKind tag_kind();
TaskKind classify_kind();
TaskKind pair_kind();
TaskKind qa_kind();
TaskKind srl_kind();
TaskKind coref_kind();

}  // namespace elmo
