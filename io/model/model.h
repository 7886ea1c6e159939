// Whole models, in from files.
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

/// A model as its files hold it.
struct LoadedModel {
  ModelOptions options;
  StoredParameters parameters;
  Lexicon lexicon;                   ///< its words where its location names them
  std::string fingerprint;           ///< see model_fingerprint
  std::vector<std::string> remarks;  ///< what was inferred, and what the files do in their own way
  std::optional<TokenizerDescription> tokenizer =
      std::nullopt;  ///< of the text it was trained on, where its location says
  std::optional<LanguageDescription> language = std::nullopt;  ///< likewise
  std::string name = {};  ///< as it was asked for; load_model leaves it empty
};

/// Reads a model of either family. Takes no more memory than its files' sizes warrant, whatever
/// they claim. InputError naming the file and the option or dataset, what was found and what was
/// expected; SystemError where a file cannot be opened.
LoadedModel load_model(const ModelLocation& location);

/// What language a model is of, where its location says; its other files are not looked at.
/// Errors as load_model.
std::optional<LanguageDescription> read_language(const ModelLocation& location);

/// What tokens a model was trained on, likewise.
std::optional<TokenizerDescription> read_tokenizer(const ModelLocation& location);

/// Reads an options.json that stands alone. Errors as load_model.
ParsedOptions read_options(const std::filesystem::path& path);

/// What people want to know of a model.
struct ModelSummary {
  ModelOptions options;
  std::string fingerprint;
  std::vector<std::string> remarks;     ///< as in LoadedModel
  std::uint64_t parameters = 0;         ///< numbers
  std::uint64_t bytes = 0;              ///< of the parameters in float32
  double lstm_flop_per_token = 0.0;     ///< see core/model/cost.h
  double encoder_flop_per_token = 0.0;  ///< per distinct token
};

ModelSummary describe_model(const LoadedModel& model);

}  // namespace elmo
