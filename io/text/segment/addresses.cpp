#include "io/text/segment/addresses.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string_view>

namespace elmo {
namespace {

/// Signs after an address that do not belong to it.
constexpr std::u32string_view kAfterAddress = U".,;:!?'*\u2019\u2026";
/// Signs that never occur in an address.
constexpr std::u32string_view kNotInAddress = U"<>\"\u201C\u201D\u201E\u00AB\u00BB\u300C\u300D";
constexpr std::u32string_view kInAccount = U"._-+%";
/// Maximum number of characters of an account or host: above all real ones, and small enough to
/// bound the search.
constexpr std::size_t kMaxAddress = 320;

bool is_in(char32_t c, std::u32string_view signs) {
  return signs.find(c) != std::u32string_view::npos;
}

/// True for hiragana, which particles and endings are written in.
bool is_hiragana(char32_t c) { return c >= 0x3041 && c <= 0x309F; }

/// True if an address ends before `at`: at a sign that is neither ASCII nor part of a word, at
/// signs that belong to text, and before the letters of a script without blanks that follow an
/// ASCII letter or digit, or hiragana, as particles are, after a slash.
bool ends_address(const Chunk& chunk, std::size_t at) {
  constexpr char32_t kMiddleDot = 0xB7;  // par·lel
  const char32_t c = chunk.at(at);
  if (is_in(c, kNotInAddress)) return true;
  if (c < 0x80) return false;
  if (chunk.is_dictionary(at)) {
    const char32_t before = chunk.at(at - 1);
    return before < 0x80 && (chunk.is_word(at - 1) || (before == '/' && is_hiragana(c)));
  }
  if (chunk.kind(at) != CharacterKind::sign || c == kMiddleDot) return false;
  return !(chunk.is_apostrophe(at) && chunk.is_letter(at + 1));
}

/// Returns the end of the URL that contains position `at`.
std::size_t url_end(const Chunk& chunk, std::size_t at) {
  std::size_t end = at;
  std::size_t open = 0;
  while (end < chunk.size() && !ends_address(chunk, end)) {
    const char32_t c = chunk.at(end);
    if (c == '(' || c == '[') ++open;
    if (c == ')' || c == ']') {
      if (open == 0) break;
      --open;
    }
    ++end;
  }
  while (end > at && is_in(chunk.at(end - 1), kAfterAddress)) --end;
  return end;
}

/// Returns the end of the host of an e-mail address that begins at `at`.
std::size_t mail_host_end(const Chunk& chunk, std::size_t at) {
  while (chunk.is_word(at) ||
         ((chunk.is_sign(at, '.') || chunk.is_sign(at, '-')) && chunk.is_word(at + 1))) {
    ++at;
  }
  return at;
}

/// Returns the beginning of the last label of the host name [at, end); `at` if it has no other.
std::size_t last_label(const Chunk& chunk, std::size_t at, std::size_t end) {
  std::size_t label = end;
  while (label > at && chunk.at(label - 1) != '.') --label;
  return label;
}

}  // namespace

std::size_t address_end(const Chunk& chunk, const TokenRules& rules, std::size_t at) {
  if (at > 0 && chunk.is_word(at - 1)) return at;
  std::size_t end = at;
  bool has_dot = false;
  while (chunk.is_word(end) || (end < chunk.size() && is_in(chunk.at(end), kInAccount))) {
    if (end - at > kMaxAddress) return at;
    has_dot = has_dot || chunk.at(end) == '.';
    ++end;
  }
  if (end == at) return at;
  if (chunk.is_sign(end, ':') && chunk.is_sign(end + 1, '/') && chunk.is_sign(end + 2, '/') &&
      end + 3 < chunk.size() && !has_dot && chunk.is_letter(at)) {
    return url_end(chunk, end + 3);
  }
  if (chunk.is_sign(end, '@') && chunk.is_word(at) && chunk.is_word(end + 1)) {
    return mail_host_end(chunk, end + 1);
  }
  if (!has_dot || !chunk.is_word(at)) return at;
  while (end > at && !chunk.is_word(end - 1)) --end;  // excludes a trailing full stop
  const std::size_t label = last_label(chunk, at, end);
  if (label == at) return at;
  const bool known = rules.domains.contains(std::u32string(chunk.folded(label, end)));
  const bool www = chunk.folded(at, std::min(at + 4, end)) == U"www.";
  if ((!www && !known) || !chunk.is_word(label - 2)) return at;
  if (chunk.is_sign(end, '/') || (chunk.is_sign(end, ':') && chunk.is_digit(end + 1))) {
    return url_end(chunk, end);
  }
  return end;
}

std::size_t EmoticonFinder::end(const Chunk& chunk, std::size_t at) {
  const auto sizes = rules_.emoticons.sizes(chunk.at(at));
  if (sizes.none()) return at;
  for (std::size_t size = std::min(Emoticons::kMaxCharacters, chunk.size() - at); size > 0;
       --size) {
    if (!sizes[size]) continue;
    candidate_.clear();
    for (std::size_t next = at; next < at + size; ++next) candidate_ += chunk.at(next);
    if (!rules_.emoticons.contains(candidate_)) continue;
    std::size_t end = at + size;
    const bool with_letters = std::ranges::any_of(
        candidate_, [](char32_t c) { return u_isalnum(static_cast<UChar32>(c)) != 0; });
    if (with_letters && ((at > 0 && chunk.is_word(at - 1)) || chunk.is_word(end))) continue;
    if (!with_letters) end = repeats_end(chunk, end - 1);
    if (chunk.is_sign(end, '/') || (chunk.is_word(end) && at > 0)) continue;
    return end;
  }
  return at;
}

/// Returns the position after the repeats of the sign at `at`. Each sign is examined once, because
/// a long run may begin with many failed matches of emoticons.
std::size_t EmoticonFinder::repeats_end(const Chunk& chunk, std::size_t at) {
  if (at >= repeats_begin_ && at < repeats_end_) return repeats_end_;
  repeats_begin_ = at;
  repeats_end_ = at + 1;
  while (chunk.is_sign(repeats_end_, chunk.at(at))) ++repeats_end_;
  return repeats_end_;
}

}  // namespace elmo
