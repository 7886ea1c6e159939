#include "io/tasks/task_description.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/token_vectors.h"
#include "core/text.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/model/replacement.h"
#include "io/model/tokenizer.h"

namespace elmo {
namespace {

constexpr const char* kTaskFormat = "elmo task";
constexpr int kTaskVersion = 1;

// Larger than in any model, so that a damaged file cannot request all memory.
constexpr std::int64_t kMaxTaskColumns = 65536;
constexpr std::int64_t kMaxTaskLayers = 64;

// Layer weights are float32 and sum to 1 up to rounding.
constexpr double kShareError = 1e-3;

/// The word of the kind, or the number of a layer.
std::string mix_name(const MixOptions& mix) {
  return mix.kind == MixKind::layer ? std::to_string(mix.layer)
                                    : std::string(kMixKinds.word(mix.kind));
}

const LabeledKind* parse_kind(const JsonNode& node, std::span<const LabeledKind> kinds) {
  if (const LabeledKind* kind = labeled_kind(node.text(), kinds)) return kind;
  const auto name = [](const LabeledKind& kind) { return std::string(kind.task.name); };
  node.refuse("one of " + joined(kinds, ", ", name));
}

MixOptions parse_mix(const JsonNode& json, std::int64_t layers) {
  MixOptions mix;
  const std::string& name = json["mix"].text();
  if (const auto kind = kMixKinds.find(name)) {
    mix.kind = *kind;
  } else {
    mix.kind = MixKind::layer;
    while (mix.layer <= layers && name != std::to_string(mix.layer)) ++mix.layer;
    if (mix.layer > layers) json["mix"].refuse("all, top, average, concat or a layer's number");
  }
  mix.lambda = json["lambda"].float_number(0.0F);
  mix.dropout = json["elmo_dropout"].float_number(0.0F, 1.0F);
  mix.layer_norm = json["layer_norm"].flag();
  return mix;
}

/// Parses the mixes of exactly the places that have one.
std::vector<LearnedMix> parse_mixes(const JsonNode& json, const TaskOptions& options) {
  std::vector<LearnedMix> mixes;
  for (const ElmoPlace place : mix_places(options)) {
    const std::string name(kElmoPlaces.word(place));
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
  if (json.members().size() != mixes.size()) {
    json.refuse("a mixture for each place that \"elmo\" and \"mix\" name");
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
               {"kind", description.kind->task.name},
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

TaskDescription parse_description(std::string_view text, const std::string& file,
                                  std::span<const LabeledKind> kinds) {
  const JsonDocument json(text, file, "a task's settings");
  if (json["format"].text() != kTaskFormat) {
    json["format"].refuse(std::string("\"") + kTaskFormat + "\"");
  }
  json["version"].whole(kTaskVersion, kTaskVersion);
  TaskDescription description;
  TaskOptions& options = description.options;
  description.kind = parse_kind(json["kind"], kinds);
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
  if (description.labels.empty() && description.kind->task.named_labels) {
    json["labels"].refuse("at least one label");
  }
  if (LabelSet(description.labels).size() != std::ssize(description.labels)) {
    json["labels"].refuse("each label once");
  }
  description.mixes = parse_mixes(json["mixes"], options);
  return description;
}

TaskFiles::TaskFiles(std::filesystem::path folder)
    : folder_(std::move(folder)), moved_(interrupted_replacement(folder_, kAll)) {}

std::filesystem::path TaskFiles::path(const char* name) const {
  if (moved_ && moved_->contains(name)) return folder_ / moved_->at(name);
  return folder_ / name;
}

std::string TaskFiles::read(const char* name) const {
  std::optional<std::string> text = read_file_if_there(path(name));
  if (!text) {
    throw InputError(folder_.string() + lack_of(folder_, name) +
                     "; expected the folder of a trained task model; if its training has not "
                     "ended, continue it with task train " +
                     Setting{"resume"});
  }
  return *std::move(text);
}

bool holds_task(const std::filesystem::path& folder) {
  return is_there(TaskFiles(folder).path(TaskFiles::kDescription));
}

TaskDescription read_task_description(const std::filesystem::path& folder,
                                      std::span<const LabeledKind> kinds) {
  return parse_description(TaskFiles(folder).read(TaskFiles::kDescription),
                           (folder / TaskFiles::kDescription).string(), kinds);
}

}  // namespace elmo
