// Models that come with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/model/folder/language.h"
#include "io/model/folder/location.h"

namespace elmo {

/// What is computed with where no model is named.
inline constexpr const char* kDefaultModel = "elmo-tiny-en";

/// The folder of the installed model of that name, in the first of these folders that has one: that
/// which the environment variable ELMO_MODEL_PATH names, or, where it is not set, the one of the
/// installation beside the executable's, ../share/elmo/models, and of the build,
/// share/elmo/models. Nothing where there is none, or the name is a path.
std::optional<std::filesystem::path> installed_model(const std::string& name);

struct InstalledModel {
  std::string name;
  std::filesystem::path folder;
  std::optional<LanguageDescription> language;  ///< where it says
};

/// All installed models, by name. A folder without a model is none. InputError where one says
/// nothing sensible of its language; SystemError where a folder cannot be listed.
std::vector<InstalledModel> installed_models();

/// Where the default model is; nothing where it is not installed. Errors as locate_model.
std::optional<ModelLocation> default_model();

}  // namespace elmo
