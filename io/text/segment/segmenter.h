// Sentences and tokens of raw text.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.h"
#include "io/text/segment/text_range.h"

namespace elmo {

/// What makes sentences and tokens of raw text.
enum class TokenizerKind {
  icu,    ///< UAX #29 as ICU implements it (tokenizer.h)
  ud,     ///< the rules of Universal Dependencies (token_rules.h)
  moses,  ///< the rules of the Moses tokenizer
  file    ///< those of a rule file
};

inline constexpr auto kTokenizerKinds = enum_table<TokenizerKind>({{"icu", TokenizerKind::icu},
                                                                   {"ud", TokenizerKind::ud},
                                                                   {"moses", TokenizerKind::moses},
                                                                   {"file", TokenizerKind::file}});

struct TokenizerSettings {
  TokenizerKind kind = TokenizerKind::icu;
  std::string locale;                       ///< as in "de" or "pt-BR"; empty: root
  std::string rules = {};                   ///< kind file: what the rule file holds
  std::string rule_file = "the rule file";  ///< its name, for errors
};

/// Segments one text after the other. One thread at a time.
class Segmenter {
 public:
  struct Sentence {
    std::span<const TextRange> tokens;  ///< valid until the next call
    std::size_t end = npos;             ///< in the text; npos: there was no more sentence
    std::size_t next = 0;               ///< where the tokens of the next one are looked for
  };

  virtual ~Segmenter() = default;

  /// Takes a new text of valid UTF-8, at most 1 GiB, that outlives its use here.
  virtual void set_text(std::string_view text) = 0;

  virtual Sentence next() = 0;

  /// How many bytes of text behind a sentence decide on it at most. A sentence that ends nearer to
  /// the end of the text may be another one where the text continues.
  virtual std::size_t lookahead() const = 0;

  /// The tokens of `text`, which is one sentence. Valid until the next call.
  virtual std::span<const TextRange> tokens_of(std::string_view text) = 0;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

/// RequestError for an unknown locale, InputError for a rule file that is none.
std::unique_ptr<Segmenter> make_segmenter(const TokenizerSettings& settings);

}  // namespace elmo
