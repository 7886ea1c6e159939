// Descriptions of models, shards and runs, as text and JSON.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/json/json.h"

namespace elmo {

/// Facts in the order of both forms.
class Description {
 public:
  /// Adds a fact for people only, or for the JSON only.
  void line(std::string name, std::string text) {
    lines_.emplace_back(std::move(name), std::move(text));
  }
  void member(std::string_view key, Json value) { json_[key] = std::move(value); }

  /// Adds a fact whose text and JSON differ, or which is a text in both.
  void fact(std::string name, std::string text, std::string_view key, Json value) {
    line(std::move(name), std::move(text));
    member(key, std::move(value));
  }
  void fact(std::string name, std::string text) {
    member(name, text);
    line(std::move(name), std::move(text));
  }

  /// Adds a problem of the described thing.
  void problem(std::string text) { problems_.push_back(std::move(text)); }
  const std::vector<std::string>& problems() const { return problems_; }

  /// Returns the facts for people as a table, or all as a JSON document.
  std::string text() const;
  std::string json() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
  Json json_ = Json::object();
  std::vector<std::string> problems_;
};

/// Describes a model, task model, shard, index or run; without a name, this tool. `check`: also
/// checks a model. Errors: InputError if there is no such file, or if it is something else;
/// RequestError for a check of anything but a model; otherwise as inspect_model, read_manifest and
/// describe_shard.
Description describe(const std::string& name, bool check);

}  // namespace elmo
