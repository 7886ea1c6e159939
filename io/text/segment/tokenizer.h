// ICU's words and sentences, with this program's additions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "io/text/segment/abbreviations.h"
#include "io/text/segment/boundaries.h"
#include "io/text/segment/text_range.h"

namespace elmo {

/// Revision of what these classes, Abbreviations and FreeTextReader add to ICU. Raise it with every
/// change that gives some text other tokens or sentences.
inline constexpr int kTokenizerRevision = 2;

/// The last revision that changed tokens; later ones only changed sentences.
inline constexpr int kTokensRevision = 1;

/// The tokens of a text: words, numbers, symbols and punctuation marks. A token is the text between
/// two word boundaries, without white space and control characters (White_Space, General_Category
/// Cc) at either end. It is dropped if no visible character is left (only
/// Default_Ignorable_Code_Point: zero-width space, byte order mark, direction marks, …). White
/// space inside a word stays: a narrow no-break space between digits joins them. One thread at a
/// time.
class Tokenizer {
 public:
  explicit Tokenizer(const std::string& locale) : words_(BoundaryKind::word, locale) {}

  /// Sets a new text of valid UTF-8, which must stay alive while it is used.
  void set_text(std::string_view text);

  /// Finds the next token that begins before `limit`; returns false if there is none.
  bool next(std::size_t limit, TextRange& token);

  /// Where the search for the next token continues.
  std::size_t position() const { return position_; }

 private:
  Boundaries words_;
  std::string_view text_;
  std::size_t position_ = 0;
};

/// The sentences of a text. One thread at a time.
class SentenceBreaker {
 public:
  SentenceBreaker(const std::string& locale, Abbreviations abbreviations)
      : sentences_(BoundaryKind::sentence, locale), abbreviations_(std::move(abbreviations)) {}

  /// Sets a new text of valid UTF-8, which must stay alive while it is used.
  void set_text(std::string_view text);

  /// Returns where the next sentence ends and the one after it begins; npos after the last.
  std::size_t next();

  static constexpr std::size_t npos = Boundaries::npos;

 private:
  Boundaries sentences_;
  Abbreviations abbreviations_;
  std::string_view text_;
};

}  // namespace elmo
