#include "io/text/formats/tokenizer_description.h"

#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include <array>

#include "io/text/segment/locale.h"
#include "io/text/segment/tokenizer.h"

namespace elmo {
namespace {

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
    description.name = options.format == InputFormat::conllu ? "conllu" : "white-space";
    return description;
  }
  description.name = options.lines ? "icu-lines" : "icu";
  UVersionInfo version;
  u_getVersion(version);
  description.icu_version = dotted(version);
  u_getUnicodeVersion(version);
  description.unicode_version = dotted(version);
  description.locale = canonical_locale(options.locale);
  return description;
}

std::string to_string(const TokenizerDescription& description) {
  std::string text = description.name;
  if (!description.icu_version.empty()) {
    text += " " + description.icu_version + ", Unicode " + description.unicode_version +
            ", locale " + description.locale;
  }
  return text + ", rules " + std::to_string(description.revision);
}

}  // namespace elmo
