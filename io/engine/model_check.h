// Checks what a model computes, to find one that was downloaded incompletely, converted wrongly or
// given other options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/inference/perplexity.h"
#include "io/model/model.h"

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

/// Computes warm_text(), which is English, in float32. Reports these problems: activations that are
/// not finite or above 1,000; a layer that is the same for all tokens; a perplexity no better than
/// guessing among the words, unless the softmax knows less than half of the text's words. Errors:
/// as read_softmax and Bilm.
ModelCheck check_model(const ModelLocation& location, LoadedModel&& model);

}  // namespace elmo
