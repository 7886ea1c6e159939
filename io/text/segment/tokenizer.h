// ICU's words and sentences, as this program uses them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "io/text/segment/abbreviations.h"
#include "io/text/segment/boundaries.h"
#include "io/text/segment/text_range.h"

namespace elmo {

/// Revision of what these classes, Abbreviations and FreeTextReader add to ICU. A change that gives
/// any text other tokens or other sentences raises it.
inline constexpr int kTokenizerRevision = 2;

/// The revision that gave texts other tokens last; later ones gave them other sentences alone.
inline constexpr int kTokensRevision = 1;

/// The tokens of a text: what stands between two word boundaries, without white space and control
/// characters (White_Space, General_Category Cc) at either end, unless nothing that is seen is left
/// (only Default_Ignorable_Code_Point: zero-width space, byte order mark, direction marks, …). So
/// tokens are words, numbers, symbols and punctuation marks. White space inside of a word stays: a
/// narrow no-break space between digits joins them. One thread at a time.
class Tokenizer {
 public:
  explicit Tokenizer(const std::string& locale) : words_(BoundaryKind::word, locale) {}

  /// Takes a new text of valid UTF-8 that outlives its use here.
  void set_text(std::string_view text);

  /// Finds the next token that begins before `limit`; false if there is none.
  bool next(std::size_t limit, TextRange& token);

  /// Where looking for the next token continues.
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

  /// Takes a new text of valid UTF-8 that outlives its use here.
  void set_text(std::string_view text);

  /// Where the next sentence ends and the one after it begins; npos after the last.
  std::size_t next();

  static constexpr std::size_t npos = Boundaries::npos;

 private:
  Boundaries sentences_;
  Abbreviations abbreviations_;
  std::string_view text_;
};

}  // namespace elmo
