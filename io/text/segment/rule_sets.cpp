#include "io/text/segment/rule_sets.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Returns the size of the blank that `text` begins with, 0 if it begins with none: a space, a
/// no-break space or a narrow one.
std::size_t blank_size(std::string_view text) {
  for (const std::string_view blank : {" ", "\n", "\u00A0", "\u202F"}) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

/// True if a part, or its full stop, begins at `at` of "B.C.".
bool begins_part(const std::string& parts, std::size_t at) {
  return at == 0 || parts[at - 1] == '.' || parts[at] == '.';
}

/// Returns the size of `parts` with blanks at the beginning of `text`; 0 if it does not begin so.
std::size_t size_of_parts(const std::string& parts, std::string_view text) {
  constexpr std::size_t kMaxBlanks = 2;  // before a part
  std::size_t at = 0;
  std::size_t blanks = 0;
  for (std::size_t matched = 0; matched < parts.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(parts[matched])) {
      ++matched;
      ++at;
      blanks = 0;
      continue;
    }
    const std::size_t blank = blank_size(rest);
    if (blank == 0 || ++blanks > kMaxBlanks || !begins_part(parts, matched)) return 0;
    at += blank;
  }
  return at;
}

/// A word, composed, with its folded characters and where they begin.
struct FoldedWord {
  explicit FoldedWord(std::string_view word) : text(composed(word)) {
    for (std::size_t next = 0; next < text.size();) {
      begins.push_back(next);
      const UChar32 c = next_code_point(text, next);
      const bool apostrophe =
          begins.size() > 1 && is_apostrophe_between_letters(static_cast<char32_t>(c));
      characters += apostrophe ? U'\'' : fold_character(static_cast<char32_t>(c));
      if (begins.size() == 1) begins_upper = u_isupper(c) != 0;
      lower = lower || u_islower(c);
    }
  }

  std::string text;
  std::u32string characters;
  std::vector<std::size_t> begins;  // bytes
  bool begins_upper = false;
  bool lower = false;  // has a small letter
};

/// Writes the words that `contraction` stands for as it is written: in its case, and with the
/// apostrophe at its end, if both have one.
void adapt(std::vector<std::string>& words, const FoldedWord& contraction) {
  const bool upper = !contraction.lower && contraction.characters.size() > 1;
  if (contraction.begins_upper && upper) {
    for (std::string& word : words) word = upper_case(word);
  } else if (contraction.begins_upper) {
    std::string& first = words.front();
    std::size_t rest = 0;
    next_code_point(first, rest);
    first = upper_case(first.substr(0, rest)) + first.substr(rest);
  }
  if (contraction.characters.back() == '\'' && words.back().ends_with('\'')) {
    words.back().pop_back();
    words.back() += contraction.text.substr(contraction.begins.back());
  }
}

}  // namespace

char32_t fold_character(char32_t character) {
  if (character < 0x80) {
    if (character >= '0' && character <= '9') return '0';
    return character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character;
  }
  // The last two are written for the Greek apostrophe.
  constexpr std::u32string_view kForms = U"\u2019\u2018\u02BC\uFF07\u1FBD\u1FBF";
  if (is_in(character, kForms)) return '\'';
  if (character == 0x2010 || character == 0x2011) return '-';
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(character)));
}

void SignSet::add(char32_t sign) {
  if (sign < kAscii) {
    ascii_.set(sign);
  } else {
    others_.insert(sign);
  }
}

void Emoticons::add(const std::u32string& emoticon) {
  all_.insert(emoticon);
  const char32_t first = emoticon.front();
  (first < ascii_.size() ? ascii_[first] : others_[first]).set(emoticon.size());
}

void Affixes::add(const std::string& affix) {
  all_.insert(affix);
  sizes_.set(affix.size());
}

bool Affixes::end(std::string_view word) const {
  for (std::size_t size = 1; size <= kMaxBytes && size < word.size(); ++size) {
    if (sizes_[size] && all_.contains(std::string(word.substr(word.size() - size)))) return true;
  }
  return false;
}

bool Affixes::begin(std::string_view text) const {
  for (std::size_t size = 1; size <= kMaxBytes && size <= text.size(); ++size) {
    if (sizes_[size] && all_.contains(std::string(text.substr(0, size)))) return true;
  }
  return false;
}

void SpacedAbbreviations::add(const std::string& abbreviation) {
  const std::size_t end = abbreviation.find('.');
  if (end == 0 || end == std::string::npos) return;
  const auto parts = static_cast<std::size_t>(std::ranges::count(abbreviation, '.'));
  if (parts >= kMaxParts) return;
  std::vector<std::string>& rest = rest_[abbreviation.substr(0, end)];
  constexpr std::size_t kMaxRests = 16;  // bounds the search; no language has more
  const std::string others = abbreviation.substr(end + 1) + '.';
  if (rest.size() < kMaxRests && std::ranges::find(rest, others) == rest.end()) {
    rest.push_back(others);
  }
}

SpacedAbbreviations::Match SpacedAbbreviations::match(const std::string& first,
                                                      std::string_view after) const {
  const auto found = rest_.find(first);
  if (found == rest_.end()) return {};
  for (const std::string& others : found->second) {
    const std::size_t size = size_of_parts(others, after);
    if (size > 0) return {first + '.' + others.substr(0, others.size() - 1), size};
  }
  return {};
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

std::string Contractions::add(std::string_view entry) {
  constexpr const char* kExpected = "a word, = and the words that it stands for, as in du=de|le";
  const std::size_t equals = entry.find('=');
  if (equals == std::string_view::npos) return kExpected;
  const bool ending = entry.starts_with('*');
  const FoldedWord word(entry.substr(ending ? 1 : 0, equals - (ending ? 1 : 0)));
  if (word.characters.empty() || word.characters.size() > kMaxCharacters) {
    return "a word or an ending of 1 to 16 characters";
  }
  std::string_view rest = entry.substr(equals + 1);
  if (ending != rest.starts_with('*')) return "a star on both sides of =, as in *-se=*|se";
  if (ending) rest.remove_prefix(1);
  std::vector<std::string> words;
  for (;;) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    words.push_back(composed(rest.substr(0, end)));
    if (words.back().empty() && !(ending && words.size() == 1)) return kExpected;
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  if (words.size() < 2) return "two words or more, separated by |";
  (ending ? endings_ : whole_)[word.characters] = std::move(words);
  return "";
}

std::vector<std::string> Contractions::words_of(std::string_view token) const {
  if (token.size() > WordPatterns::kMaxCharacters * U8_MAX_LENGTH) return {};
  const FoldedWord word(token);
  std::vector<std::string> words;
  if (const auto found = whole_.find(word.characters); found != whole_.end()) {
    words = found->second;
    adapt(words, word);
    return words;
  }
  for (std::size_t at = 1; !endings_.empty() && at < word.characters.size(); ++at) {
    if (word.characters.size() - at > kMaxCharacters) continue;
    const auto found = endings_.find(word.characters.substr(at));
    if (found == endings_.end()) continue;
    words = found->second;
    words.front().insert(0, word.text, 0, word.begins[at]);
    adapt(words, word);
    return words;
  }
  return words;
}

}  // namespace elmo
