#include "io/model/vocabulary.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/foreign_content.h"
#include "io/text/segment/normalization.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr std::string_view kIgnoredLine = "!!!MAXTERMID";

std::string_view stripped(std::string_view line) {
  constexpr std::string_view kWhiteSpace = " \t\r\v\f";
  const std::size_t begin = line.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kWhiteSpace) - begin + 1);
}

/// Returns the canonical form of a word; published vocabularies may have words of invalid UTF-8.
std::string form_of_word(std::string_view word) {
  RepairedText repaired;
  repaired.assign(word);
  return repaired.first_repair() == RepairedText::npos ? canonical_form(word) : std::string(word);
}

}  // namespace

Vocabulary parse_vocabulary(std::string_view text, const std::string& name) {
  if (const std::string foreign = foreign_content(text); !foreign.empty()) {
    throw InputError(name + foreign + "; expected words, one a line");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> words;
  std::unordered_set<std::string_view> seen;  // parts of `text`
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view word = stripped(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word == kIgnoredLine) continue;
    words.emplace_back(word);
    // Vocabulary will refuse the repeated word, so the rest, which may be long, need not be kept.
    if (!seen.insert(word).second) break;
  }
  return name_errors(name, [&] { return Vocabulary(std::move(words), {}, form_of_word); });
}

Vocabulary parse_word_list(std::string_view text, const std::string& name) {
  Vocabulary vocabulary = parse_vocabulary(text, name);
  RepairedText repaired;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) {
    const std::string& word = vocabulary.word(row);
    repaired.assign(word);
    const bool valid = repaired.first_repair() == RepairedText::npos;
    if (valid && !word.empty()) continue;
    throw InputError(name + ": word " + std::to_string(row + 1) +
                     (valid ? " is blank" : " is not valid UTF-8: " + excerpt(escaped_name(word))) +
                     "; expected a word of UTF-8 on every line");
  }
  return vocabulary;
}

bool fits_vocabulary_file(std::string_view word) {
  return !word.empty() && stripped(word) == word && word.find('\n') == std::string_view::npos &&
         word != kIgnoredLine;
}

std::string vocabulary_text(const Vocabulary& vocabulary) {
  std::string text;
  for (std::int64_t row = 0; row < vocabulary.size(); ++row) text += vocabulary.word(row) + '\n';
  return text;
}

}  // namespace elmo
