// Loads complete models from files, and finds those that are installed with the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/kernels/precision.h"
#include "core/model/bilm.h"
#include "core/model/characters.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/location.h"
#include "io/model/options.h"
#include "io/model/tokenizer.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// Returns 32 hexadecimal digits that identify what a model computes: XXH3-128 over its options,
/// the names, shapes and values of its parameters, its words and its characters. Does not depend on
/// the format of its files.
std::string model_fingerprint(const ModelOptions& options, const StoredParameters& parameters,
                              const Vocabulary* vocabulary,
                              const CharDictionary* characters = nullptr);

/// A model as loaded from its files.
struct LoadedModel {
  ModelOptions options;
  StoredParameters parameters;
  Lexicon lexicon;                   ///< has words if the location has a vocabulary
  std::string fingerprint;           ///< see model_fingerprint
  std::vector<std::string> remarks;  ///< inferred settings, and peculiarities of the files
  /// Training text's tokenizer, if known.
  std::optional<TokenizerDescription> tokenizer = std::nullopt;
  std::optional<LanguageDescription> language = std::nullopt;  ///< if known
  std::string name = {};  ///< the name the user gave; load_model leaves it empty
};

/// Loads a model of either family. Memory is bounded by the size of its files, whatever they claim.
/// InputError naming the file and the option or dataset, what was found and what was expected;
/// SystemError if a file cannot be opened.
LoadedModel load_model(const ModelLocation& location);

/// Returns the model for computing. Takes the parameters and the words out of `model`. Errors: as
/// Bilm.
Bilm pack(LoadedModel& model, Precision precision);

/// Reads an options.json by itself. Errors as load_model.
ParsedOptions read_options(const ModelFile& file);

/// Name of the model that is used by default.
inline constexpr const char* kDefaultModel = "elmo-tiny-en";

/// Returns the folder of the installed model `name`, from the first of these folders that has one:
/// the one named by the environment variable ELMO_MODEL_PATH, or, if that is not set, relative to
/// the folder of the executable or of the shared library that this is a part of, share/elmo/models
/// of an installation, of a build and of a portable archive. Returns nothing if no folder has it,
/// or if `name` is a path.
std::optional<std::filesystem::path> installed_model(const std::string& name);

/// A model that can be requested by its name.
struct InstalledModel {
  std::string name;
  std::filesystem::path folder;
  std::optional<LanguageDescription> language;  ///< if the model has a language.json
};

/// Returns all installed models, sorted by name; folders without a readable model are skipped.
/// SystemError if the folder of models cannot be listed.
std::vector<InstalledModel> installed_models();

}  // namespace elmo
