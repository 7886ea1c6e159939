// Models that are installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/model/folder/language.h"
#include "io/model/folder/location.h"

namespace elmo {

/// The model that is used if none is named.
inline constexpr const char* kDefaultModel = "elmo-tiny-en";

/// Returns the folder of the installed model `name`, from the first of these folders that has one:
/// the one named by the environment variable ELMO_MODEL_PATH, or, if that is not set,
/// ../share/elmo/models relative to the executable's folder (an installation) and share/elmo/models
/// (a build). Nothing if there is none, or if `name` is a path.
std::optional<std::filesystem::path> installed_model(const std::string& name);

struct InstalledModel {
  std::string name;
  std::filesystem::path folder;
  std::optional<LanguageDescription> language;  ///< if the model has a language.json
};

/// Returns all installed models, sorted by name; folders without a model are skipped. InputError
/// for an invalid language.json; SystemError if a folder cannot be listed.
std::vector<InstalledModel> installed_models();

/// Returns the location of the default model, or nothing if it is not installed. Errors as
/// locate_model.
std::optional<ModelLocation> default_model();

}  // namespace elmo
