// options.json: the architecture of a published model.
//
//     {"lstm": {"dim": 4096, "projection_dim": 512, "n_layers": 2, "cell_clip": 3, "proj_clip": 3,
//               "use_skip_connections": true},
//      "char_cnn": {"activation": "relu", "embedding": {"dim": 16}, "n_highway": 2,
//                   "filters": [[1, 32], [2, 32], …], "n_characters": 262,
//                   "max_characters_per_token": 50}}
//
// A clip, `n_highway`, and `use_skip_connections` may be absent or null: no clip, no highway layer,
// no skip connections. `n_characters` is 261, or 262 if the row of the mask is counted; the content
// of the weights file decides. Without `char_cnn` the model knows words: `n_tokens_vocab` of them.
// All other keys, of which training writes many, are ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "io/json/json_document.h"

namespace elmo {

/// Parses an array of pairs [width, count]. InputError as JsonNode.
std::vector<CharFilter> parse_char_filters(const JsonNode& node);

/// The options in an options.json, and remarks on those that had to be inferred.
struct ParsedOptions {
  ModelOptions options;  ///< valid, but n_tokens_vocab may be 0: a word-level file may omit it
  std::vector<std::string> remarks;
};

/// Maximum size of an options.json.
inline constexpr std::size_t kMaxOptionsBytes = std::size_t{1} << 20;

/// Parses the text of an options.json. InputError if it is not JSON, is nested too deeply, repeats
/// a key, lacks or mistypes an option, or if the options are invalid. The message begins with
/// `name` and has the option, what was found and what was expected.
ParsedOptions parse_options(std::string_view text, const std::string& name);

/// True if published files can represent such a model: characters are bytes, or words are rows of
/// P; the forget gate's offset is 1; projections exist only between different widths.
bool fits_published_layout(const ModelOptions& options);

/// Returns the text of an options.json as published, on one line; parse_options reads the same
/// options from it. The model must be fits_published_layout() (std::logic_error).
std::string options_text(const ModelOptions& options);

/// The same for any model, for people and fingerprints: keys of its own hold what published files
/// cannot represent.
std::string options_description(const ModelOptions& options);

}  // namespace elmo
