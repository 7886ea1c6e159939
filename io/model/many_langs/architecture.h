// Parses the architecture in the configuration of an ELMoForManyLangs model:
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

#include "core/model/options.h"

namespace elmo {

/// Returns the options of an encoder and a token embedder. The numbers of words and characters are
/// in their dictionaries: `n_tokens_vocab` and `dictionary_size` are 1 if the model has words or
/// characters. InputError, beginning with `name`, if a key is missing or mistyped, and with the
/// reason for anything but a biLM of two directions and for models that ELMoForManyLangs itself
/// cannot compute.
ModelOptions parse_architecture(std::string_view text, const std::string& name);

/// Returns the architecture that comes with ELMoForManyLangs, which all models published by its
/// authors have: that of the original ELMo, with character embeddings of size 50 and word
/// embeddings of size 100.
ModelOptions default_architecture();

}  // namespace elmo
