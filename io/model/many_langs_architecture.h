// The architecture in the configuration of an ELMoForManyLangs model:
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
#include "io/model/location.h"

namespace elmo {

/// Returns the options of an encoder and a token embedder. The numbers of words and characters are
/// in their dictionaries: `n_tokens_vocab` and `dictionary_size` are 1 if the model has words or
/// characters. InputError, beginning with `name`, if a key is missing or mistyped, and with the
/// reason for anything but a biLM of two directions and for models that ELMoForManyLangs itself
/// cannot compute.
ModelOptions parse_architecture(std::string_view text, const std::string& name);

/// Returns the architecture of the model of these files. It is read from the file that
/// config.json names as `config_path`, looked up relative to the model's folder, by its file name
/// alone, and at the original path. Otherwise it is read from the usual file next to the model,
/// cnn_50_100_512_4096_sample.json, or is the one that comes with ELMoForManyLangs. Adds to
/// `remarks` if it was not the first of these. InputError as parse_architecture.
ModelOptions read_architecture(const ManyLangsFiles& files, std::vector<std::string>& remarks);

}  // namespace elmo
