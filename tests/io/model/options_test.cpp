#include "io/model/options.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/error.h"
#include "core/model/options.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

const char* const kPublished = R"({"lstm": {"use_skip_connections": true, "projection_dim": 512,
  "cell_clip": 3, "proj_clip": 3, "dim": 4096, "n_layers": 2}, "char_cnn": {"activation": "relu",
  "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]], "n_highway": 2,
  "embedding": {"dim": 16}, "n_characters": 262, "max_characters_per_token": 50}})";

/// Returns the published options with a change: a JSON merge patch (RFC 7386), in which null
/// removes a key.
std::string changed(const char* patch) {
  nlohmann::json json = nlohmann::json::parse(kPublished);
  json.merge_patch(nlohmann::json::parse(patch));
  return json.dump();
}

ModelOptions parsed(const std::string& text) { return parse_options(text, "o.json").options; }

std::string refusal_of_options(const std::string& text) {
  try {
    parse_options(text, "o.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("published options give the original model") {
  const ParsedOptions original = parse_options(kPublished, "o.json");
  CHECK(original.options == *preset("original"));
  CHECK(original.remarks.empty());
}

TEST_CASE("options survive being written and read") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    CHECK(parsed(options_text(model.options)) == model.options);
  }
  ModelOptions uneven = small_options();
  uneven.lstm.cell_clip = 0.1F;
  uneven.lstm.proj_clip = 1e30F;
  CHECK(parsed(options_text(uneven)) == uneven);
}

TEST_CASE("published models say 262 characters and write whole clips as whole numbers") {
  const auto json = nlohmann::json::parse(options_text(*preset("original")));
  CHECK(json == nlohmann::json::parse(kPublished));
}

TEST_CASE("absent and null options have the meaning that published models rely on") {
  for (const char* value : {"null", ""}) {
    CAPTURE(value);
    nlohmann::json json = nlohmann::json::parse(kPublished);
    const auto set = [&](const char* section, const char* key) {
      if (*value == '\0') {
        json[section].erase(key);
      } else {
        json[section][key] = nullptr;
      }
    };
    set("lstm", "cell_clip");
    set("lstm", "proj_clip");
    set("lstm", "use_skip_connections");
    set("lstm", "n_layers");
    set("char_cnn", "n_highway");
    set("char_cnn", "n_characters");
    set("char_cnn", "max_characters_per_token");
    const ParsedOptions found = parse_options(json.dump(), "o.json");
    ModelOptions expected = *preset("original");
    expected.lstm.cell_clip.reset();
    expected.lstm.proj_clip.reset();
    expected.lstm.use_skip_connections = false;
    expected.lstm.n_layers = 1;
    expected.char_cnn->n_highway = 0;
    CHECK(found.options == expected);
    CHECK(found.remarks.size() == 6);  // none about n_characters
  }
}

TEST_CASE("261 and 262 characters are the same model, and other numbers are refused") {
  CHECK(parsed(changed(R"({"char_cnn": {"n_characters": 261}})")) == *preset("original"));
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"n_characters": 60}})")) ==
        "o.json: char_cnn.n_characters is 60; expected 261, or 262 with the row of the mask");
}

TEST_CASE("equivalent options have the same meaning") {
  ModelOptions expected = *preset("original");
  CHECK(parsed(changed(R"({"bidirectional": true, "n_tokens_vocab": 793471, "dropout": 0.1,
      "lstm": {"dim": 4096.0, "cell_clip": 3.0, "use_skip_connections": 1}})")) == expected);
  expected.char_cnn->activation = Activation::tanh;
  CHECK(parsed(changed(R"({"char_cnn": {"activation": "tanh"}})")) == expected);
}

TEST_CASE("without char_cnn a model reads words") {
  ModelOptions expected = *preset("original");
  expected.char_cnn.reset();
  expected.n_tokens_vocab = 1000;
  CHECK(parsed(changed(R"({"char_cnn": null, "n_tokens_vocab": 1000})")) == expected);
  expected.n_tokens_vocab = 0;
  CHECK(parsed(changed(R"({"char_cnn": null})")) == expected);
  CHECK(refusal_of_options(changed(R"({"char_cnn": null, "n_tokens_vocab": 0})")) ==
        "o.json: n_tokens_vocab is 0; expected a whole number from 1 to 268435456");
}

TEST_CASE("missing and mistyped options are named, with the value found and the value expected") {
  CHECK(refusal_of_options("{}") == "o.json: lstm is missing; expected an object");
  CHECK(refusal_of_options(R"({"lstm": 3})") == "o.json: lstm is 3; expected an object");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": null}})")) ==
        "o.json: lstm.dim is missing; expected a whole number");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": "4096"}})")) ==
        "o.json: lstm.dim is \"4096\"; expected a whole number");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": 4096.5}})")) ==
        "o.json: lstm.dim is 4096.5; expected a whole number");
  CHECK(refusal_of_options(changed(R"({"lstm": {"cell_clip": "3"}})")) ==
        "o.json: lstm.cell_clip is \"3\"; expected a number");
  CHECK(refusal_of_options(changed(R"({"lstm": {"use_skip_connections": "yes"}})")) ==
        "o.json: lstm.use_skip_connections is \"yes\"; expected true or false");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"activation": "gelu"}})")) ==
        "o.json: char_cnn.activation is \"gelu\"; expected one of relu, tanh");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"embedding": 16}})")) ==
        "o.json: char_cnn.embedding is 16; expected an object");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"embedding": {"dim": []}}})")) ==
        "o.json: char_cnn.embedding.dim is []; expected a whole number");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"filters": {}}})")) ==
        "o.json: char_cnn.filters is an object; expected an array of pairs [width, count] of whole "
        "numbers");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"filters": [[1, 32], [2]]}})")) ==
        "o.json: char_cnn.filters[1] is [2]; expected [width, count] in whole numbers");
}

TEST_CASE("negative and huge sizes are refused") {
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": -1}})")).find("o.json: lstm.dim is -1;") ==
        0);
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": 1e15}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": 1e300}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": 9223372036854775807}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"dim": 18446744073709551615}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"n_layers": 1000000}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"cell_clip": -3}})")) != "");
  CHECK(refusal_of_options(changed(R"({"lstm": {"cell_clip": 1e300}})")) != "");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"filters": []}})")) != "");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"filters": [[51, 4]]}})")) != "");
  CHECK(refusal_of_options(changed(R"({"char_cnn": {"filters": [[1, 1e9]]}})")) != "");
}

TEST_CASE("text that is not options.json is refused") {
  CHECK(refusal_of_options("") != "");
  CHECK(refusal_of_options("[]") == "o.json: holds []; expected an object with the key lstm");
  CHECK(refusal_of_options("\x89HDF\r\n\x1a\n") != "");
  CHECK(refusal_of_options(std::string(kPublished) + "}") != "");
  CHECK(refusal_of_options(std::string(kPublished).substr(0, 100)) != "");
  CHECK(refusal_of_options(std::string(1000000, '[')).find("nests deeper") != std::string::npos);
  CHECK(refusal_of_options(std::string(kMaxOptionsBytes + 1, ' ')).find("1048577 bytes") !=
        std::string::npos);
}

TEST_CASE("the forget gate's offset is that of published files, and no other can be written") {
  ModelOptions options = parse_options(kPublished, "o.json").options;
  CHECK(options.lstm.forget_offset == 1.0F);
  options.lstm.forget_offset = 0.0F;
  CHECK_THROWS_AS(options_text(options), std::logic_error);
}

TEST_CASE("a duplicate key is refused as ambiguous") {
  CHECK(refusal_of_options(R"({"lstm": {"dim": 1, "n_layers": 1, "dim": 2}})") ==
        "o.json: the key \"dim\" is there twice; expected an object with the key lstm");
  CHECK(refusal_of_options(R"({"a": {"x": 1}, "b": {"x": 1}, "lstm": 1})") ==
        "o.json: lstm is 1; expected an object");
}

}  // namespace
}  // namespace elmo
