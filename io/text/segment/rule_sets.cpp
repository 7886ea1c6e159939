#include "io/text/segment/rule_sets.h"

#include <algorithm>

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

}  // namespace

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

}  // namespace elmo
