#include <unicode/uchar.h>

#include <algorithm>
#include <functional>
#include <set>

#include "io/text/segment/characters.h"
#include "io/text/segment/icu.h"
#include "io/text/segment/segmenter.h"

namespace elmo {
namespace {

constexpr std::string_view kMissingInEnglish[] = {"Dr.",  "St.",     "Gen.", "Gov.",
                                                  "Sen.", "Messrs.", "cf."};

/// White space that does not end a paragraph or a line.
bool is_space_in_line(UChar32 c) {
  return u_isUWhiteSpace(c) && c != '\n' && c != '\r' && c != 0x85 && c != 0x2028 && c != 0x2029;
}

/// True for one capital, or for several letters of any case, each followed by a full stop.
bool is_dotted_letters(std::string_view word) {
  std::size_t letters = 0;
  bool capital = false;
  for (std::size_t next = 0; next < word.size(); ++letters) {
    const UChar32 letter = next_code_point(word, next);
    if (!u_isalpha(letter) || next == word.size() || word[next] != '.') return false;
    capital = u_isupper(letter);
    ++next;
  }
  return letters > 1 || capital;
}

/// True if an abbreviation can begin at `position`: not inside a word and not after a word's full
/// stops.
bool can_begin(std::string_view text, std::size_t position) {
  if (position == 0) return true;
  const UChar32 before = previous_code_point(text, position);
  return before != '.' && !u_isalnum(before) && u_charType(before) != U_NON_SPACING_MARK;
}

/// True if the text ends with "et al." in brackets. A sentence that ends there has a full stop
/// after the bracket.
bool ends_with_reference(std::string_view text) {
  constexpr std::string_view kAndOthers = "et al.";
  if (!text.ends_with(')') && !text.ends_with(']')) return false;
  text.remove_suffix(1);
  return text.ends_with(kAndOthers) && can_begin(text, text.size() - kAndOthers.size());
}

/// The abbreviations that do not end a sentence: ICU's sentence break suppressions (CLDR,
/// "segmentation suppressions") of a locale, the titles that its English list lacks, and, in any
/// language, letters each followed by a full stop ("J. Smith", "the U.S. Army", "z.B. Äpfel"; a
/// single letter only if it is a capital).
///
/// ICU's own filter (FilteredBreakIteratorBuilder of ICU 72) is not used. It compares with ends of
/// words: "He joined NATO. Then" is one sentence to it, because "O." is an abbreviation. It also
/// misses an abbreviation that ends with several full stops ("the U.S. Army" is two sentences).
/// Immutable.
class Abbreviations {
 public:
  /// The abbreviations of a locale from canonical_locale(). The root locale has the English and the
  /// Russian ones, ICU's only lists for Latin and Cyrillic script that suit text of unknown
  /// language. A locale for which ICU has no list has only single letters.
  explicit Abbreviations(const std::string& locale) {
    for (const std::string& abbreviation : listed_abbreviations(locale)) add(abbreviation);
    if (locale == kRootLocale || language_of(locale) == "en") {
      for (const std::string_view missing : kMissingInEnglish) add(std::string(missing));
    }
  }

  /// True if `boundary`, a possible end of a sentence of `text`, follows an abbreviation and white
  /// space, is inside an abbreviation with spaces ("n. | Chr."), or follows a reference in brackets
  /// ("(Smith et al.) ").
  bool at(std::string_view text, std::size_t boundary) const {
    const std::string_view after = text.substr(boundary);
    std::string_view before = text.substr(0, boundary);
    for (std::size_t end = before.size(); end > 0; before = before.substr(0, end)) {
      if (!is_space_in_line(previous_code_point(before, end))) break;
    }
    if (ends_with_reference(before)) return true;
    if (!before.ends_with('.')) return false;
    for (const Spaced& spaced : spaced_) {
      if (before.ends_with(spaced.before) && after.starts_with(spaced.after) &&
          can_begin(before, before.size() - spaced.before.size())) {
        return true;
      }
    }
    constexpr std::size_t kLongestDottedLetters = 16;
    const std::size_t longest = std::max(longest_, kLongestDottedLetters);
    for (std::size_t begin = before.size(); begin > 0 && before.size() - begin < longest;) {
      previous_code_point(before, begin);
      if (can_begin(before, begin) && contains(before.substr(begin))) return true;
    }
    return false;
  }

 private:
  struct Spaced {
    std::string before;  // text before a possible boundary: "n."
    std::string after;   // "Chr."
  };

  void add(const std::string& abbreviation) {
    longest_ = std::max(longest_, abbreviation.size());
    for (std::size_t space = abbreviation.find(". "); space != std::string::npos;
         space = abbreviation.find(". ", space + 1)) {
      spaced_.push_back({abbreviation.substr(0, space + 1), abbreviation.substr(space + 2)});
    }
    whole_.insert(abbreviation);
  }

  bool contains(std::string_view word) const {
    return whole_.contains(word) || is_dotted_letters(word);
  }

  std::set<std::string, std::less<>> whole_;
  std::vector<Spaced> spaced_;
  std::size_t longest_ = 0;  // bytes
};

bool is_blank(UChar32 c) { return u_isUWhiteSpace(c) || u_charType(c) == U_CONTROL_CHAR; }

bool is_visible_ascii(char c) { return c > ' ' && c < '\x7f'; }

bool has_visible(std::string_view text) {
  for (std::size_t next = 0; next < text.size();) {
    if (!is_invisible(next_code_point(text, next))) return true;
  }
  return false;
}

/// Removes blanks at both ends; the range becomes empty if no visible character is left.
TextRange trim(std::string_view text, TextRange range) {
  if (is_visible_ascii(text[range.begin]) && is_visible_ascii(text[range.end - 1])) return range;
  for (std::size_t next = range.begin; range.begin < range.end; range.begin = next) {
    if (!is_blank(next_code_point(text, next))) break;
  }
  for (std::size_t before = range.end; range.begin < range.end; range.end = before) {
    if (!is_blank(previous_code_point(text, before))) break;
  }
  if (!has_visible(text.substr(range.begin, range.end - range.begin))) range.end = range.begin;
  return range;
}

/// Sentences and tokens by ICU. Tokens are words, numbers, symbols and punctuation marks. A token
/// is the text between two word boundaries, without white space and control characters
/// (White_Space, General_Category Cc) at either end. It is dropped if no visible character is left
/// (only Default_Ignorable_Code_Point: zero-width space, byte order mark, direction marks, …).
/// White space inside a word stays: a narrow no-break space between digits joins them.
class IcuSegmenter final : public Segmenter {
 public:
  explicit IcuSegmenter(const std::string& locale)
      : words_(BoundaryKind::word, locale),
        sentences_(BoundaryKind::sentence, locale),
        abbreviations_(locale) {}

  void set_text(std::string_view text) override {
    sentences_.set_text(text);
    begin(text);
  }

  Sentence next() override {
    std::size_t end = sentences_.next();
    while (end < text_.size() && abbreviations_.at(text_, end)) end = sentences_.next();
    if (end == Boundaries::npos) return {};
    take(end);
    return {tokens_, end, position_};
  }

  std::span<const TextRange> tokens_of(std::string_view text) override {
    begin(text);
    take(text.size());
    return tokens_;
  }

 private:
  void begin(std::string_view text) {
    words_.set_text(text);
    text_ = text;
    position_ = 0;
  }

  /// Returns the tokens that begin before `limit`.
  void take(std::size_t limit) {
    tokens_.clear();
    while (position_ < limit) {
      const std::size_t begin = position_;
      const std::size_t end = words_.next();
      if (end == Boundaries::npos) return;
      position_ = end;
      const TextRange token = trim(text_, {begin, end});
      if (token.begin < token.end) tokens_.push_back(token);
    }
  }

  Boundaries words_;
  Boundaries sentences_;
  Abbreviations abbreviations_;
  std::string_view text_;
  std::size_t position_ = 0;  // start of the search for the next token
  std::vector<TextRange> tokens_;
};

}  // namespace

std::unique_ptr<Segmenter> make_icu_segmenter(const std::string& locale) {
  return std::make_unique<IcuSegmenter>(locale);
}

}  // namespace elmo
