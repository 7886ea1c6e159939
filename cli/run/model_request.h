// Which model a command computes with.
#pragma once

#include <filesystem>
#include <string>

#include "io/model/folder/location.h"
#include "io/model/model.h"

namespace elmo {

/// The name that stands for the installed model that fits the text; see model_choice.h.
inline constexpr const char* kAutoModel = "auto";

struct ModelRequest {
  /// A folder, an archive, the name of an installed model or kAutoModel; empty where `options` and
  /// `weights` are given, or the default model is meant.
  std::string model;
  std::string options;
  std::string weights;
  std::string vocabulary;  ///< empty: the one that lies beside the weights, if any
};

/// The path `model` where it exists, otherwise the installed model of that name.
std::filesystem::path model_path(const std::string& model);

/// The name of the installed model that is requested; empty where files are named.
std::string installed_name(const ModelRequest& request);

/// The files of the requested model, or of the default one. RequestError where none is named and
/// the default model is not installed, and for kAutoModel, which has to be replaced by the model it
/// stands for first; InputError as locate_model.
ModelLocation locate_model(const ModelRequest& request);

/// Reads the requested model. Errors: as locate_model and load_model; RequestError where a
/// vocabulary is given to a model of characters, which reads none.
LoadedModel load_model(const ModelRequest& request);

/// That RequestError alone.
void check_vocabulary(const ModelRequest& request, const ModelOptions& model);

/// RequestError where training cannot begin from the model `model` at that location.
void require_trainable(const std::string& model, const ModelLocation& location);

}  // namespace elmo
