#include "io/text/segment/html.h"

#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "io/text/segment/characters.h"

namespace elmo {
namespace {

/// Entities that are common in text, without & and ;.
constexpr std::array<std::string_view, 20> kEntities{
    "quot",  "amp",   "lt",    "gt",    "nbsp",  "apos",  "copy",  "reg",   "euro", "deg",
    "ndash", "mdash", "lsquo", "rsquo", "ldquo", "rdquo", "laquo", "raquo", "bull", "hellip"};

constexpr std::size_t kMaxEntity = 10;  // bytes, with & and ;

/// Tags that are common in text and have an end tag.
constexpr std::array<std::string_view, 45> kTags{
    "a",     "abbr", "b",      "big",   "blockquote", "body",   "caption", "center", "cite",
    "code",  "dd",   "div",    "dl",    "dt",         "em",     "font",    "h1",     "h2",
    "h3",    "h4",   "h5",     "h6",    "head",       "html",   "i",       "li",     "ol",
    "p",     "pre",  "script", "small", "span",       "strong", "sub",     "sup",    "table",
    "tbody", "td",   "tfoot",  "th",    "thead",      "title",  "tr",      "u",      "ul"};

/// Tags without an end tag.
constexpr std::array<std::string_view, 8> kVoidTags{"br",   "hr",   "img",   "input",
                                                    "link", "meta", "param", "wbr"};

/// Returns the number that `name`, such as #39 or #x27, gives a character; nothing if it does not.
std::optional<std::uint32_t> number_of_entity(std::string_view name) {
  if (!name.starts_with('#')) return std::nullopt;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x') || name.starts_with('X');
  if (hex) name.remove_prefix(1);
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [parsed, error] = std::from_chars(name.data(), end, number, hex ? 16 : 10);
  return parsed == end && error == std::errc() ? std::optional(number) : std::nullopt;
}

/// Returns the character of an entity's name; empty if it has none.
std::string character_of_entity(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kNames{
      {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}}};
  const auto* const found =
      std::ranges::find(kNames, name, &std::pair<std::string_view, const char*>::first);
  if (found != kNames.end()) return found->second;
  const auto number = static_cast<UChar32>(number_of_entity(name).value_or(0));
  std::string character;
  if (number > 0 && U_IS_UNICODE_CHAR(number)) {
    icu::UnicodeString(number).toUTF8String(character);
  }
  return character;
}

}  // namespace

std::size_t html_entity_end(std::string_view text, std::size_t begin) {
  const std::string_view entity = text.substr(begin, kMaxEntity);
  const std::size_t size = entity.find(';');
  if (!entity.starts_with('&') || size == std::string_view::npos) return std::string_view::npos;
  const std::string_view name = entity.substr(1, size - 1);
  const bool known =
      std::ranges::find(kEntities, name) != kEntities.end() || number_of_entity(name);
  return known ? begin + size + 1 : std::string_view::npos;
}

std::string decoded_entities(std::string_view text) {
  std::string decoded;
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&')) {
    decoded += text.substr(0, at);
    text.remove_prefix(at);
    const std::size_t end = text.substr(0, kMaxEntity).find(';');
    std::string character;
    if (end != std::string_view::npos) character = character_of_entity(text.substr(1, end - 1));
    decoded += character.empty() ? "&" : character;
    text.remove_prefix(character.empty() ? 1 : end + 1);
  }
  return decoded.append(text);
}

HtmlTag html_tag(std::string_view text, std::size_t begin) {
  constexpr std::size_t kMaxBytes = 512;
  std::string_view tag = text.substr(begin, kMaxBytes);
  if (!tag.starts_with('<')) return {};
  const std::size_t close = tag.find_first_of("<>", 1);
  if (close == std::string_view::npos || tag[close] == '<') return {};
  tag = tag.substr(1, close - 1);
  const bool ends = tag.starts_with('/');
  if (ends) tag.remove_prefix(1);
  const std::string name = lower_case(tag.substr(0, tag.find_first_of(" \t\r\n/")));
  const auto is_in = [&name](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  const bool has_end = is_in(kTags);
  if (!has_end && !is_in(kVoidTags)) return {};
  return {begin + close + 1, has_end && !ends};
}

}  // namespace elmo
