// All that decides which tokens are made of a text.
#pragma once

#include <optional>
#include <string>

#include "io/text/formats/format_options.h"

namespace elmo {

/// Two inputs read under equal descriptions get equal tokens. For fingerprints and shard
/// attributes.
struct TokenizerDescription {
  std::string name;             ///< a word of kTokenizerKinds, perhaps with "-lines" behind it;
                                ///< "white-space" or "conllu" for text that is in tokens already
  int revision = 0;             ///< of the rules that are this program's own
  std::string icu_version;      ///< "72.1"; empty for text in tokens, as are the next three
  std::string unicode_version;  ///< "15.0"
  std::string locale;           ///< "root", "de", "pt_BR"
  std::string rules = {};       ///< "file": what the rule file holds
  bool operator==(const TokenizerDescription&) const = default;
};

/// What a description says of a tokenizer of raw text; nothing where it is one of tokens.
std::optional<TokenizerSettings> settings_of(const TokenizerDescription& description);

/// Errors as make_segmenter.
TokenizerDescription describe_tokenizer(const FormatOptions& options);

/// One line: "icu 72.1, Unicode 15.0, locale root, rules 2"; of a rule file, its hash.
std::string to_string(const TokenizerDescription& description);

}  // namespace elmo
