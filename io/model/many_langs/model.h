// Models of ELMoForManyLangs (Che et al. 2018, https://github.com/HIT-SCIR/ELMoForManyLangs):
//
//   config.json          how it was trained; `config_path` names the architecture's file
//   …_sample.json        the architecture, see architecture.h
//   word.dic, char.dic   the rows of the tables, see dictionary.h
//   token_embedder.pkl, encoder.pkl   the tensors, see weights.h
//
// What their program does in its own way and core's one form does not have ends here: the frame of
// a token, whose two marks stand the other way round; the order of gates, the highway's gate, the
// forget gate's bias, which is stored whole; skip connections, which no option states. What is
// left is in the options and in the lexicon: characters are code points, a token that is spelt
// <bos> or <eos> is the boundary, words lie beside the characters or stand alone.
#pragma once

#include <string>
#include <vector>

#include "core/model/lexicon.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "io/model/folder/location.h"

namespace elmo {

struct ManyLangsModel {
  ModelOptions options;
  Parameters parameters;
  Lexicon lexicon;
  std::vector<std::string> remarks;  ///< what was inferred
};

/// Reads the model at a location that has `many_langs`. Errors as load_model.
ManyLangsModel read_many_langs(const ModelLocation& location);

}  // namespace elmo
