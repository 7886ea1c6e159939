// The characters of tokens, and their ids: rows of the character embedding.
//
// Ids are bytes of UTF-8, as in the published models, or entries of a dictionary of code points, as
// in the models of ELMoForManyLangs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace elmo {

/// Returns the code point at `position` < text.size() and moves `position` past it. `text` is valid
/// UTF-8; a byte that is not part of a character counts as U+FFFD. Any thread.
char32_t decode_character(std::string_view text, std::size_t& position);

/// Returns the number of characters in `text`.
std::size_t count_characters(std::string_view text);

/// Returns the first `count` characters of `text`, or all if it has fewer.
std::string_view first_characters(std::string_view text, std::size_t count);

/// The boundaries of a sentence, `<S>` and `</S>`.
enum class Boundary { begin_sentence, end_sentence };

/// The dictionary entries that are marks rather than characters of a text.
struct CharMarks {
  std::string begin_sentence;
  std::string end_sentence;
  std::string begin_word;
  std::string end_word;
  std::string padding;
  std::string unknown;
};

/// Maps code points to rows of the character embedding. Immutable once built, so threads may share
/// it.
class CharDictionary {
 public:
  /// `entries` in row order: characters, marks, and others, which are never used. InputError if a
  /// mark is missing or an entry is duplicated.
  CharDictionary(std::vector<std::string> entries, const CharMarks& marks);

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  const std::vector<std::string>& entries() const { return entries_; }

  /// Fills `ids` with [begin word, characters…, end word, padding…] and returns the number of ids
  /// that are not padding. Cuts characters past ids.size() − 2. Characters that are not in the
  /// dictionary get the unknown id. A token whose cut text is the name of a boundary becomes that
  /// boundary.
  std::size_t ids(std::string_view token, std::span<std::int32_t> ids) const;

  /// Fills `ids` for a boundary as for a word of one character, the boundary's mark.
  std::size_t ids(Boundary boundary, std::span<std::int32_t> ids) const;

 private:
  std::vector<std::string> entries_;
  CharMarks marks_;
  std::unordered_map<char32_t, std::int32_t> rows_;
  std::int32_t begin_sentence_ = 0;
  std::int32_t end_sentence_ = 0;
  std::int32_t begin_word_ = 0;
  std::int32_t end_word_ = 0;
  std::int32_t padding_ = 0;
  std::int32_t unknown_ = 0;
};

/// Fills `ids` with [begin word, bytes…, end word, padding…] and returns the number of ids that are
/// not padding. Cuts bytes past ids.size() − 2, possibly inside a character, as the reference does.
std::size_t char_ids(std::string_view token, std::span<std::int32_t> ids);

/// Fills `ids` for a boundary as for a word of one character, the boundary's mark.
std::size_t char_ids(Boundary boundary, std::span<std::int32_t> ids);

}  // namespace elmo
