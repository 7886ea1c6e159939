// Description of everything that determines the tokens of a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/text/formats/format_reader.h"

namespace elmo {

/// Inputs that are read under equal descriptions get equal tokens. Used in fingerprints and shard
/// attributes.
struct TokenizerDescription {
  std::string name;  ///< a word of kTokenizerKinds, optionally followed by "-lines"; "white-space"
                     ///< or "conllu" for pretokenized text
  int revision = 0;  ///< revision of this program's own rules
  std::string icu_version;      ///< "72.1"; empty for pretokenized text, like the next three
  std::string unicode_version;  ///< "15.0"
  std::string locale;           ///< "root", "de", "pt_BR"
  std::string rules = {};       ///< "file": content of the rule file
  ContractionMode contractions = ContractionMode::keep;
  Normalization normalization = Normalization::none;
  bool operator==(const TokenizerDescription&) const = default;
};

/// Returns the usual normalization of tokens of that name: nfc for those of raw text.
Normalization usual_normalization(const std::string& tokenizer);

/// Returns the settings of a raw text tokenizer; nothing if the description is of pretokenized
/// text.
std::optional<TokenizerSettings> settings_of(const TokenizerDescription& description);

/// Revisions of the rules that make the tokens of one name.
struct RulesRevisions {
  int least = 0;    ///< the first whose tokens are nearly those of the current one
  int current = 0;  ///< this program's
};

/// Returns the revisions for the name of a description.
RulesRevisions rules_revisions(std::string_view name);

/// Describes the tokenizer of `options`. Errors as make_segmenter.
TokenizerDescription describe_tokenizer(const FormatOptions& options);

/// Formats a description in one line: "icu 72.1, Unicode 15.0, locale root, rules 2"; a rule file
/// is given by its hash, and the normalization only if it is not the usual one.
std::string to_string(const TokenizerDescription& description);

}  // namespace elmo
