// tokenizer.json: the tokenizer of the text that a model was trained on.
//
//   {"name": "ud", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "en"}
//
// The members are those of TokenizerDescription; the last three exist only for tokenizers of raw
// text. For a model trained with a rule file, "rule_file" has its text.
#pragma once

#include <string>
#include <string_view>

#include "io/text/formats/tokenizer_description.h"

namespace elmo {

class JsonNode;

/// Maximum size of the file.
inline constexpr std::size_t kMaxTokenizerBytes = std::size_t{8} << 20;

/// Maximum size of a rule file. Its text then fits into tokenizer.json, where a byte may take six.
inline constexpr std::size_t kMaxRuleFileBytes = std::size_t{1} << 20;

/// Parses a tokenizer.json. InputError, beginning with `name`, with the member, what was found and
/// what was expected.
TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name);

/// Reads the same from an object of a JSON document.
TokenizerDescription read_tokenizer_json(const JsonNode& json);

/// Returns the text of a tokenizer.json, from which parse_tokenizer reads the same description.
std::string tokenizer_text(const TokenizerDescription& description);

/// Lists the settings in which the tokenizer of a text differs from that of the training text, as
/// in "locale de instead of root, rules 2 instead of 1". Empty if they agree. Ignores the version
/// of ICU, whose rules change little between versions.
std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used);

}  // namespace elmo
