#include "io/text/segment/abbreviations.h"

#include <unicode/localpointer.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>

#include <algorithm>

#include "io/text/segment/icu.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr const char* kBreakData = U_ICUDATA_NAME "-brkitr";
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

/// Appends the list of exactly this locale, if ICU has one.
void append_list(const std::string& locale, std::vector<std::string>& abbreviations) {
  // Opened directly, because a search would fall back to the list of the system's locale.
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUResourceBundlePointer data(ures_openDirect(kBreakData, locale.c_str(), &status));
  const icu::LocalUResourceBundlePointer exceptions(
      ures_getByKey(data.getAlias(), "exceptions", nullptr, &status));
  const icu::LocalUResourceBundlePointer list(
      ures_getByKey(exceptions.getAlias(), "SentenceBreak", nullptr, &status));
  if (status == U_MISSING_RESOURCE_ERROR) return;
  check_icu(status, "read the abbreviations of the locale " + locale);
  while (ures_hasNext(list.getAlias())) {
    const char* key = nullptr;
    int32_t size = 0;
    const UChar* text = ures_getNextString(list.getAlias(), &size, &key, &status);
    check_icu(status, "read the abbreviations of the locale " + locale);
    icu::UnicodeString(text, size).toUTF8String(abbreviations.emplace_back());
  }
}

}  // namespace

std::vector<std::string> listed_abbreviations(const std::string& locale) {
  std::vector<std::string> list;
  if (locale == kRootLocale) {
    append_list("en", list);
    append_list("ru", list);
  } else {
    const std::string language = language_of(locale);
    append_list(language, list);
    if (locale != language) append_list(locale, list);
  }
  return list;
}

Abbreviations::Abbreviations(const std::string& locale) {
  for (const std::string& abbreviation : listed_abbreviations(locale)) add(abbreviation);
  if (locale == kRootLocale || language_of(locale) == "en") {
    for (const std::string_view missing : kMissingInEnglish) add(std::string(missing));
  }
}

void Abbreviations::add(const std::string& abbreviation) {
  longest_ = std::max(longest_, abbreviation.size());
  for (std::size_t space = abbreviation.find(". "); space != std::string::npos;
       space = abbreviation.find(". ", space + 1)) {
    spaced_.push_back({abbreviation.substr(0, space + 1), abbreviation.substr(space + 2)});
  }
  whole_.insert(abbreviation);
}

bool Abbreviations::contains(std::string_view word) const {
  return whole_.contains(word) || is_dotted_letters(word);
}

bool Abbreviations::at(std::string_view text, std::size_t boundary) const {
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

}  // namespace elmo
