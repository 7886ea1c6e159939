// Folder of a trained task model and of the run that trains it.
//
//   DIR/task.json       the model's description, labels and biLM (TaskDescription)
//   DIR/words.txt       words that have vectors, one per line
//   DIR/task.hdf5       parameters, in the format of io/train/checkpoint.h, with the checksums
//                       of the other two files
//   DIR/progress.jsonl  losses and scores of the run, one evaluation per line
//   DIR/checkpoints/    checkpoints to resume the run from (io/train/checkpoint.h)
//   DIR/seed-N/         for a run with several seeds: the folder of seed N
//   DIR/features/       activations of the data, unless they are stored elsewhere
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/tasks/common/task_learner.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/token_vectors.h"
#include "io/tasks/task_description.h"
#include "io/train/checkpoint.h"
#include "io/train/run_folder.h"

namespace elmo {

/// A trained model, ready for prediction.
struct LoadedTask {
  TaskDescription description;
  std::unique_ptr<const WordVocabulary> words;  ///< used by the model
  std::unique_ptr<TaskModel> model;
};

/// The mixes that a model learned, from its parameters.
std::vector<LearnedMix> learned_mixes(const TaskOptions& options, TaskModel& model);

/// Writes a model, unless the folder holds the same one: a complete run may be in a folder that
/// cannot be written. If that is interrupted at any time, load_task() finds either the old model or
/// the new one. One writer at a time. SystemError.
void save_task(const std::filesystem::path& folder, const TaskDescription& description,
               const WordVocabulary& words, TaskModel& model);

/// Reads a model of one of `kinds`. InputError, naming the file, if something is missing or
/// damaged. SystemError if it cannot be read.
LoadedTask load_task(const std::filesystem::path& folder,
                     std::span<const LabeledKind> kinds = labeled_kinds());

/// RequestError if the folder holds a run or model and `mode` is create, or, to resume, a model
/// without a checkpoint.
void check_task_folder(const std::filesystem::path& folder, RunMode mode);

/// Removes the run and the model in the folder, but not activations. SystemError if something
/// cannot be removed.
void remove_task(const std::filesystem::path& folder);

/// The folder of one seed's run.
std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed);

/// The folders of a run's seeds, sorted; empty for a run of one seed.
std::vector<std::filesystem::path> seed_folders(const std::filesystem::path& folder);

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
