#include "io/text/segment/word_patterns.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "io/text/segment/characters.h"

namespace elmo {

char32_t fold_character(char32_t character) {
  if (character < 0x80) {
    if (character >= '0' && character <= '9') return '0';
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
  }
  // The last two are written for the Greek apostrophe.
  constexpr std::u32string_view kForms = U"\u2019\u2018\u02BC\uFF07\u1FBD\u1FBF";
  if (kForms.find(character) != std::u32string_view::npos) return '\'';
  if (character == 0x2010 || character == 0x2011) return '-';
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
}

std::size_t WordPatterns::filter_bit(std::u32string_view two) {
  return (two[0] * 61 + two[1]) % kFilterBits;
}

std::string WordPatterns::add(std::u32string_view pattern) {
  const std::size_t first = std::min(pattern.find_first_not_of(U'*'), pattern.size());
  const std::size_t last = pattern.find_last_not_of(U'*') + 1;
  const std::size_t stars_before = first;
  const std::size_t stars_after = last < first ? 0 : pattern.size() - last;
  if (stars_before > 0 && stars_after > 0) return "stars at one end only";
  std::u32string letters;
  Cuts cuts;
  for (const char32_t character : pattern) {
    if (character == '*' || belongs_to_character_before(static_cast<std::int32_t>(character)))
      continue;
    if (character == '|') {
      cuts.push_back(static_cast<std::uint8_t>(letters.size()));
    } else {
      letters += fold_character(character);
    }
  }
  if (letters.empty() || pattern.substr(first, last - first).find(U'*') != std::u32string::npos) {
    return "characters, with stars at one end only";
  }
  if (letters.size() > kMaxCharacters || std::max(stars_before, stars_after) > kMaxCharacters) {
    return "at most " + std::to_string(kMaxCharacters) + " characters";
  }
  // The text that the stars match is on one side of the outer cut.
  const std::size_t least = stars_before > 0 ? 0 : 1;
  const std::size_t most = letters.size() - (stars_after > 0 ? 0 : 1);
  for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
    const std::size_t before = cut == 0 ? least : cuts[cut - 1] + std::size_t{1};
    if (cuts[cut] < before || cuts[cut] > most) return "characters at both sides of each |";
  }
  if (stars_before == 0 && stars_after == 0) {
    if (letters.size() < 2) return "two characters or more";
    whole_[letters] = cuts;
    last_two_.set(filter_bit(std::u32string_view(letters).substr(letters.size() - 2)));
  } else {
    if (cuts.size() > 1) return "one | in a pattern with stars";
    if (letters.size() < 2) return "two characters or more beside the stars";
    Part part;
    part.stars = static_cast<std::uint8_t>(std::max(stars_before, stars_after));
    part.has_cut = !cuts.empty();
    if (stars_before > 0) {
      if (part.has_cut) part.cut = static_cast<std::uint8_t>(letters.size() - cuts[0]);
      ends_[letters] = part;
      longest_end_ = std::max(longest_end_, letters.size());
      last_two_.set(filter_bit(std::u32string_view(letters).substr(letters.size() - 2)));
    } else {
      if (part.has_cut) part.cut = cuts[0];
      beginnings_[letters] = part;
      longest_beginning_ = std::max(longest_beginning_, letters.size());
      first_two_.set(filter_bit(letters));
    }
  }
  need_signs_ = need_signs_ && std::ranges::any_of(letters, [](char32_t c) {
                  return !u_isalpha(static_cast<UChar32>(c));
                });
  return "";
}

WordPatterns::Match WordPatterns::match(std::u32string_view word, Cuts& cuts) const {
  if (word.size() < 2 || word.size() > kMaxCharacters) return Match::none;
  if (last_two_[filter_bit(word.substr(word.size() - 2))]) {
    if (const auto found = whole_.find(word); found != whole_.end()) {
      cuts = found->second;
      return Match::whole;
    }
    for (std::size_t size = std::min(longest_end_, word.size() - 1); size >= 2; --size) {
      const auto found = ends_.find(word.substr(word.size() - size));
      if (found == ends_.end() || word.size() - size < found->second.stars) continue;
      cuts.clear();
      if (found->second.has_cut) {
        cuts.push_back(static_cast<std::uint8_t>(word.size() - found->second.cut));
      }
      return Match::end;
    }
  }
  if (first_two_[filter_bit(word)]) {
    for (std::size_t size = std::min(longest_beginning_, word.size() - 1); size >= 2; --size) {
      const auto found = beginnings_.find(word.substr(0, size));
      if (found == beginnings_.end() || word.size() - size < found->second.stars) continue;
      cuts.clear();
      if (found->second.has_cut) cuts.push_back(found->second.cut);
      return Match::beginning;
    }
  }
  return Match::none;
}

}  // namespace elmo
