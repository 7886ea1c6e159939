// Reads a model to describe it, and checks what it computes, to find one that was downloaded
// incompletely, converted wrongly or given other options.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/word_prediction.h"
#include "io/engine/model.h"

namespace elmo {

/// The activations of one layer on the built-in text.
struct LayerRange {
  std::string layer;
  float least = 0.0F;
  float greatest = 0.0F;
  double deviation = 0.0;  ///< root mean square over the columns, between tokens
};

struct ModelCheck {
  std::vector<LayerRange> layers;              ///< empty if a number was not finite
  std::optional<PerplexityResult> perplexity;  ///< if the model has a softmax
  std::uint64_t vocabulary = 0;                ///< words of the softmax
  std::vector<std::string> problems;           ///< with found and expected values
};

/// A model and what was found in it.
struct InspectedModel {
  ModelLocation location;
  LoadedModel loaded;            ///< without parameters and words if it was checked
  std::uint64_t parameters = 0;  ///< number of parameters
  bool has_words = false;        ///< the words that it reads are known
  std::optional<ModelCheck> check = std::nullopt;
};

/// Reads the model in a folder or archive, and checks it on request: computes warm_text(), which is
/// English, in float32. Reports these problems: activations that are not finite or above 1,000; a
/// layer that is the same for all tokens; a perplexity no better than guessing among the words,
/// unless the softmax knows less than half of the text's words. Errors: as load_model, read_softmax
/// and Bilm; InputError for a check of a word-level model without words.
InspectedModel inspect_model(const std::filesystem::path& path, bool check);

}  // namespace elmo
