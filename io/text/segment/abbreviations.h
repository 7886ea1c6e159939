// Which full stops belong to an abbreviation.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// ICU's sentence break suppressions (CLDR) of a locale as from canonical_locale(); those of
/// English and Russian for the root locale, none where ICU has no list.
std::vector<std::string> listed_abbreviations(const std::string& locale);

/// The abbreviations that do not end a sentence: ICU's sentence break suppressions (CLDR,
/// "segmentation suppressions") of a locale, the titles that its English list lacks, and, in any
/// language, letters each followed by a full stop ("J. Smith", "the U.S. Army", "z.B. Äpfel"; a
/// single letter only if it is a capital).
///
/// ICU's own filter (FilteredBreakIteratorBuilder of ICU 72) is not used, because it compares with
/// ends of words ("He joined NATO. Then" is one sentence to it, for "O." is an abbreviation) and
/// does not find an abbreviation of several full stops at its end ("the U.S. Army" is two
/// sentences). Never changes once made.
class Abbreviations {
 public:
  /// None at all.
  Abbreviations() = default;

  /// Those of a locale as from canonical_locale(). The root locale has those of English and
  /// Russian, ICU's only lists for texts in Latin and in Cyrillic script that a text of unknown
  /// language can do with. A locale that ICU has no list for has single letters only.
  static Abbreviations of_locale(const std::string& locale);

  /// Whether `boundary`, where a sentence of `text` may end, follows an abbreviation and white
  /// space, or is inside of one that is written with spaces ("n. | Chr."), or follows a reference
  /// in brackets ("(Smith et al.) ").
  bool at(std::string_view text, std::size_t boundary) const;

 private:
  struct Spaced {
    std::string before;  // a possible boundary: "n."
    std::string after;   // "Chr."
  };

  void add(const std::string& abbreviation);
  bool contains(std::string_view word) const;

  bool suppresses_ = false;
  std::set<std::string, std::less<>> whole_;
  std::vector<Spaced> spaced_;
  std::size_t longest_ = 0;  // bytes
};

}  // namespace elmo
