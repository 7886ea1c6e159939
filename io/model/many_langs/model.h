// Models of ELMoForManyLangs (Che et al. 2018, https://github.com/HIT-SCIR/ELMoForManyLangs):
//
//   config.json          how it was trained; `config_path` names the architecture's file
//   …_sample.json        the architecture, see architecture.h
//   word.dic, char.dic   the rows of the tables, see dictionary.h
//   token_embedder.pkl, encoder.pkl   the tensors, see weights.h
//
// Converts ELMoForManyLangs conventions to core's: the two marks around a token, which are swapped;
// the order of gates; the highway's gate; the forget gate's bias, which is stored with its offset;
// and skip connections, which no option states. Other differences remain in the options and the
// lexicon: characters are code points, a token spelled <bos> or <eos> is the boundary, and words
// are used together with characters or alone.
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

/// Reads the model at a location with `many_langs` set. Errors as load_model.
ManyLangsModel read_many_langs(const ModelLocation& location);

}  // namespace elmo
