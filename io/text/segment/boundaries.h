// ICU's boundaries of characters, words and sentences (Unicode Standard Annex #29, with ICU's
// dictionaries for scripts that are written without spaces: they go by the script, whatever the
// locale).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct UBreakIterator;
struct UText;

namespace elmo {

enum class BoundaryKind { cluster, word, sentence };

/// Iterates over the boundaries of a text. Made once and used for many texts: making one reads
/// ICU's rules, setting a text is cheap. One thread at a time.
class Boundaries {
 public:
  /// `locale` as from canonical_locale().
  Boundaries(BoundaryKind kind, const std::string& locale);

  /// Takes a new text of valid UTF-8, at most 1 GiB, that outlives its use here.
  void set_text(std::string_view text);

  /// The next boundary in bytes, the text's end being the last; npos after that. The text's
  /// beginning is not handed out.
  std::size_t next();

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  struct Close {
    void operator()(UBreakIterator* iterator) const;
    void operator()(UText* text) const;
  };

  std::unique_ptr<UBreakIterator, Close> iterator_;
  std::unique_ptr<UText, Close> text_;
};

}  // namespace elmo
