// Full stops that belong to abbreviations.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Returns ICU's sentence break suppressions (CLDR) of a locale from canonical_locale(). The root
/// locale has the English and the Russian ones. Empty if ICU has no list.
std::vector<std::string> listed_abbreviations(const std::string& locale);

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
  explicit Abbreviations(const std::string& locale);

  /// True if `boundary`, a possible end of a sentence of `text`, follows an abbreviation and white
  /// space, is inside an abbreviation with spaces ("n. | Chr."), or follows a reference in brackets
  /// ("(Smith et al.) ").
  bool at(std::string_view text, std::size_t boundary) const;

 private:
  struct Spaced {
    std::string before;  // text before a possible boundary: "n."
    std::string after;   // "Chr."
  };

  void add(const std::string& abbreviation);
  bool contains(std::string_view word) const;

  std::set<std::string, std::less<>> whole_;
  std::vector<Spaced> spaced_;
  std::size_t longest_ = 0;  // bytes
};

}  // namespace elmo
