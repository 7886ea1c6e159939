// Chooses the installed model that fits a text, for requests of kAutoModel.
#pragma once

#include <string>

#include "core/message.h"
#include "io/engine/embed/request.h"
#include "io/engine/model.h"
#include "io/text/input/text_source.h"

namespace elmo {

struct ModelChoice {
  ModelSpec model;   ///< the chosen model, by its folder
  std::string name;  ///< the installed model's name
  Message why;       ///< reason for people: "elmo-tiny-en (en): the script of 97 % of the letters"
};

/// Chooses the model of a request for kAutoModel, by the first of these rules that applies:
///   - A resumed run keeps its model.
///   - A given locale selects a model of its language.
///   - If no word has a script, the default model is chosen.
///   - The scripts of the letters decide. Candidates read the most frequent script. Of those whose
///     scripts cover three quarters of the letters, the one with the fewest scripts is chosen; if
///     no candidate covers them, the one whose scripts cover the most letters.
/// Counts letters in a sample of all files. For an input that can be read only once, counts them in
/// its first words, which `input` still returns. Errors: RequestError, naming what was found and
/// what is installed, if no model fits; as load_model and TextSource::next.
ModelChoice choose_model(const EmbedRequest& request, TextSource& input);

}  // namespace elmo
