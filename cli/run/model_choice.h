// `--model auto`: which installed model fits a text.
#pragma once

#include <string>

#include "cli/commands/embed.h"
#include "cli/run/embed_input.h"

namespace elmo {

struct ModelChoice {
  ModelFlags model;  ///< what was chosen, named
  std::string why;   ///< for people: "elmo-tiny-en (en): 97 % of the words are in Latn"
};

/// The model that `flags` ask for where they leave the choice to us. A run that is resumed keeps
/// the one it began with; else the first words of the input decide, which are read and handed out
/// later: of the installed models that read the script of most words, the one with the fewest
/// scripts that have three quarters of them, or else the one whose scripts have most. The default
/// model where no word has a script. RequestError, naming what was found and what is installed,
/// where none fits. Errors also as load_model and EmbedInput::next.
ModelChoice choose_model(const EmbedFlags& flags, EmbedInput& input);

}  // namespace elmo
