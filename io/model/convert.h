// Conversion of models to the published file format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/model.h"

namespace elmo {

/// A model that save_model can write.
struct ConvertedModel {
  ModelOptions options;
  Parameters parameters;
  std::optional<Vocabulary> vocabulary;
  std::vector<std::string> losses;  ///< differences from the source model, in words
};

/// Returns the model in a form that published files can hold. A model that fits_published_layout()
/// is unchanged. A word-only model becomes a table of projected rows; its boundaries and unknown
/// words get the published names, and the forget gate's offset is subtracted from the bias.
/// RequestError with the reason for any other model: published files can hold neither a dictionary
/// of characters nor LSTMs that project with D == P.
ConvertedModel to_published_layout(LoadedModel&& model);

/// Returns a word-level model that knows only `words`. Its table has the vectors that a character
/// model of any kind computes for them (as bilm-tf's dump_token_embeddings does); the vector of
/// unknown words is that of one unknown character. RequestError for a model without characters, and
/// for LSTMs as above.
ConvertedModel to_words(LoadedModel&& model, Vocabulary words);

}  // namespace elmo
