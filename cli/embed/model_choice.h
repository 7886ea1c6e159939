// `--model auto`: chooses the installed model that fits a text.
#pragma once

#include <string>

#include "cli/common/request.h"
#include "cli/embed/request.h"
#include "io/text/input/text_source.h"

namespace elmo {

struct ModelChoice {
  ModelRequest model;  ///< the chosen model, by its folder
  std::string name;    ///< of the installed model
  std::string why;     ///< for people: "elmo-tiny-en (en): the script of 97 % of the letters"
};

/// Chooses the model of a request for kAutoModel. A resumed run keeps its model. Otherwise, a given
/// locale selects a model of its language. Otherwise, the scripts of the letters decide, in a
/// sample of all files, or in the first words of an input that can be read only once, which `input`
/// still returns. A model is a candidate if it reads the most frequent script. The best one has the
/// fewest scripts among those whose scripts have three quarters of the letters; without any such
/// model, it is the one whose scripts have the most letters. If no word has a script, the default
/// model is chosen. Errors: RequestError, naming what was found and what is installed, if no model
/// fits; as load_model and TextSource::next.
ModelChoice choose_model(const EmbedRequest& request, TextSource& input);

}  // namespace elmo
