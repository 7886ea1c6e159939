// Models of ELMoForManyLangs (Che et al. 2018, https://github.com/HIT-SCIR/ELMoForManyLangs):
//
//   config.json          how it was trained; `config_path` names the architecture's file
//   …_sample.json        the architecture, see many_langs_architecture.h
//   word.dic, char.dic   the rows of the tables, see parse_dictionary
//   token_embedder.pkl, encoder.pkl   the tensors, see many_langs_weights.h
//
// Converts ELMoForManyLangs conventions to core's: the two marks around a token, which are swapped;
// the order of gates; the highway's gate; the forget gate's bias, which is stored with its offset;
// and skip connections, which no option states. Other differences remain in the options and the
// lexicon: characters are code points, a token spelled <bos> or <eos> is the boundary, and words
// are used together with characters or alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/location.h"

namespace elmo {

/// Returns the keys of a dictionary in row order. InputError, beginning with `name` and giving the
/// line, for an invalid entry, a key or row that occurs twice, and a row past the last.
std::vector<std::string> parse_dictionary(std::string_view text, const std::string& name);

/// An ELMoForManyLangs model, converted to our options and parameters.
struct ManyLangsModel {
  ModelOptions options;
  Parameters parameters;
  Lexicon lexicon;
  std::vector<std::string> remarks;  ///< inferred settings
};

/// Reads the model of these files. Errors as load_model.
ManyLangsModel read_many_langs(const ManyLangsFiles& files);

}  // namespace elmo
