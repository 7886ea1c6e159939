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

/// Returns the tokenizer that makes tokens of this name; nothing for those of pretokenized text.
std::optional<TokenizerKind> kind_of(std::string_view name) {
  if (name.ends_with(kLines)) name.remove_suffix(kLines.size());
  return kTokenizerKinds.find(name);
}

}  // namespace

/// Revision of tokens that come with the input, in the runs of every version.
constexpr int kGivenTokensRevision = 2;

RulesRevisions rules_revisions(std::string_view name) {
  const std::optional<TokenizerKind> kind = kind_of(name);
  const bool has_rules = kind && *kind != TokenizerKind::icu;
  return has_rules ? RulesRevisions{kLeastTokenRules, kTokenRulesRevision}
                   : RulesRevisions{kTokensRevision, kTokenizerRevision};
}

TokenizerDescription describe_tokenizer(const FormatOptions& options) {
  TokenizerDescription description;
  const TokenizerSettings& tokenizer = options.tokenizer;
  const bool segmented = is_segmented(options.format);
  description.name =
      segmented ? kTokenizerKinds.word(tokenizer.kind) : traits_of(options.format).tokens;
  if (segmented && options.lines) description.name += kLines;
  description.revision =
      segmented ? rules_revisions(description.name).current : kGivenTokensRevision;
  if (!segmented) {
    description.normalization = options.tokenizer.token_normalization;
    return description;
  }
  description.rules = tokenizer.rules;
  description.contractions = tokenizer.contractions;
  description.normalization = tokenizer.normalization;
  UVersionInfo version;
  u_getVersion(version);
  description.icu_version = dotted(version);
  u_getUnicodeVersion(version);
  description.unicode_version = dotted(version);
  description.locale = canonical_locale(tokenizer.locale);
  return description;
}

Normalization usual_normalization(const std::string& tokenizer) {
  return kind_of(tokenizer) ? Normalization::nfc : Normalization::none;
}

std::optional<TokenizerSettings> settings_of(const TokenizerDescription& description) {
  const std::optional<TokenizerKind> kind = kind_of(description.name);
  if (!kind) return std::nullopt;
  return TokenizerSettings{*kind,
                           description.locale,
                           description.rules,
                           "the model's rule file",
                           description.contractions,
                           description.normalization};
}

std::string to_string(const TokenizerDescription& description) {
  std::string text = description.name;
  if (!description.icu_version.empty()) {
    text += " " + description.icu_version + ", Unicode " + description.unicode_version +
            ", locale " + description.locale;
  }
  text += ", rules " + std::to_string(description.revision);
  if (description.contractions == ContractionMode::expand) text += ", contractions expanded";
  if (description.normalization != usual_normalization(description.name)) {
    text += ", normalize " + std::string(kNormalizations.word(description.normalization));
  }
  return description.rules.empty() ? text : text + ", file " + text_checksum(description.rules);
}

}  // namespace elmo
