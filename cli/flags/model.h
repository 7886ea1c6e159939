// The options that say which model to compute with.
#pragma once

#include <filesystem>
#include <string>

#include "io/model/location.h"
#include "io/model/model.h"

namespace CLI {
class App;
}

namespace elmo {

/// What --model says where the text is to choose among the installed models.
inline constexpr const char* kAutoModel = "auto";

struct ModelFlags {
  /// A folder, an archive, the name of an installed model or kAutoModel; empty where `options` and
  /// `weights` are given, or the default model is meant.
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
/// and the default model is not installed, and for kAutoModel, which is to be replaced by what it
/// stands for first; InputError as locate_model.
ModelLocation locate_model(const ModelFlags& flags);

/// Reads the model that `flags` name. Errors: as locate_model and load_model; RequestError where a
/// vocabulary is given to a model of characters, which reads none.
LoadedModel load_model(const ModelFlags& flags);

/// That RequestError alone.
void check_vocabulary(const ModelFlags& flags, const ModelOptions& model);

/// RequestError where training cannot begin from the model `model` at that location.
void require_trainable(const std::string& model, const ModelLocation& location);

}  // namespace elmo
