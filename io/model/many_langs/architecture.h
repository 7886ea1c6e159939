// What the configuration of an ELMoForManyLangs model says of its architecture:
//
//     {"encoder": {"name": "elmo", "projection_dim": 512, "dim": 4096, "n_layers": 2,
//                  "cell_clip": 3, "proj_clip": 3},
//      "token_embedder": {"name": "cnn", "word_dim": 100, "char_dim": 50, "activation": "relu",
//                         "filters": [[1, 32], [2, 32], …], "n_highway": 2,
//                         "max_characters_per_token": 50}}
//
// A clip of 0 or null is none; word_dim 0 means no table of words, char_dim 0 no characters.
#pragma once

#include <string>
#include <string_view>

#include "core/model/options.h"

namespace elmo {

/// The architecture that an encoder and a token embedder make up. How many words and characters
/// there are, their dictionaries say: `n_tokens_vocab` and `dictionary_size` are 1 where there are
/// any. InputError, beginning with `name`, where a key is missing or mistyped, and with the reason
/// for what is no biLM of two directions, or what that program itself does not compute.
ModelOptions parse_architecture(std::string_view text, const std::string& name);

/// The architecture that comes with their program, of all that its authors have published: the
/// original ELMo's, with characters of 50 numbers and words of 100.
ModelOptions default_architecture();

}  // namespace elmo
