// UTF-8: code points, repair of invalid sequences, and escapes.
#pragma once

#include <unicode/utf8.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// U+FEFF, which marks a text as UTF-8 at its beginning.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Half-open range of bytes of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The macros narrow integers deliberately, which our warnings do not allow.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/// Returns the code point at `position` and advances `position` past it. Returns a negative number
/// for an ill-formed sequence and skips one maximal subpart of it.
inline UChar32 next_code_point(std::string_view text, std::size_t& position) {
  UChar32 code_point = 0;
  U8_NEXT(text.data(), position, text.size(), code_point);
  return code_point;
}

/// Returns the code point that ends at `position` > 0 and moves `position` to its start. The text
/// must be valid.
inline UChar32 previous_code_point(std::string_view text, std::size_t& position) {
  do {
    --position;
  } while (position > 0 && U8_IS_TRAIL(text[position]));
  std::size_t next = position;
  return next_code_point(text, next);
}

/// Returns the size of `text` without an incomplete character at its end.
inline std::size_t size_of_complete_characters(std::string_view text) {
  auto size = static_cast<std::ptrdiff_t>(text.size());  // the macro computes negative sizes
  U8_TRUNCATE_IF_INCOMPLETE(text.data(), 0, size);
  return static_cast<std::size_t>(size);
}

#pragma GCC diagnostic pop

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

  /// Byte offset of the first replacement in the source; npos without a replacement.
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
/// text and the source's offsets. `marked` is the same string, parsed from marked().
std::string before_repair(std::string_view text, std::string_view marked);

/// Returns where to cut `bytes`, a part of a text: after the last ASCII white space or control
/// character of its second half, otherwise before its last grapheme cluster, which may continue
/// after it. A single cluster is cut after its last complete character. Never 0 for 4 bytes or
/// more.
std::size_t cut_position(std::string_view bytes);

/// Returns the name as UTF-8 without NUL, for outputs that must be valid text: HDF5 strings, JSON,
/// XML. NUL and every byte outside a valid sequence become `\xHH`, with two lower-case hexadecimal
/// digits; everything else is unchanged. In Python, os.fsencode(name).decode("utf-8",
/// "backslashreplace") gives the same for a file name.
std::string escaped_name(std::string_view name);

/// Returns the text for a terminal: like escaped_name(), but control characters other than line
/// feeds and tabs become `\xHH`, too. Otherwise a file name could move the cursor or change the
/// colors.
std::string printable_text(std::string_view text);

/// Returns `\xHH` for each byte.
std::string escaped_bytes(std::string_view bytes);

}  // namespace elmo
