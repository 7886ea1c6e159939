// `--model auto`: which installed model fits a text.
#pragma once

#include <string>

#include "cli/run/embed_input.h"
#include "cli/run/embed_request.h"

namespace elmo {

struct ModelChoice {
  ModelRequest model;  ///< what was chosen, by its folder
  std::string name;    ///< of the installed model
  std::string why;     ///< for people: "elmo-tiny-en (en): the script of 97 % of the letters"
};

/// The model for a request that leaves the choice to us. A run that is resumed keeps the one it
/// began with. Else a given locale decides: a model of its language. Else the letters of a sample
/// of all files, or of the first words of what can be read only once, which are handed out later:
/// of the installed models that read the script of most letters, the one with the fewest scripts
/// that have three quarters of them, or else the one whose scripts have most. The default model
/// where no word has a script. RequestError, naming what was found and what is installed, where
/// none fits. Errors also as load_model and EmbedInput::next.
ModelChoice choose_model(const EmbedRequest& request, EmbedInput& input);

}  // namespace elmo
