// The model that a command computes with.
#pragma once

#include <filesystem>
#include <string>

#include "io/model/location.h"
#include "io/model/model.h"

namespace elmo {

/// The name that selects the installed model that fits the text; see cli/embed/run.h.
inline constexpr const char* kAutoModel = "auto";

struct ModelRequest {
  /// A folder, an archive, the name of an installed model or kAutoModel; empty if `options` and
  /// `weights` are given, or for the default model.
  std::string model;
  std::string options;
  std::string weights;
  std::string vocabulary;  ///< empty: the one beside the weights, if any
};

/// Returns the path `model` if it exists, otherwise the folder of the installed model of that name;
/// `model` if there is none.
std::filesystem::path model_path(const std::string& model);

/// Returns the name of the requested installed model; empty if files are named.
std::string installed_name(const ModelRequest& request);

/// Returns the files of the requested model, or of the default one. RequestError if none is named
/// and the default model is not installed, and for kAutoModel, which must first be replaced by the
/// chosen model. InputError as locate_model.
ModelLocation locate_model(const ModelRequest& request);

/// Reads the requested model. Errors: as locate_model, load_model and check_vocabulary.
LoadedModel load_model(const ModelRequest& request);

/// Throws RequestError if a vocabulary is given for a model of characters, which reads none.
void check_vocabulary(const ModelRequest& request, const ModelOptions& model);

/// Throws RequestError if training cannot begin from the model `model` at `location`.
void require_trainable(const std::string& model, const ModelLocation& location);

}  // namespace elmo
