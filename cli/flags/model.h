// The options that say which model to compute with.
#pragma once

#include <filesystem>
#include <string>

#include "io/model/location.h"

namespace CLI {
class App;
}

namespace elmo {

struct ModelFlags {
  /// A folder, an archive or the name of an installed model; empty where `options` and `weights`
  /// are given, or the default model is meant.
  std::string model;
  std::string options;
  std::string weights;
  std::string vocabulary;  ///< empty: the one that lies beside the weights, if any
};

/// Registers the options of a model; `flags` has to outlive `app`'s parsing.
void add_model_flags(CLI::App* app, ModelFlags& flags);

/// What --model names: that path where it is there, or else the installed model of that name.
std::filesystem::path model_path(const std::string& model);

/// The files that `flags` name, or those of the default model. RequestError where they name none
/// and the default model is not installed; InputError as locate_model.
ModelLocation locate_model(const ModelFlags& flags);

}  // namespace elmo
