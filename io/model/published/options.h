// options.json: what a model is made of, as published models say it.
//
//     {"lstm": {"dim": 4096, "projection_dim": 512, "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
//               "use_skip_connections": true},
//      "char_cnn": {"activation": "relu", "embedding": {"dim": 16}, "n_highway": 2,
//                   "filters": [[1, 32], [2, 32], …], "n_characters": 262,
//                   "max_characters_per_token": 50}}
//
// A clip, `n_highway`, and `use_skip_connections` may be absent or null: no clip, no highway layer,
// no skip connections. `n_characters` is 261, or 262 where the row of the mask is counted; what the
// weights file holds decides. Without `char_cnn` the model knows words: `n_tokens_vocab` of them.
// All other keys, of which training leaves many, mean nothing here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"

namespace elmo {

/// What an options.json says, and, in words, what it leaves to be inferred.
struct ParsedOptions {
  ModelOptions
      options;  ///< valid, but that n_tokens_vocab is 0 where a word-level file does not say
  std::vector<std::string> remarks;
};

/// Options.json files are no larger than this.
inline constexpr std::size_t kMaxOptionsBytes = std::size_t{1} << 20;

/// Parses the text of an options.json. InputError where it is no JSON, nests deeply, repeats a key,
/// or lacks or mistypes an option, or where the options are not valid: the message begins with
/// `name` and has the option, what was found and what was expected.
ParsedOptions parse_options(std::string_view text, const std::string& name);

/// Whether published files have a place for such a model: characters are bytes, or words are rows
/// of P; the forget gate's offset is 1; there is no projection but between different widths.
bool is_published(const ModelOptions& options);

/// The text of an options.json as published, on one line; parse_options makes the same options of
/// it. A model that is not is_published() is a programming error (std::logic_error).
std::string options_text(const ModelOptions& options);

/// The same, for people and fingerprints, of any model: what published files have no place for has
/// keys of its own.
std::string options_description(const ModelOptions& options);

}  // namespace elmo
