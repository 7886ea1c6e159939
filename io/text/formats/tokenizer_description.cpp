#include "io/text/formats/tokenizer_description.h"

#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include <array>
#include <string_view>

#include "io/files/checksum.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/segmenter.h"
#include "io/text/segment/token_rules.h"

namespace elmo {
namespace {

constexpr std::string_view kLines = "-lines";

std::string dotted(const UVersionInfo& version) {
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace

TokenizerDescription describe_tokenizer(const FormatOptions& options) {
  TokenizerDescription description;
  description.revision = kTokenizerRevision;
  if (!is_segmented(options.format)) {
    description.name = traits_of(options.format).tokens;
    return description;
  }
  const TokenizerSettings& tokenizer = options.tokenizer;
  description.name = kTokenizerKinds.word(tokenizer.kind);
  if (options.lines) description.name += kLines;
  if (tokenizer.kind != TokenizerKind::icu) description.revision = kTokenRulesRevision;
  description.rules = tokenizer.rules;
  description.contractions = tokenizer.contractions;
  UVersionInfo version;
  u_getVersion(version);
  description.icu_version = dotted(version);
  u_getUnicodeVersion(version);
  description.unicode_version = dotted(version);
  description.locale = canonical_locale(tokenizer.locale);
  return description;
}

std::optional<TokenizerSettings> settings_of(const TokenizerDescription& description) {
  std::string_view name = description.name;
  if (name.ends_with(kLines)) name.remove_suffix(kLines.size());
  const std::optional<TokenizerKind> kind = kTokenizerKinds.find(name);
  if (!kind) return std::nullopt;
  return TokenizerSettings{*kind, description.locale, description.rules, "the model's rule file",
                           description.contractions};
}

std::string to_string(const TokenizerDescription& description) {
  std::string text = description.name;
  if (!description.icu_version.empty()) {
    text += " " + description.icu_version + ", Unicode " + description.unicode_version +
            ", locale " + description.locale;
  }
  text += ", rules " + std::to_string(description.revision);
  if (description.contractions == ContractionMode::expand) text += ", contractions expanded";
  return description.rules.empty() ? text : text + ", file " + text_checksum(description.rules);
}

}  // namespace elmo
