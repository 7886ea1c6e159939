// All that decides which tokens are made of a text.
#pragma once

#include <string>

#include "io/text/formats/format_options.h"

namespace elmo {

/// Two inputs read under equal descriptions get equal tokens. For fingerprints and shard
/// attributes.
struct TokenizerDescription {
  std::string name;             ///< "icu", "icu-lines", "white-space" or "conllu"
  int revision = 0;             ///< of the rules that are this program's own
  std::string icu_version;      ///< "72.1"; empty where ICU does not segment, as are the next two
  std::string unicode_version;  ///< "15.0"
  std::string locale;           ///< "root", "de", "pt_BR"
  bool operator==(const TokenizerDescription&) const = default;
};

/// RequestError for an unknown locale.
TokenizerDescription describe_tokenizer(const FormatOptions& options);

/// One line: "icu 72.1, Unicode 15.0, locale root, rules 2".
std::string to_string(const TokenizerDescription& description);

}  // namespace elmo
