// The folder of a trained task model, and of the run that trains it.
//
//   DIR/task.json       what the model is, its labels, the biLM it needs (task_description.h)
//   DIR/words.txt       the words that it has vectors of, one a line
//   DIR/task.hdf5       its parameters, as io/train/checkpoint_file.h has them, with the checksums
//                       of the other two
//   DIR/progress.jsonl  losses and scores of the run (task_state.h)
//   DIR/checkpoints/    what the run resumes from (io/train/checkpoint.h)
//   DIR/seed-N/         of a run with several seeds: the folder of each
//   DIR/features/       activations of its data, unless they are kept elsewhere
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/tasks/common/task_model.h"
#include "core/tasks/common/word_vocabulary.h"
#include "io/labeled/task/task_description.h"
#include "io/train/run_folder.h"

namespace elmo {

/// A trained model that is ready to be asked.
struct LoadedTask {
  TaskDescription description;
  std::unique_ptr<const WordVocabulary> words;  ///< which the model looks at
  std::unique_ptr<TaskModel> model;
};

/// The mixes that a model learned, from its parameters.
std::vector<LearnedMix> learned_mixes(const TaskOptions& options, TaskModel& model);

/// Writes a model; whenever that is interrupted, load_task() finds the one that was there or the
/// new one. One writer at a time. SystemError.
void save_task(const std::filesystem::path& folder, const TaskDescription& description,
               const WordVocabulary& words, TaskModel& model);

/// InputError, naming the file, where something is missing or damaged; SystemError where it cannot
/// be read.
LoadedTask load_task(const std::filesystem::path& folder);

/// Whether the folder has a trained task model.
bool holds_task(const std::filesystem::path& folder);

/// The description alone. Errors: as load_task().
TaskDescription read_task_description(const std::filesystem::path& folder);

/// RequestError where the folder holds a run or a model that is to be refused, or a model of a run
/// to be resumed that has no checkpoint.
void check_task_folder(const std::filesystem::path& folder, ExistingRun existing);

/// Removes the run and the model that the folder holds, except activations. SystemError where
/// something cannot be removed.
void remove_task(const std::filesystem::path& folder);

/// Where the run of one seed among several is.
std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed);

/// The folders of a run's seeds, sorted; none where it has none.
std::vector<std::filesystem::path> seed_folders(const std::filesystem::path& folder);

}  // namespace elmo
