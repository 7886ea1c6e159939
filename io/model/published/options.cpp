#include "io/model/published/options.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "core/error.h"
#include "core/model/parameters.h"

namespace elmo {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxDepth = 32;
constexpr std::int64_t kDefaultMaxCharacters = 50;  // every published model
constexpr double kMaxExactInteger = 0x1p53;

/// A value as JSON, short enough for a message.
std::string quoted(const Json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_object()) return "an object";
  if (value.is_array() && value.size() > 8) {
    return "an array of " + std::to_string(value.size()) + " elements";
  }
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
  return text;
}

/// One object of the file, and where it is, for messages.
class Section {
 public:
  Section(const Json& object, std::string file, std::string path)
      : object_(object), file_(std::move(file)), path_(std::move(path)) {}

  /// The value of a key; nothing where it is absent or null.
  const Json* find(const std::string& key) const {
    const auto place = object_.find(key);
    return place == object_.end() || place->is_null() ? nullptr : &*place;
  }

  Section object(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr || !value->is_object()) refuse(key, value, "an object");
    return Section(*value, file_, path_ + key + ".");
  }

  std::int64_t integer(const std::string& key) const {
    const Json* value = find(key);
    const std::optional<std::int64_t> number = value ? whole_number(*value) : std::nullopt;
    if (!number) refuse(key, value, "a whole number");
    return *number;
  }

  std::optional<std::int64_t> optional_integer(const std::string& key) const {
    if (find(key) == nullptr) return std::nullopt;
    return integer(key);
  }

  std::optional<float> optional_float(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse(key, value, "a number, or null for none");
    return static_cast<float>(value->get<double>());
  }

  bool optional_flag(const std::string& key) const {
    const Json* value = find(key);
    if (value == nullptr) return false;
    if (value->is_boolean()) return value->get<bool>();
    const std::optional<std::int64_t> number = whole_number(*value);
    if (!number || (*number != 0 && *number != 1)) refuse(key, value, "true or false");
    return *number == 1;
  }

  Activation activation(const std::string& key) const {
    const Json* value = find(key);
    if (value != nullptr && *value == "relu") return Activation::relu;
    if (value != nullptr && *value == "tanh") return Activation::tanh;
    refuse(key, value, "\"relu\" or \"tanh\"");
  }

  std::vector<CharFilter> filters(const std::string& key) const {
    const std::string expected = "an array of pairs [width, count] of whole numbers";
    const Json* value = find(key);
    if (value == nullptr || !value->is_array()) refuse(key, value, expected);
    std::vector<CharFilter> filters;
    for (std::size_t i = 0; i < value->size(); ++i) {
      const Json& pair = (*value)[i];
      const bool is_pair = pair.is_array() && pair.size() == 2;
      const auto width = is_pair ? whole_number(pair[0]) : std::nullopt;
      const auto count = is_pair ? whole_number(pair[1]) : std::nullopt;
      if (!width || !count) {
        refuse(key + "[" + std::to_string(i) + "]", &pair, "[width, count] in whole numbers");
      }
      filters.push_back({*width, *count});
    }
    return filters;
  }

  /// Throws. `found`: nothing where the key is absent or null.
  [[noreturn]] void refuse(const std::string& key, const Json* found,
                           const std::string& expected) const {
    throw InputError(file_ + ": " + path_ + key + " is " + (found ? quoted(*found) : "missing") +
                     "; expected " + expected);
  }

 private:
  static std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63U != 0) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const double number = value.get<double>();
    if (std::trunc(number) != number || std::abs(number) > kMaxExactInteger) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }

  const Json& object_;
  std::string file_;
  std::string path_;
};

Json parse_json(std::string_view text, const std::string& name) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto inspect = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) {
      throw InputError(name + ": nests deeper than " + std::to_string(kMaxDepth) +
                       " levels; expected the options of a model");
    }
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InputError(name + ": the key " + quoted(value) + " is there twice; expected it once");
    }
    return true;
  };
  try {
    return Json::parse(text, inspect);
  } catch (const Json::exception& error) {
    throw InputError(name + ": is not JSON (" + error.what() +
                     "); expected the options.json of a model");
  }
}

CharCnnOptions parse_char_cnn(const Section& section, std::vector<std::string>& remarks) {
  CharCnnOptions options;
  options.embedding_dim = section.object("embedding").integer("dim");
  options.filters = section.filters("filters");
  options.n_highway = section.optional_integer("n_highway").value_or(0);
  if (options.n_highway == 0) remarks.emplace_back("no highway layers");
  options.activation = section.activation("activation");
  const auto max_characters = section.optional_integer("max_characters_per_token");
  if (!max_characters) {
    remarks.push_back("max_characters_per_token is not said; taken as " +
                      std::to_string(kDefaultMaxCharacters));
  }
  options.max_characters_per_token = max_characters.value_or(kDefaultMaxCharacters);
  const std::int64_t characters = section.optional_integer("n_characters").value_or(kCharacterIds);
  if (characters != kCharacterIds && characters != kCharacterIds + 1) {
    section.refuse("n_characters", section.find("n_characters"),
                   "261, or 262 with the row of the mask");
  }
  return options;
}

/// What readers of published files add to the forget gate's bias: TensorFlow's LSTMCell does.
constexpr float kForgetOffset = 1.0F;

LstmOptions parse_lstm(const Section& section, std::vector<std::string>& remarks) {
  LstmOptions options;
  options.dim = section.integer("dim");
  options.projection_dim = section.integer("projection_dim");
  const auto layers = section.optional_integer("n_layers");
  if (!layers) remarks.emplace_back("n_layers is not said; taken as 1");
  options.n_layers = layers.value_or(1);
  options.cell_clip = section.optional_float("cell_clip");
  if (!options.cell_clip) remarks.emplace_back("no cell_clip");
  options.proj_clip = section.optional_float("proj_clip");
  if (!options.proj_clip) remarks.emplace_back("no proj_clip");
  options.forget_offset = kForgetOffset;
  options.use_skip_connections = section.optional_flag("use_skip_connections");
  if (!options.use_skip_connections) remarks.emplace_back("no skip connections");
  return options;
}

/// A number as people write it: 3 rather than 3.0.
Json json_number(const std::optional<float>& value) {
  if (!value) return nullptr;
  if (std::trunc(*value) == *value && std::abs(*value) < 1e6F) {
    return static_cast<std::int64_t>(*value);
  }
  return static_cast<double>(*value);
}

}  // namespace

ParsedOptions parse_options(std::string_view text, const std::string& name) {
  if (text.size() > kMaxOptionsBytes) {
    throw InputError(name + ": has " + std::to_string(text.size()) + " bytes; expected at most " +
                     std::to_string(kMaxOptionsBytes));
  }
  const Json json = parse_json(text, name);
  if (!json.is_object()) {
    throw InputError(name + ": holds " + quoted(json) + "; expected an object with the key lstm");
  }
  const Section root(json, name, "");
  ParsedOptions parsed;
  ModelOptions& options = parsed.options;
  options.lstm = parse_lstm(root.object("lstm"), parsed.remarks);
  bool says_vocabulary = true;
  if (root.find("char_cnn") != nullptr) {
    options.char_cnn = parse_char_cnn(root.object("char_cnn"), parsed.remarks);
  } else {
    parsed.remarks.emplace_back("no char_cnn: a word-level model");
    const auto words = root.optional_integer("n_tokens_vocab");
    says_vocabulary = words.has_value();
    options.n_tokens_vocab = words.value_or(1);
  }
  try {
    validate(options);
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
  if (!says_vocabulary) options.n_tokens_vocab = 0;
  return parsed;
}

std::string options_text(const ModelOptions& options) {
  if (options.lstm.forget_offset != kForgetOffset) {
    throw std::logic_error("published files have no place for another forget_offset than 1");
  }
  Json json;
  json["lstm"] = {{"use_skip_connections", options.lstm.use_skip_connections},
                  {"projection_dim", options.lstm.projection_dim},
                  {"cell_clip", json_number(options.lstm.cell_clip)},
                  {"proj_clip", json_number(options.lstm.proj_clip)},
                  {"dim", options.lstm.dim},
                  {"n_layers", options.lstm.n_layers}};
  if (options.char_cnn) {
    const CharCnnOptions& cnn = *options.char_cnn;
    Json filters = Json::array();
    for (const auto& [width, count] : cnn.filters) filters.push_back({width, count});
    json["char_cnn"] = {{"activation", cnn.activation == Activation::relu ? "relu" : "tanh"},
                        {"filters", filters},
                        {"n_highway", cnn.n_highway},
                        {"embedding", {{"dim", cnn.embedding_dim}}},
                        // Published files hold 261 rows and say 262: their readers add the mask's.
                        {"n_characters", kCharacterIds + 1},
                        {"max_characters_per_token", cnn.max_characters_per_token}};
  } else {
    json["n_tokens_vocab"] = options.n_tokens_vocab == 0 ? Json() : Json(options.n_tokens_vocab);
  }
  return json.dump();
}

}  // namespace elmo
