// Text between blanks, as the characters that tokenizers examine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// The kind of a character, as far as it affects where tokens end.
enum class CharacterKind : std::uint8_t {
  letter,
  digit,
  dictionary,  ///< from a script whose words ICU's dictionaries find
  sign
};

/// The stretches of a text without white space and control characters, one after the other. Each
/// character has its combining marks, and what belongs to its grapheme cluster, with it. A letter
/// and a mark that Unicode can compose count as the composed letter. Positions are numbers of
/// characters; every query may be asked beyond the end. One thread at a time.
class Chunk {
 public:
  /// `dictionary`: Han and kana are of the kind dictionary, too. `locale` comes from
  /// canonical_locale().
  Chunk(bool dictionary, const std::string& locale);

  /// Sets a new text of valid UTF-8, which must stay alive while it is used.
  void set_text(std::string_view text);

  /// Finds the next chunk; returns false at the end of the text. Only range(), letters_only() and
  /// may_have_address() are valid before decode().
  bool next();

  /// Splits the chunk into characters.
  void decode();

  /// The text that set_text() set.
  std::string_view text() const { return text_; }

  TextRange range() const { return range_; }

  /// True if the chunk consists of simple letters.
  bool letters_only() const { return letters_only_; }

  /// True if the chunk has a sign that every address contains.
  bool may_have_address() const { return may_have_address_; }

  std::size_t size() const { return units_.size(); }

  /// Returns the character at a position, U+0000 beyond the end.
  char32_t at(std::size_t at) const { return at < size() ? units_[at].character : U'\0'; }

  /// The same, folded (fold_character).
  char32_t folded_at(std::size_t at) const { return at < size() ? folded_[at] : U'\0'; }

  CharacterKind kind(std::size_t at) const {
    return at < size() ? units_[at].kind : CharacterKind::sign;
  }
  bool is_letter(std::size_t at) const { return kind(at) == CharacterKind::letter; }
  bool is_digit(std::size_t at) const { return kind(at) == CharacterKind::digit; }
  bool is_dictionary(std::size_t at) const { return kind(at) == CharacterKind::dictionary; }
  bool is_han_or_kana(std::size_t at) const {
    constexpr char32_t kFirst = 0x2E80;  // after all other scripts of the kind dictionary
    return is_dictionary(at) && this->at(at) >= kFirst;
  }
  bool is_word(std::size_t at) const { return is_letter(at) || is_digit(at); }
  bool is_sign(std::size_t at, char32_t sign) const {
    return at < size() && units_[at].character == sign;
  }
  bool is_apostrophe(std::size_t at) const { return folded_at(at) == '\''; }
  bool is_hyphen(std::size_t at) const { return folded_at(at) == '-'; }

  /// True if the characters [first, last) are digits.
  bool are_digits(std::size_t first, std::size_t last) const;

  /// Returns where a character begins in the text; the end of the chunk if it is beyond the end.
  std::size_t offset(std::size_t at) const { return at < size() ? units_[at].begin : range_.end; }

  /// Returns the text of the characters [first, last).
  std::string_view bytes(std::size_t first, std::size_t last) const {
    return text_.substr(offset(first), offset(last) - offset(first));
  }

  /// Returns the same as rules list words: composed, without invisible characters.
  std::string word(std::size_t first, std::size_t last) const;

  /// Returns the folded characters [first, last). Valid until the next decode().
  std::u32string_view folded(std::size_t first, std::size_t last) const {
    return std::u32string_view(folded_).substr(first, last - first);
  }

  /// Returns the first character after the chunk that is no blank; U+0000 at the end of the text.
  char32_t next_character();

  /// Returns the letters that begin there, composed, at most kMaxNextWord bytes of the text.
  const std::string& next_word();

  static constexpr std::size_t kMaxNextWord = 32;

 private:
  struct Unit {
    std::size_t begin;  // in text_
    char32_t character;
    CharacterKind kind;
  };

  bool has_dictionary(char32_t letter) const;
  void merge_clusters();
  void compose();
  void look_ahead();

  bool dictionary_;
  Boundaries clusters_;
  std::string_view text_;
  TextRange range_;
  bool letters_only_ = false;
  bool may_have_address_ = false;
  bool has_marks_ = false;  // combining marks, or invisible characters
  std::vector<Unit> units_;
  std::u32string folded_;

  bool looked_ahead_ = false;
  char32_t next_character_ = 0;
  std::string next_word_;
};

}  // namespace elmo
