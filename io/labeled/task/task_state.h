// The state of a task's learner as checkpoints hold it, and the records of its run.
#pragma once

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

/// The metadata are JSON.
Checkpoint checkpoint_of(const TaskState& state);

/// InputError where the metadata are of something else.
void read_state(const Checkpoint& checkpoint, TaskState& state);

/// Writes the evaluations of a run to a file of JSON lines, an object for each.
class TaskProgressFile final : public EvaluationLog {
 public:
  explicit TaskProgressFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// SystemError where the file cannot be written.
  void write(std::span<const TaskEvaluation> evaluations) override;

 private:
  std::filesystem::path path_;
};

/// Reads such a file. InputError naming the line for what is no evaluation, or where it cannot be
/// opened.
std::vector<TaskEvaluation> read_task_progress(const std::filesystem::path& path);

/// Whether there is a file that begins with an evaluation of a task.
bool holds_task_progress(const std::filesystem::path& path);

}  // namespace elmo
