// Tokenizer that applies the rules of a language (token_rules.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/segment/icu.h"
#include "io/text/segment/token_rules.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The kind of a token, as far as it affects where sentences end.
enum class TokenKind : std::uint8_t {
  word,
  number,
  sign,                ///< one punctuation mark or symbol, or a run of the same one
  abbreviation,        ///< with its full stop; ends no sentence
  final_abbreviation,  ///< with its full stop; may end a sentence
  ordinal,             ///< a number with its full stop; ends no sentence
  address,             ///< URL, e-mail address or host name
  emoticon
};

/// A token and its kind, which decides whether a sentence may end at it.
struct RuleToken {
  TextRange range;
  TokenKind kind = TokenKind::word;
};

/// Splits text into tokens. White space and control characters separate chunks. In each chunk,
/// addresses and emoticons are found first, then words, numbers and signs; words are then cut at
/// contractions and clitics. ICU's dictionaries segment Han, kana and the scripts of South-East
/// Asia. A chunk's tokens depend only on the chunk and the word after it. Token boundaries are
/// never inside a grapheme cluster. Takes linear time. One thread at a time.
class RuleTokenizer {
 public:
  /// `rules` must outlive this object; `locale` comes from canonical_locale().
  RuleTokenizer(const TokenRules& rules, const std::string& locale);

  /// Appends the tokens of `text`, valid UTF-8 of at most 1 GiB.
  void tokenize(std::string_view text, std::vector<RuleToken>& tokens);

 private:
  enum class Class : std::uint8_t { letter, digit, dictionary, sign };

  /// A character with its combining marks.
  struct Unit {
    std::size_t begin;  // in text_
    char32_t character;
    Class kind;
  };

  bool read_chunk(std::size_t begin);
  void decode_chunk();
  bool has_dictionary(char32_t letter) const;
  void merge_clusters();
  void look_behind_chunk();

  // Each adds the tokens that begin at unit `at` and returns the unit after them.
  void take_ud_tokens();
  std::size_t take_word(std::size_t first, std::size_t at);
  std::size_t take_dictionary_words(std::size_t at);
  std::size_t take_sign(std::size_t at);
  void take_moses_tokens();
  std::size_t take_moses_word(std::size_t first, std::size_t last);
  void add_moses_word(std::size_t first, std::size_t last);

  // Each returns the unit after the item of its kind that begins at unit `at`, or `at` if there is
  // none.
  std::size_t address_end(std::size_t at) const;
  std::size_t url_end(std::size_t at) const;
  std::size_t emoticon_end(std::size_t at) const;
  std::size_t repeats_end(std::size_t at) const;
  std::size_t word_end(std::size_t at) const;
  std::size_t run_end(std::size_t at) const;

  bool joins(std::size_t word, std::size_t at) const;
  bool joins_parts(std::size_t word, std::size_t at) const;
  bool is_missing_space(std::size_t word, std::size_t at) const;
  TokenKind kind_with_full_stop(std::size_t first, std::size_t last);
  TokenKind kind_of_number_with_full_stop(std::size_t first, std::size_t last);

  void add(std::size_t first, std::size_t last, TokenKind kind);
  void add_number(std::size_t first, std::size_t last);
  void add_cut(std::size_t first, std::size_t last);
  void add_cut_at_apostrophe(std::size_t first, std::size_t last);

  bool is_word(std::size_t at) const { return is_letter(at) || is_digit(at); }
  bool is_letter(std::size_t at) const { return at < size_ && units_[at].kind == Class::letter; }
  bool is_digit(std::size_t at) const { return at < size_ && units_[at].kind == Class::digit; }
  bool is_sign(std::size_t at, char32_t sign) const {
    return at < size_ && units_[at].character == sign;
  }
  std::size_t elision_end(std::size_t first, std::size_t last) const;
  bool begins_item(std::size_t at) const;
  bool is_apostrophe(std::size_t at) const;
  bool is_hyphen(std::size_t at) const;
  bool are_digits(std::size_t first, std::size_t last) const;
  std::size_t offset(std::size_t unit) const {
    return unit < size_ ? units_[unit].begin : chunk_end_;
  }
  std::string_view bytes(std::size_t first, std::size_t last) const {
    return text_.substr(offset(first), offset(last) - offset(first));
  }
  std::u32string_view folded(std::size_t first, std::size_t last) const;

  const TokenRules& rules_;
  Boundaries words_;
  Boundaries clusters_;
  std::string_view text_;
  std::vector<RuleToken>* tokens_ = nullptr;

  // The current chunk.
  std::size_t chunk_begin_ = 0;
  std::size_t chunk_end_ = 0;
  bool letters_only_ = false;
  bool may_have_address_ = false;
  std::vector<Unit> units_;
  std::size_t size_ = 0;

  // The beginning of the next chunk, once it has been examined.
  static constexpr std::size_t kMaxNextWord = 32;
  bool looked_behind_ = false;
  char32_t next_ = 0;  // its first character; 0 at the end of the text
  std::string_view next_word_;

  // The run of one sign that was examined last.
  mutable std::size_t repeats_begin_ = 0;
  mutable std::size_t repeats_end_ = 0;

  mutable std::u32string folded_;
  WordPatterns::Cuts cuts_;
};

}  // namespace elmo
