// tokenizer.json: how the text was cut into tokens that a model was trained on.
//
//     {"name": "ud", "rules": 1, "icu": "72.1", "unicode": "15.0", "locale": "en"}
//
// The members mean what those of TokenizerDescription do; the last three are there for tokenizers
// of raw text only. A model trained with a rule file has its text in "rule_file".
#pragma once

#include <string>
#include <string_view>

#include "io/text/formats/tokenizer_description.h"

namespace elmo {

class JsonNode;

/// Files of a tokenizer are no larger than this.
inline constexpr std::size_t kMaxTokenizerBytes = std::size_t{8} << 20;

/// Rule files are no larger than this, so that their text fits into tokenizer.json, where a byte
/// may take six.
inline constexpr std::size_t kMaxRuleFileBytes = std::size_t{1} << 20;

/// InputError, beginning with `name`, with the member, what was found and what was expected.
TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name);

/// The same of an object of a JSON document.
TokenizerDescription read_tokenizer_json(const JsonNode& json);

/// The text of a tokenizer.json; parse_tokenizer makes the same of it.
std::string tokenizer_text(const TokenizerDescription& description);

/// Every setting but ICU's version, whose rules change little from one to the next, in which a text
/// is read in another way than the one a model was trained on, as in "locale de instead of root,
/// rules 2 instead of 1"; empty where they agree.
std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used);

}  // namespace elmo
