// The tokenizer and the language of the text that a model was trained on, and the tokenizer for raw
// text that is read for a model.
//
// tokenizer.json has the members of TokenizerDescription; "icu", "unicode" and "locale" exist only
// for tokenizers of raw text. Without "normalize", the normalization is the usual one. For a model
// trained with a rule file, "rule_file" has its text; for one trained on expanded contractions,
// "contractions" is "expand".
//
//     {"name": "ud", "rules": 1, "normalize": "nfc", "icu": "72.1", "unicode": "15.0",
//      "locale": "en"}
//
// language.json:
//
//     {"language": "ko", "scripts": ["Hang"]}
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/model/location.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/input_options.h"
#include "io/text/segment/segmenter.h"

namespace elmo {

/// Maximum size of a language.json.
inline constexpr std::size_t kMaxLanguageBytes = std::size_t{64} << 10;

/// The content of language.json, by which a model is chosen for a text.
struct LanguageDescription {
  std::string language;              ///< a BCP 47 tag: "en", "pt-BR"
  std::vector<std::string> scripts;  ///< scripts of its words, as ISO 15924 codes: "Latn"
  bool operator==(const LanguageDescription&) const = default;
};

/// Parses a language.json. InputError, beginning with `name`, with the member, what was found and
/// what was expected.
LanguageDescription parse_language(std::string_view text, const std::string& name);

/// Formats a description in one line: "en (Latn)".
std::string to_string(const LanguageDescription& description);

class JsonNode;

/// Maximum size of a rule file. Its text then fits into tokenizer.json, where a byte may take six
/// bytes.
inline constexpr std::size_t kMaxRuleFileBytes = std::size_t{1} << 20;

/// Parses a tokenizer.json. InputError, beginning with `name`, with the member, what was found and
/// what was expected.
TokenizerDescription parse_tokenizer(std::string_view text, const std::string& name);

/// Reads the same from an object of a JSON document.
TokenizerDescription read_tokenizer_json(const JsonNode& json);

/// Returns the text of a tokenizer.json, from which parse_tokenizer reads the same description.
std::string tokenizer_text(const TokenizerDescription& description);

/// Lists the settings in which the tokenizer of a text differs from that of the training text, as
/// in "locale de instead of root, rules 2 instead of 1". Empty if they agree. Ignores revisions
/// of rules that nearly agree, and the version of ICU, whose rules change little.
std::string tokenizer_difference(const TokenizerDescription& trained,
                                 const TokenizerDescription& used);

/// Returns the language of a model, if its location has one, without reading its other files.
/// Errors as ModelFile::content and parse_language.
std::optional<LanguageDescription> read_language(const ModelLocation& location);

/// Returns the tokenizer of a model's training text in the same way.
std::optional<TokenizerDescription> read_tokenizer(const ModelLocation& location);

/// Returns the tokenizer of that name, or of the rule file at that path. RequestError if it is
/// neither; InputError for a file that is too large or has an invalid rule; SystemError as for
/// reading.
TokenizerSettings named_tokenizer(const std::string& name);

/// Returns the tokenizer of a model's family: `ud` for models of ELMoForManyLangs and NLPL, `moses`
/// for others in the published layout.
TokenizerKind tokenizer_of_family(const ModelLocation& location);

/// Returns the tokenizer for a model's text: the one that `request` names, else that of the model's
/// training text (tokenizer.json), else that of its family. The locale is the requested one, else
/// that of the training text if the tokenizer is the same, else the model's language, else again
/// that of the training text, else root. Contractions are kept unless the request or the same
/// tokenizer of the training text expands them. Tokens are normalized as requested, else as in
/// training if the text is tokenized in the same way or tokens are given in both, else as usual.
/// Errors as named_tokenizer and as reading the
/// model's files.
TokenizerSettings choose_tokenizer(const TokenizerRequest& request, const ModelLocation& location);

/// The same without a model: `otherwise`, except for what is requested. Contractions are those of
/// `otherwise` only if no tokenizer is requested. Errors as named_tokenizer.
TokenizerSettings choose_tokenizer(const TokenizerRequest& request,
                                   const TokenizerSettings& otherwise = {TokenizerKind::ud, ""});

}  // namespace elmo
