// Models as users name them, opened in one way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "core/model/options.h"
#include "io/model/location.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// The name that selects the installed model that fits the text; see
/// io/engine/embed/model_choice.h.
inline constexpr const char* kAutoModel = "auto";

/// The model to compute with.
struct ModelSpec {
  /// A folder, an archive, the name of an installed model or kAutoModel; empty if `options` and
  /// `weights` are given, or for the default model.
  std::string model;
  std::string options{};
  std::string weights{};
  std::string vocabulary{};  ///< empty: the one beside the weights, if any
};

/// Returns the folder of the installed model of that name, unless the path `model` is a model, too;
/// otherwise `model`. Errors: as locate_model if a model of that name is installed.
std::filesystem::path model_path(const std::string& model);

/// Returns the files of a model, or of the default one. RequestError if none is named and the
/// default model is not installed, and for kAutoModel, which must first be replaced by the chosen
/// model. InputError as for a path.
ModelLocation locate_model(const ModelSpec& spec);

/// A model that was found and read.
struct OpenedModel {
  ModelLocation location;
  LoadedModel loaded;           ///< packed() takes its parameters
  TokenizerSettings tokenizer;  ///< tokenizer for raw text that the model reads
  std::filesystem::path path;   ///< folder or archive; empty if files were named one by one
  std::string installed;        ///< the installed model's name; empty if files were named

  /// Returns the model for computing. Call it once: the parameters move. Errors: as Bilm.
  Bilm packed(Precision precision) { return pack(loaded, precision); }
};

/// Finds and reads a model, and chooses its tokenizer. Errors: as locate_model, choose_tokenizer
/// and load_model; RequestError for a vocabulary with a model of characters, which reads none.
OpenedModel open_model(const ModelSpec& spec, const TokenizerRequest& tokenizer = {});

/// Throws RequestError if training cannot begin from the model `model` at `location`.
void require_trainable(const std::string& model, const ModelLocation& location);

/// Returns the files of a model, for require_other_file().
std::vector<std::string> files_of(const ModelLocation& location);

/// The architecture of a new model.
struct ArchitectureSpec {
  std::string preset;
  std::string options;  ///< file; empty if `preset` is given
};

/// Returns the model options of an architecture. n_tokens_vocab is 0 if the file of a word-level
/// model lacks it. RequestError if neither a preset nor a file is named; other errors as
/// read_options.
ModelOptions model_options(const ArchitectureSpec& spec);

}  // namespace elmo
