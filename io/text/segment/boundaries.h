// ICU's boundaries of characters, words and sentences (Unicode Standard Annex #29). Scripts written
// without spaces use ICU's dictionaries, which depend on the script and not on the locale.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct UBreakIterator;
struct UText;

namespace elmo {

enum class BoundaryKind { cluster, word, sentence };

/// Iterates over the boundaries of a text. Reuse it for many texts: construction reads ICU's rules,
/// setting a text is cheap. One thread at a time.
class Boundaries {
 public:
  /// `locale` comes from canonical_locale().
  Boundaries(BoundaryKind kind, const std::string& locale);

  /// Sets a new text of valid UTF-8, at most 1 GiB, which must stay alive while it is used.
  void set_text(std::string_view text);

  /// Returns the next boundary as a byte offset; the last one is the end of the text, and npos
  /// follows it. The beginning of the text is not returned.
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
