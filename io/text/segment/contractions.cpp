#include "io/text/segment/contractions.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"
#include "io/text/segment/word_patterns.h"

namespace elmo {
namespace {

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

/// Gives the words of `contraction` its case, and the last one its apostrophe.
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
