#include "io/tasks/task_folder.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/token_vectors.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/model/replacement.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSeedPrefix = "seed-";
constexpr const char* kParameters = "parameters";

std::string words_text(const WordVocabulary& words) {
  std::string text;
  for (const std::string& word : words.words()) text += word + '\n';
  return text;
}

// Checksums of the files that the weights belong to.
Provenance parts_of(std::string_view description, std::string_view words) {
  return {{TaskFiles::kDescription, text_checksum(description)},
          {TaskFiles::kWords, text_checksum(words)}};
}

std::vector<StateArray> arrays_of(TaskModel& model) {
  return value_arrays(kParameters, model.parameters());
}

std::unique_ptr<WordVocabulary> parse_words(std::string_view text) {
  auto words = std::make_unique<WordVocabulary>();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words->add(text.substr(0, end), false);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Returns whether the folder holds this model. `description_json`: its description.
bool holds_same_model(const fs::path& folder, const TaskDescription& description,
                      std::string_view description_json, const WordVocabulary& words,
                      TaskModel& model) {
  if (!holds_task(folder)) return false;
  try {
    const LoadedTask found = load_task(folder, std::span(description.kind, 1));
    return description_text(found.description) == description_json &&
           found.words->words() == words.words() &&
           std::ranges::equal(found.model->parameters(), model.parameters(),
                              [](const Parameter* one, const Parameter* other) {
                                return one->values == other->values;
                              });
  } catch (const InputError&) {
    return false;  // it is damaged, and replaced
  }
}

Json json_of(const TaskEvaluation& evaluation) {
  return {{"evaluation", evaluation.number},  {"step", evaluation.step},
          {"loss", evaluation.loss},          {"score", evaluation.score},
          {"learning_rate", evaluation.rate}, {"best", evaluation.best},
          {"seconds", evaluation.seconds}};
}

/// First bytes of a file of evaluations, as written by json_of().
constexpr std::string_view kBeginning = R"({"evaluation":)";

TaskEvaluation evaluation_of(const JsonNode& json) {
  return {.number = json["evaluation"].count(),
          .step = json["step"].count(),
          .loss = json["loss"].number(),
          .score = json["score"].number(),
          .rate = json["learning_rate"].number(),
          .seconds = json["seconds"].number(),
          .best = json["best"].flag()};
}

}  // namespace

std::vector<LearnedMix> learned_mixes(const TaskOptions& options, TaskModel& model) {
  std::vector<LearnedMix> learned;
  for (const ElmoPlace place : mix_places(options)) {
    LearnedMix& mix = learned.emplace_back();
    mix.place = kElmoPlaces.word(place);
    mix.shares = fixed_shares(options).value_or(std::vector<float>());
    const std::string prefix = elmo_name(place);
    for (const Parameter* parameter : model.parameters()) {
      if (parameter->name == prefix + "/w") {
        mix.shares = scalar_mix_factors(parameter->values, 1.0F);
      } else if (parameter->name == prefix + "/gamma") {
        mix.gamma = parameter->values[0];
      }
    }
  }
  return learned;
}

void save_task(const fs::path& folder, const TaskDescription& description,
               const WordVocabulary& words, TaskModel& model) {
  make_folder(folder);
  finish_replacement(folder, nullptr, TaskFiles::kAll);
  const std::string description_json = description_text(description);
  if (holds_same_model(folder, description, description_json, words, model)) return;
  const std::string word_lines = words_text(words);
  std::vector<AtomicFile> files;
  files.emplace_back(folder / TaskFiles::kWeights, Links::replaced);
  write_checkpoint_file(files.back().temporary_path(),
                        {0, 0, {}, parts_of(description_json, word_lines), "{}"}, arrays_of(model));
  files.emplace_back(folder / TaskFiles::kWords, Links::replaced).append(word_lines);
  files.emplace_back(folder / TaskFiles::kDescription, Links::replaced).append(description_json);
  replace_model(folder, std::move(files), nullptr, TaskFiles::kAll);
}

LoadedTask load_task(const fs::path& folder, std::span<const LabeledKind> kinds) {
  const TaskFiles files(folder);
  const std::string description = files.read(TaskFiles::kDescription);
  const std::string words = files.read(TaskFiles::kWords);
  const fs::path weights = files.path(TaskFiles::kWeights);
  if (!is_there(weights)) {
    throw InputError(folder.string() + ": " + TaskFiles::kWeights +
                     " is missing; expected the folder of a trained task model");
  }
  const h5::Reader file = open_checkpoint_file(weights);
  const Provenance parts = parts_of(description, words);
  // Ensures that all files belong to one model before allocating memory for it.
  const Message difference = provenance_difference(read_checkpoint_head(file).provenance, parts);
  if (!difference.empty()) {
    throw InputError(folder.string() +
                     ": its files belong to different models or are damaged: the checksum of " +
                     difference);
  }
  LoadedTask task;
  task.description =
      parse_description(description, (folder / TaskFiles::kDescription).string(), kinds);
  task.words = parse_words(words);
  task.model = task.description.kind->task.make(task.description.options, *task.words,
                                                task.description.labels);
  read_checkpoint_file(file, parts, arrays_of(*task.model));
  return task;
}

void check_task_folder(const fs::path& folder, RunMode mode) {
  if (mode == RunMode::resume && holds_task(folder)) require_checkpoint(folder);
  const bool run = !training_run_in(folder).empty() || is_there(folder / TaskFiles::kDescription);
  if (mode == RunMode::create && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy{"resume_or_replace"});
  }
}

void remove_task(const fs::path& folder) {
  finish_replacement(folder, nullptr, TaskFiles::kAll);
  for (const char* name : {TaskFiles::kDescription, TaskFiles::kWords, TaskFiles::kWeights,
                           kCurvesFile, kMetricsFile}) {
    remove_path(folder / name);
  }
  remove_checkpoints(folder);
  for (const fs::path& seed : seed_folders(folder)) remove_task(seed);
  remove_if_empty(folder);
}

std::vector<fs::path> seed_folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(kSeedPrefix)) continue;
    const auto seed = number_of<std::uint64_t>(name.substr(std::string_view(kSeedPrefix).size()));
    if (seed && seed_folder(folder, *seed).filename() == name && is_folder(folder / name)) {
      folders.push_back(folder / name);
    }
  }
  return folders;
}

fs::path seed_folder(const fs::path& folder, std::uint64_t seed) {
  return folder / (kSeedPrefix + std::to_string(seed));
}

Checkpoint checkpoint_of(const TaskState& state) {
  Json evaluations = Json::array();
  for (const TaskEvaluation& evaluation : state.evaluations) {
    evaluations.push_back(json_of(evaluation));
  }
  const Json json = {{"rate", state.rate},
                     {"loss_sum", state.loss_sum},
                     {"loss_steps", state.loss_steps},
                     {"since_best", state.since_best},
                     {"since_decay", state.since_decay},
                     {"seconds", state.seconds},
                     {"evaluations", evaluations}};
  return {state.step, state.tokens, {}, {}, json.dump()};
}

void read_state(const Checkpoint& checkpoint, TaskState& state) {
  state.step = checkpoint.step;
  state.tokens = checkpoint.tokens;
  const JsonDocument json(checkpoint.metadata, "the state of the run", "that of a task's training");
  state.rate = json["rate"].number();
  state.loss_sum = json["loss_sum"].number();
  state.loss_steps = json["loss_steps"].count();
  state.since_best = json["since_best"].count();
  state.since_decay = json["since_decay"].count();
  state.seconds = json["seconds"].number();
  for (const JsonNode& one : json["evaluations"].elements()) {
    state.evaluations.push_back(evaluation_of(one));
  }
}

void write_task_progress(const std::filesystem::path& path,
                         std::span<const TaskEvaluation> evaluations) {
  std::string text;
  for (const TaskEvaluation& evaluation : evaluations) text += json_of(evaluation).dump() + '\n';
  replace_file(path, text);
}

std::vector<TaskEvaluation> read_task_progress(const std::filesystem::path& path) {
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) throw InputError("there is no file " + path.string());
  std::istringstream file(*text);
  std::vector<TaskEvaluation> evaluations;
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    const JsonDocument json(line, path.string() + ": line " + std::to_string(number),
                            "an evaluation of a task's training");
    evaluations.push_back(evaluation_of(json.root()));
  }
  return evaluations;
}

bool holds_task_progress(const std::filesystem::path& path) {
  return is_there(path) && read_head(path, kBeginning.size()) == kBeginning;
}

}  // namespace elmo
