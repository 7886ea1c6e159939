// UTF-8 that may be damaged, made valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// U+FFFD, which stands for what is no character.
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// A text in which each maximal subpart of an ill-formed sequence is replaced by U+FFFD (The
/// Unicode Standard 15, section 3.9, "U+FFFD Substitution of Maximal Subparts"; the same as the
/// W3C's Encoding Standard), and the way back to the bytes it was made from. One thread at a time.
class RepairedText {
 public:
  /// Takes a new source of at most 1 GiB, which is copied.
  void assign(std::string_view source);

  /// Valid UTF-8, until the next assign().
  std::string_view text() const { return text_; }

  /// Makes each carriage return and line feed a space.
  void unwrap_lines();

  /// Where the character at `position` of text() begins in the source, in bytes; of the end, the
  /// end.
  std::size_t source_offset(std::size_t position) const;

  /// text() with a mark of equal size for each replacement, which says of how many bytes it was
  /// made: U+FDD1, U+FDD2 or U+FDD3. For before_repair().
  std::string marked() const;

  /// Replacements in the first `size` bytes of the source.
  std::size_t repairs_within(std::size_t size) const;

  /// Where the first replacement is in the source, in bytes; npos if there is none.
  std::size_t first_repair() const;

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  struct Repair {
    std::uint32_t text_begin;
    std::uint32_t source_begin;
    std::uint32_t source_end;
  };

  std::string text_;
  std::vector<Repair> repairs_;  // in order
};

/// A string that was parsed from RepairedText::text(), with as many ill-formed bytes in the place
/// of each replacement as the source had there: a RepairedText of it has the same text and the
/// offsets of the source. `marked` is the same string, parsed from marked().
std::string before_repair(std::string_view text, std::string_view marked);

/// Where to cut `bytes`, which is a part of a text: behind the last ASCII white space or control
/// character of its second half, else behind its last complete character. Never 0 for 4 bytes or
/// more.
std::size_t cut_position(std::string_view bytes);

}  // namespace elmo
