// State of a task's learner in checkpoints, and the records of its run.
#pragma once

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "io/train/checkpoint.h"

namespace elmo {

/// Stores the state as a checkpoint with JSON metadata.
Checkpoint checkpoint_of(const TaskState& state);

/// InputError if the metadata belong to something else.
void read_state(const Checkpoint& checkpoint, TaskState& state);

/// Writes the evaluations of a run to a JSON Lines file, one object each. Returns once they are on
/// permanent storage. SystemError if the file cannot be written.
void write_task_progress(const std::filesystem::path& path,
                         std::span<const TaskEvaluation> evaluations);

/// Reads a file written by write_task_progress(). InputError, naming the line, for a line that is
/// not an evaluation; or if the file cannot be opened.
std::vector<TaskEvaluation> read_task_progress(const std::filesystem::path& path);

/// True if the file exists and begins with an evaluation of a task.
bool holds_task_progress(const std::filesystem::path& path);

}  // namespace elmo
