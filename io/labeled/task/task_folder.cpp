#include "io/labeled/task/task_folder.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/elmo_columns.h"
#include "core/tasks/kinds.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/model/folder/replacement.h"
#include "io/train/checkpoint_file.h"

namespace elmo {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDescriptionFile = "task.json";
constexpr const char* kWordsFile = "words.txt";
constexpr const char* kWeightsFile = "task.hdf5";
constexpr std::array kTaskFiles = {kDescriptionFile, kWordsFile, kWeightsFile};
constexpr const char* kCheckpointsFolder = "checkpoints";
constexpr const char* kSeedPrefix = "seed-";
constexpr const char* kParameters = "parameters";

std::string checksum_of(std::string_view text) {
  Checksum checksum;
  checksum.add(text);
  return checksum.hex();
}

std::string words_text(const WordVocabulary& words) {
  std::string text;
  for (const std::string& word : words.words()) text += word + '\n';
  return text;
}

// Checksums of the files that the weights belong to.
RunFingerprint parts_of(std::string_view description, std::string_view words) {
  return {{kDescriptionFile, checksum_of(description)}, {kWordsFile, checksum_of(words)}};
}

std::vector<StateArray> arrays_of(TaskModel& model) {
  return value_arrays(kParameters, model.parameters());
}

// Paths of the files of a folder's model, even if replacing the model was interrupted.
class TaskFiles {
 public:
  explicit TaskFiles(fs::path folder)
      : folder_(std::move(folder)), moved_(interrupted_replacement(folder_, kTaskFiles)) {}

  fs::path path(const char* name) const {
    if (moved_ && moved_->contains(name)) return folder_ / moved_->at(name);
    return folder_ / name;
  }

  std::string read(const char* name) const {
    std::optional<std::string> text = read_file_if_there(path(name));
    if (!text) {
      throw InputError(folder_.string() + ": cannot read " + name +
                       "; expected the folder of a trained task model");
    }
    return *std::move(text);
  }

 private:
  fs::path folder_;
  std::optional<std::map<std::string, std::string>> moved_;
};

std::unique_ptr<WordVocabulary> parse_words(std::string_view text) {
  auto words = std::make_unique<WordVocabulary>();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words->add(text.substr(0, end), false);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

std::vector<LearnedMix> learned_mixes(const TaskOptions& options, TaskModel& model) {
  std::map<std::string, LearnedMix> mixes;
  for (const char* place : {"input", "output"}) {
    const std::string prefix = std::string("elmo_") + place;
    for (const Parameter* parameter : model.parameters()) {
      if (parameter->name == prefix + "/w") {
        mixes[place].shares = scalar_mix_factors(parameter->values, 1.0F);
      } else if (parameter->name == prefix + "/gamma") {
        mixes[place].gamma = parameter->values[0];
      }
    }
  }
  std::vector<LearnedMix> learned;
  for (auto& [place, mix] : mixes) {
    mix.place = place;
    if (mix.shares.empty()) mix.shares = fixed_shares(options).value_or(std::vector<float>());
    learned.push_back(std::move(mix));
  }
  return learned;
}

void save_task(const fs::path& folder, const TaskDescription& description,
               const WordVocabulary& words, TaskModel& model) {
  make_folder(folder);
  finish_replacement(folder, nullptr, kTaskFiles);
  const std::string description_json = description_text(description);
  const std::string word_lines = words_text(words);
  std::vector<AtomicFile> files;
  files.emplace_back(folder / kWeightsFile);
  write_checkpoint_file(files.back().temporary_path(),
                        {{}, parts_of(description_json, word_lines), "{}"}, arrays_of(model));
  files.emplace_back(folder / kWordsFile).append(word_lines);
  files.emplace_back(folder / kDescriptionFile).append(description_json);
  replace_model(folder, std::move(files), nullptr, kTaskFiles);
}

bool holds_task(const fs::path& folder) {
  return is_there(TaskFiles(folder).path(kDescriptionFile));
}

TaskDescription read_task_description(const fs::path& folder) {
  const TaskFiles files(folder);
  return parse_description(files.read(kDescriptionFile), (folder / kDescriptionFile).string());
}

LoadedTask load_task(const fs::path& folder) {
  const TaskFiles files(folder);
  const std::string description = files.read(kDescriptionFile);
  const std::string words = files.read(kWordsFile);
  const fs::path weights = files.path(kWeightsFile);
  if (!is_there(weights)) {
    throw InputError(folder.string() + ": " + kWeightsFile +
                     " is missing; expected the folder of a trained task model");
  }
  const h5::Reader file = open_checkpoint_file(weights);
  const RunFingerprint parts = parts_of(description, words);
  // Ensures that all files belong to one model before allocating memory for it.
  const std::string difference =
      fingerprint_difference(read_checkpoint_head(file).fingerprint, parts);
  if (!difference.empty()) {
    throw InputError(folder.string() +
                     ": its files are not of one model, or damaged: the checksum of " + difference);
  }
  LoadedTask task;
  task.description = parse_description(description, (folder / kDescriptionFile).string());
  task.words = parse_words(words);
  task.model = task_kind(task.description.options.kind)
                   .make(task.description.options, *task.words, task.description.labels);
  read_checkpoint_file(file, parts, arrays_of(*task.model));
  return task;
}

void check_task_folder(const fs::path& folder, ExistingRun existing) {
  if (existing == ExistingRun::resumed && holds_task(folder)) require_checkpoint(folder);
  const bool run = is_there(folder / kMetricsFile) || is_there(folder / kDescriptionFile);
  if (existing == ExistingRun::refused && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy::resume_or_replace);
  }
}

void remove_task(const fs::path& folder) {
  finish_replacement(folder, nullptr, kTaskFiles);
  for (const char* name : {kDescriptionFile, kWordsFile, kWeightsFile, kCurvesFile, kMetricsFile}) {
    remove_path(folder / name);
  }
  remove_folder(folder / kCheckpointsFolder);
  for (const fs::path& seed : seed_folders(folder)) remove_folder(seed);
}

std::vector<fs::path> seed_folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const std::string& name : names_in(folder)) {
    if (name.starts_with(kSeedPrefix)) folders.push_back(folder / name);
  }
  return folders;
}

fs::path seed_folder(const fs::path& folder, std::uint64_t seed) {
  return folder / (kSeedPrefix + std::to_string(seed));
}

}  // namespace elmo
