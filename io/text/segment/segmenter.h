// Segmentation of raw text into sentences and tokens, by ICU or by the rules of a language.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Revision of the additions of the segmenter, Abbreviations and FreeTextReader to ICU. Raise it
/// with every change that gives some text other tokens or sentences. A change of FreeTextReader
/// also raises kTokenRulesRevision.
inline constexpr int kTokenizerRevision = 3;

/// The last revision that changed tokens; later ones only changed sentences.
inline constexpr int kTokensRevision = 1;

/// The rules that determine sentences and tokens of raw text.
enum class TokenizerKind {
  icu,    ///< UAX #29 by ICU, and Abbreviations
  ud,     ///< the rules of Universal Dependencies (token_rules.h)
  moses,  ///< the rules of the Moses tokenizer
  file    ///< the rules of a rule file
};

inline constexpr auto kTokenizerKinds = enum_table<TokenizerKind>({{"icu", TokenizerKind::icu},
                                                                   {"ud", TokenizerKind::ud},
                                                                   {"moses", TokenizerKind::moses},
                                                                   {"file", TokenizerKind::file}});

/// How the tokenizer treats contractions.
enum class ContractionMode {
  keep,   ///< it leaves them as they are in the text
  expand  ///< it replaces them by the words that they stand for
};

inline constexpr auto kContractionModes = enum_table<ContractionMode>(
    {{"keep", ContractionMode::keep}, {"expand", ContractionMode::expand}});

/// The tokenizer of raw text, and its rules.
struct TokenizerSettings {
  TokenizerKind kind = TokenizerKind::icu;
  std::string locale;                                       ///< "de" or "pt-BR"; empty: root
  std::string rules = {};                                   ///< kind file: content of the rule file
  std::string rule_file = "the rule file";                  ///< its name in errors
  ContractionMode contractions = ContractionMode::keep;     ///< `expand`: kinds ud and file only
  Normalization normalization = Normalization::nfc;         ///< of its tokens
  Normalization token_normalization = Normalization::none;  ///< of tokens that the input gives
};

/// Segments texts one after the other. One thread at a time.
class Segmenter {
 public:
  struct Sentence {
    std::span<const TextRange> tokens;  ///< valid until the next call
    std::size_t end = npos;  ///< end of the sentence in the text; npos: no more sentences
    std::size_t next = 0;    ///< start of the search for the next sentence's tokens
  };

  virtual ~Segmenter() = default;

  /// Sets a new text of valid UTF-8, at most 1 GiB, which must stay alive while it is used.
  virtual void set_text(std::string_view text) = 0;

  virtual Sentence next() = 0;

  /// Within this distance of the end of the text, the end of a sentence is not certain: it depends
  /// on the text that follows.
  static constexpr std::size_t kLookahead = 1024;  // bytes

  /// Returns the tokens of `text`, which is a single sentence. Valid until the next call.
  virtual std::span<const TextRange> tokens_of(std::string_view text) = 0;

  /// Returns the words that `token` stands for if it is a contraction of the language; otherwise
  /// nothing.
  virtual std::vector<std::string> words_of(std::string_view /*token*/) const { return {}; }

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// Creates a segmenter. RequestError for an unknown locale, or if contractions are to be expanded
/// and the rules list none; InputError for an invalid rule file.
std::unique_ptr<Segmenter> make_segmenter(const TokenizerSettings& settings);

/// Creates the segmenter of the kind icu, for a locale from canonical_locale().
std::unique_ptr<Segmenter> make_icu_segmenter(const std::string& locale);

/// True if the rules of `ud` list contractions of a language. RequestError for an unknown locale.
bool has_contractions(const std::string& locale);

}  // namespace elmo
