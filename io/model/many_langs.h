// Models of ELMoForManyLangs (Che et al. 2018, https://github.com/HIT-SCIR/ELMoForManyLangs):
//
//   config.json          how it was trained; `config_path` names the architecture's file
//   …_sample.json        the architecture
//   word.dic, char.dic   the rows of the tables, see parse_dictionary
//   token_embedder.pkl, encoder.pkl   the tensors, see many_langs_weights.h
//
// Converts ELMoForManyLangs conventions to core's: the two marks around a token, which are swapped;
// the order of gates; the highway's gate; the forget gate's bias, which is stored with its offset;
// and skip connections, which no option states. Other differences remain in the options and the
// lexicon: characters are code points, a token spelled <bos> or <eos> is the boundary, and words
// are used together with characters or alone.
//
// The architecture:
//
//     {"encoder": {"name": "elmo", "projection_dim": 512, "dim": 4096, "n_layers": 2,
//                  "cell_clip": 3, "proj_clip": 3},
//      "token_embedder": {"name": "cnn", "word_dim": 100, "char_dim": 50, "activation": "relu",
//                         "filters": [[1, 32], [2, 32], …], "n_highway": 2,
//                         "max_characters_per_token": 50}}
//
// A clip of 0 or null means no clip, word_dim 0 no table of words, char_dim 0 no characters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/location.h"

namespace elmo {

/// Returns the options of an encoder and a token embedder. The numbers of words and characters are
/// in their dictionaries: `n_tokens_vocab` and `dictionary_size` are 1 if the model has words or
/// characters. InputError, beginning with `name`, if a key is missing or mistyped, and with the
/// reason for anything but a biLM of two directions and for models that ELMoForManyLangs itself
/// cannot compute.
ModelOptions parse_architecture(std::string_view text, const std::string& name);

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
