#include "io/labelled/task/task_description.h"

#include <cmath>
#include <limits>
#include <optional>

#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/json/json.h"
#include "io/json/json_depth.h"
#include "io/json/shown_json.h"

namespace elmo {

namespace {

constexpr const char* kTaskFormat = "elmo task";
constexpr int kTaskVersion = 1;

// Past any model: what a file asks for must not take all memory.
constexpr std::int64_t kMostColumns = 65536;
constexpr std::int64_t kMostLayers = 64;

/// The object of a file, for messages.
class Fields {
 public:
  Fields(const Json& object, std::string file) : object_(object), file_(std::move(file)) {
    if (!object_.is_object()) throw InputError(file_ + ": expected a JSON object");
  }

  std::string text(const char* key) const {
    const Json& value = find(key, "a string");
    if (!value.is_string()) refuse(key, value, "a string");
    return value.get<std::string>();
  }
  std::int64_t whole(const char* key, std::int64_t least, std::int64_t most) const {
    const std::string expected =
        "a whole number of " + std::to_string(least) + " to " + std::to_string(most);
    const Json& value = find(key, expected);
    const bool fits = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most) &&
                      value.get<std::int64_t>() >= least;
    if (!fits) refuse(key, value, expected);
    return value.get<std::int64_t>();
  }
  float number(const char* key, float least, float most) const {
    const Json& value = find(key, "a number");
    const bool fits =
        value.is_number() && value.get<double>() >= least && value.get<double>() <= most;
    if (!fits) refuse(key, value, "a number within its range");
    return value.get<float>();
  }
  bool flag(const char* key) const {
    const Json& value = find(key, "true or false");
    if (!value.is_boolean()) refuse(key, value, "true or false");
    return value.get<bool>();
  }
  std::vector<std::string> texts(const char* key) const {
    const Json& value = find(key, "an array of strings");
    std::vector<std::string> texts;
    if (!value.is_array()) refuse(key, value, "an array of strings");
    for (const Json& element : value) {
      if (!element.is_string()) refuse(key, element, "strings");
      texts.push_back(element.get<std::string>());
    }
    return texts;
  }
  template <typename Value, std::size_t size>
  Value choice(const char* key, const EnumTable<Value, size>& table) const {
    const std::optional<Value> value = table.find(text(key));
    if (!value) refuse(key, object_.at(key), "one of " + table.words());
    return *value;
  }
  const Json& find(const char* key, const std::string& expected) const {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      throw InputError(file_ + ": " + key + " is missing; expected " + expected);
    }
    return *found;
  }
  [[noreturn]] void refuse(const char* key, const Json& found, const std::string& expected) const {
    throw InputError(file_ + ": " + key + " is " + shown_json(found) + "; expected " + expected);
  }

 private:
  const Json& object_;
  std::string file_;
};

/// "all", "top", "average" or the number of a layer.
std::string mix_name(const MixOptions& mix) {
  return mix.kind == MixKind::layer ? std::to_string(mix.layer)
                                    : std::string(kMixKinds.word(mix.kind));
}

TaskKind parse_kind(const Fields& fields) {
  const std::string name = fields.text("kind");
  if (const TaskKindEntry* kind = task_kind(name)) return kind->kind;
  std::string all;
  for (const TaskKindEntry& kind : task_kinds()) {
    all.append(all.empty() ? "" : ", ").append(kind.name);
  }
  fields.refuse("kind", name, "one of " + all);
}

MixOptions parse_mix(const Fields& fields, std::int64_t layers) {
  MixOptions mix;
  const std::string kind = fields.text("mix");
  if (const auto known = kMixKinds.find(kind)) {
    mix.kind = *known;
  } else {
    mix.kind = MixKind::layer;
    mix.layer = -1;
    for (std::int64_t layer = 0; layer <= layers; ++layer) {
      if (kind == std::to_string(layer)) mix.layer = layer;
    }
    if (mix.layer < 0) fields.refuse("mix", kind, "all, top, average or a layer's number");
  }
  mix.lambda = fields.number("lambda", 0.0F, std::numeric_limits<float>::max());
  mix.dropout = fields.number("elmo_dropout", 0.0F, 1.0F);
  mix.layer_norm = fields.flag("layer_norm");
  return mix;
}

std::vector<LearnedMix> parse_mixes(const Fields& fields, const std::string& file) {
  std::vector<LearnedMix> mixes;
  for (const auto& [place, value] : fields.find("mixes", "an object").items()) {
    LearnedMix mix;
    mix.place = place;
    const Fields parts(value, file);
    for (const Json& share : parts.find("shares", "an array of numbers")) {
      if (!share.is_number()) parts.refuse("shares", share, "numbers");
      mix.shares.push_back(share.get<float>());
    }
    mix.gamma = parts.number("gamma", std::numeric_limits<float>::lowest(),
                             std::numeric_limits<float>::max());
    mixes.push_back(std::move(mix));
  }
  return mixes;
}

}  // namespace

std::string description_text(const TaskDescription& description) {
  const TaskOptions& options = description.options;
  Json mixes = Json::object();
  for (const LearnedMix& mix : description.mixes) {
    mixes[mix.place] = {{"shares", mix.shares}, {"gamma", mix.gamma}};
  }
  const Json json = {{"format", kTaskFormat},
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
                     {"character_columns", options.character_columns},
                     {"character_filters", options.character_filters},
                     {"character_width", options.character_width},
                     {"layers", options.layers},
                     {"hidden", options.hidden},
                     {"dropout", options.dropout},
                     {"labels", description.labels},
                     {"mixes", mixes}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

TaskDescription parse_description(std::string_view text, const std::string& file) {
  if (nests_deeply(text)) throw InputError(file + ": nests too deeply; expected a task's settings");
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError(file + ": expected JSON; " + error.what());
  }
  const Fields fields(json, file);
  const std::string format = fields.text("format");
  if (format != kTaskFormat)
    fields.refuse("format", format, std::string("\"") + kTaskFormat + "\"");
  fields.whole("version", kTaskVersion, kTaskVersion);
  TaskDescription description;
  TaskOptions& options = description.options;
  options.kind = parse_kind(fields);
  options.elmo = fields.choice("elmo", kElmoPlaces);
  description.bilm = fields.text("bilm");
  options.bilm.layers = fields.whole("bilm_layers", 0, kMostLayers);
  options.bilm.projection = fields.whole("bilm_projection", 0, kMostColumns);
  options.mix = parse_mix(fields, options.bilm.layers);
  options.word_columns = fields.whole("word_columns", 1, kMostColumns);
  options.character_columns = fields.whole("character_columns", 1, kMostColumns);
  options.character_filters = fields.whole("character_filters", 0, kMostColumns);
  options.character_width = fields.whole("character_width", 1, kMostLayers);
  options.layers = fields.whole("layers", 1, kMostLayers);
  options.hidden = fields.whole("hidden", 1, kMostColumns);
  options.dropout = fields.number("dropout", 0.0F, 1.0F);
  description.labels = fields.texts("labels");
  if (description.labels.empty()) fields.refuse("labels", Json::array(), "labels");
  description.mixes = parse_mixes(fields, file);
  return description;
}

}  // namespace elmo
