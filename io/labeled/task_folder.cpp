#include "io/labeled/task_folder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/labels.h"
#include "core/tasks/kinds.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/model/replacement.h"
#include "io/model/tokenizer.h"
#include "io/train/checkpoint.h"

namespace elmo {
namespace {

constexpr const char* kTaskFormat = "elmo task";
constexpr int kTaskVersion = 1;

// Larger than in any model, so that a damaged file cannot request all memory.
constexpr std::int64_t kMaxTaskColumns = 65536;
constexpr std::int64_t kMaxTaskLayers = 64;

// Layer weights are float32 and sum to 1 up to rounding.
constexpr double kShareError = 1e-3;

/// "all", "top", "average" or the number of a layer.
std::string mix_name(const MixOptions& mix) {
  return mix.kind == MixKind::layer ? std::to_string(mix.layer)
                                    : std::string(kMixKinds.word(mix.kind));
}

TaskKind parse_kind(const JsonNode& node) {
  if (const TaskKindEntry* kind = task_kind(node.text())) return kind->kind;
  node.refuse("one of " + joined(task_kinds(), ", ", &TaskKindEntry::name));
}

MixOptions parse_mix(const JsonNode& json, std::int64_t layers) {
  MixOptions mix;
  const std::string& name = json["mix"].text();
  if (const auto kind = kMixKinds.find(name)) {
    mix.kind = *kind;
  } else {
    mix.kind = MixKind::layer;
    while (mix.layer <= layers && name != std::to_string(mix.layer)) ++mix.layer;
    if (mix.layer > layers) json["mix"].refuse("all, top, average or a layer's number");
  }
  mix.lambda = json["lambda"].float_number(0.0F);
  mix.dropout = json["elmo_dropout"].float_number(0.0F, 1.0F);
  mix.layer_norm = json["layer_norm"].flag();
  return mix;
}

/// Parses the mixes of exactly the locations that the options name.
std::vector<LearnedMix> parse_mixes(const JsonNode& json, const TaskOptions& options) {
  std::vector<std::string> names;
  if (options.elmo_at_input()) names.emplace_back(kElmoPlaces.word(ElmoPlace::input));
  if (options.elmo_at_output()) names.emplace_back(kElmoPlaces.word(ElmoPlace::output));
  std::vector<LearnedMix> mixes;
  for (const std::string& name : names) {
    const JsonNode node = json[name];
    LearnedMix mix{name, {}, node["gamma"].float_number()};
    double sum = 0;
    for (const JsonNode& share : node["shares"].elements("an array of numbers")) {
      mix.shares.push_back(share.float_number(0.0F, 1.0F));
      sum += double{mix.shares.back()};
    }
    if (std::ssize(mix.shares) != options.bilm.layers + 1 || std::abs(sum - 1) > kShareError) {
      node["shares"].refuse("a share for each of the layers 0 to " +
                            std::to_string(options.bilm.layers) + ", of sum 1");
    }
    mixes.push_back(std::move(mix));
  }
  if (json.members().size() != names.size()) {
    json.refuse("a mixture for each place that \"elmo\" names");
  }
  return mixes;
}

}  // namespace

std::string bilm_words(const TaskDescription& description) {
  if (description.bilm_name.empty()) return description.bilm;
  return description.bilm_name + " (" + description.bilm + ")";
}

std::string description_text(const TaskDescription& description) {
  const TaskOptions& options = description.options;
  Json mixes = Json::object();
  for (const LearnedMix& mix : description.mixes) {
    mixes[mix.place] = {{"shares", mix.shares}, {"gamma", mix.gamma}};
  }
  Json json = {{"format", kTaskFormat},
               {"version", kTaskVersion},
               {"kind", task_kind(options.kind).name},
               {"elmo", kElmoPlaces.word(options.elmo)},
               {"mix", mix_name(options.mix)},
               {"lambda", options.mix.lambda},
               {"elmo_dropout", options.mix.dropout},
               {"layer_norm", options.mix.layer_norm},
               {"bilm", description.bilm},
               {"bilm_layers", options.bilm.layers},
               {"bilm_projection", options.bilm.projection},
               {"word_columns", options.word_columns},
               {"train_words", options.train_words},
               {"character_columns", options.character_columns},
               {"character_filters", options.character_filters},
               {"character_width", options.character_width},
               {"layers", options.layers},
               {"hidden", options.hidden},
               {"dropout", options.dropout},
               {"labels", description.labels},
               {"mixes", mixes}};
  if (!description.bilm_name.empty()) json["bilm_name"] = description.bilm_name;
  if (description.tokenizer) json["tokenizer"] = parse_json(tokenizer_text(*description.tokenizer));
  return json.dump(2) + '\n';
}

TaskDescription parse_description(std::string_view text, const std::string& file) {
  const JsonDocument json(text, file, "a task's settings");
  if (json["format"].text() != kTaskFormat) {
    json["format"].refuse(std::string("\"") + kTaskFormat + "\"");
  }
  json["version"].whole(kTaskVersion, kTaskVersion);
  TaskDescription description;
  TaskOptions& options = description.options;
  options.kind = parse_kind(json["kind"]);
  options.elmo = json["elmo"].choice(kElmoPlaces);
  description.bilm = json["bilm"].text();
  if (const JsonNode name = json["bilm_name"]; name.is_there()) description.bilm_name = name.text();
  if (const JsonNode tokenizer = json["tokenizer"]; tokenizer.is_there()) {
    description.tokenizer = read_tokenizer_json(tokenizer);
  }
  options.bilm.layers = json["bilm_layers"].whole(0, kMaxTaskLayers);
  options.bilm.projection = json["bilm_projection"].whole(0, kMaxTaskColumns);
  options.mix = parse_mix(json.root(), options.bilm.layers);
  options.word_columns = json["word_columns"].whole(1, kMaxTaskColumns);
  // Older models have no such key; all of them were trained.
  if (json["train_words"].is_there()) options.train_words = json["train_words"].flag();
  options.character_columns = json["character_columns"].whole(1, kMaxTaskColumns);
  options.character_filters = json["character_filters"].whole(0, kMaxTaskColumns);
  options.character_width = json["character_width"].whole(1, kMaxTaskLayers);
  options.layers = json["layers"].whole(1, kMaxTaskLayers);
  options.hidden = json["hidden"].whole(1, kMaxTaskColumns);
  options.dropout = json["dropout"].float_number(0.0F, 1.0F);
  description.labels = json["labels"].texts();
  if (description.labels.empty() && task_kind(options.kind).named_labels) {
    json["labels"].refuse("at least one label");
  }
  if (LabelSet(description.labels).size() != std::ssize(description.labels)) {
    json["labels"].refuse("each label once");
  }
  description.mixes = parse_mixes(json["mixes"], options);
  return description;
}

namespace {

namespace fs = std::filesystem;

constexpr const char* kDescriptionFile = "task.json";
constexpr const char* kWordsFile = "words.txt";
constexpr const char* kWeightsFile = "task.hdf5";
constexpr std::array kTaskFiles = {kDescriptionFile, kWordsFile, kWeightsFile};
constexpr const char* kSeedPrefix = "seed-";
constexpr const char* kParameters = "parameters";

std::string words_text(const WordVocabulary& words) {
  std::string text;
  for (const std::string& word : words.words()) text += word + '\n';
  return text;
}

// Checksums of the files that the weights belong to.
Provenance parts_of(std::string_view description, std::string_view words) {
  return {{kDescriptionFile, text_checksum(description)}, {kWordsFile, text_checksum(words)}};
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
  for (const char* name : {"input", "output"}) {
    const std::string prefix = std::string("elmo_") + name;
    for (const Parameter* parameter : model.parameters()) {
      if (parameter->name == prefix + "/w") {
        mixes[name].shares = scalar_mix_factors(parameter->values, 1.0F);
      } else if (parameter->name == prefix + "/gamma") {
        mixes[name].gamma = parameter->values[0];
      }
    }
  }
  std::vector<LearnedMix> learned;
  for (auto& [name, mix] : mixes) {
    mix.place = name;
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
  files.emplace_back(folder / kWeightsFile, Links::replaced);
  write_checkpoint_file(files.back().temporary_path(),
                        {0, 0, {}, parts_of(description_json, word_lines), "{}"}, arrays_of(model));
  files.emplace_back(folder / kWordsFile, Links::replaced).append(word_lines);
  files.emplace_back(folder / kDescriptionFile, Links::replaced).append(description_json);
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
  const Provenance parts = parts_of(description, words);
  // Ensures that all files belong to one model before allocating memory for it.
  const std::string difference =
      provenance_difference(read_checkpoint_head(file).provenance, parts);
  if (!difference.empty()) {
    throw InputError(folder.string() +
                     ": its files belong to different models or are damaged: the checksum of " +
                     difference);
  }
  LoadedTask task;
  task.description = parse_description(description, (folder / kDescriptionFile).string());
  task.words = parse_words(words);
  task.model = task_kind(task.description.options.kind)
                   .make(task.description.options, *task.words, task.description.labels);
  read_checkpoint_file(file, parts, arrays_of(*task.model));
  return task;
}

void check_task_folder(const fs::path& folder, RunMode mode) {
  if (mode == RunMode::resume && holds_task(folder)) require_checkpoint(folder);
  const bool run = is_there(folder / kMetricsFile) || is_there(folder / kDescriptionFile);
  if (mode == RunMode::create && run) {
    throw RequestError(folder.string() + " holds a run already", Remedy::resume_or_replace);
  }
}

void remove_task(const fs::path& folder) {
  finish_replacement(folder, nullptr, kTaskFiles);
  for (const char* name : {kDescriptionFile, kWordsFile, kWeightsFile, kCurvesFile, kMetricsFile}) {
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

}  // namespace elmo
