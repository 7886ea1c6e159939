// Repair of invalid UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// U+FFFD, the replacement for invalid sequences.
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// A text in which each maximal subpart of an ill-formed sequence is replaced by U+FFFD (The
/// Unicode Standard 15, section 3.9, "U+FFFD Substitution of Maximal Subparts"; the same as the
/// W3C's Encoding Standard). Maps its positions back to the source. One thread at a time.
class RepairedText {
 public:
  /// Sets a new source of at most 1 GiB, which is copied.
  void assign(std::string_view source);

  /// The repaired text, valid UTF-8; valid until the next assign().
  std::string_view text() const { return text_; }

  /// Replaces each carriage return and line feed with a space.
  void unwrap_lines();

  /// Returns the byte offset in the source of the character at `position` of text(); for the end of
  /// text(), the end of the source.
  std::size_t source_offset(std::size_t position) const;

  /// Returns text() with each replacement turned into a mark of equal size that encodes how many
  /// bytes it replaced: U+FDD1, U+FDD2 or U+FDD3. For before_repair().
  std::string marked() const;

  /// Number of replacements in the first `size` bytes of the source.
  std::size_t repairs_within(std::size_t size) const;

  /// Byte offset of the first replacement in the source; npos if there is none.
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

/// Undoes the repair of a string that was parsed from RepairedText::text(): each replacement
/// becomes as many ill-formed bytes as the source had. A RepairedText of the result has the same
/// text and the offsets of the source. `marked` is the same string, parsed from marked().
std::string before_repair(std::string_view text, std::string_view marked);

/// Returns where to cut `bytes`, a part of a text: after the last ASCII white space or control
/// character of its second half, otherwise after its last complete character. Never 0 for 4 bytes
/// or more.
std::size_t cut_position(std::string_view bytes);

}  // namespace elmo
