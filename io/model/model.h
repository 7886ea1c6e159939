// Loads complete models from files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/lexicon.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "io/model/folder/language.h"
#include "io/model/folder/location.h"
#include "io/model/published/options.h"
#include "io/text/formats/tokenizer_description.h"

namespace elmo {

/// A model as loaded from its files.
struct LoadedModel {
  ModelOptions options;
  StoredParameters parameters;
  Lexicon lexicon;                   ///< has words if the location has a vocabulary
  std::string fingerprint;           ///< see model_fingerprint
  std::vector<std::string> remarks;  ///< what was inferred, and peculiarities of the files
  std::optional<TokenizerDescription> tokenizer = std::nullopt;  ///< of its training text, if known
  std::optional<LanguageDescription> language = std::nullopt;    ///< if known
  std::string name = {};  ///< the name the user gave; load_model leaves it empty
};

/// Loads a model of either family. Memory is bounded by the size of its files, whatever they claim.
/// InputError naming the file and the option or dataset, what was found and what was expected;
/// SystemError if a file cannot be opened.
LoadedModel load_model(const ModelLocation& location);

/// Returns the language of a model, if its location has one, without reading its other files.
/// Errors as load_model.
std::optional<LanguageDescription> read_language(const ModelLocation& location);

/// Returns the tokenizer of a model's training text in the same way.
std::optional<TokenizerDescription> read_tokenizer(const ModelLocation& location);

/// Reads an options.json by itself. Errors as load_model.
ParsedOptions read_options(const std::filesystem::path& path);

/// Facts about a model for its users.
struct ModelSummary {
  ModelOptions options;
  std::string fingerprint;
  std::vector<std::string> remarks;     ///< as in LoadedModel
  std::uint64_t parameters = 0;         ///< number of values
  std::uint64_t bytes = 0;              ///< size of the parameters in float32
  double lstm_flop_per_token = 0.0;     ///< see core/model/cost.h
  double encoder_flop_per_token = 0.0;  ///< per distinct token
};

ModelSummary describe_model(const LoadedModel& model);

}  // namespace elmo
