// Repair of UTF-8. The Unicode Standard 15, section 3.9, defines maximal subparts; its tables 3-8
// to 3-11 are among the pairs.
#include "io/text/segment/utf8.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace elmo {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kFFFD = "\xef\xbf\xbd";

std::string repaired(std::string_view source) {
  RepairedText text;
  text.assign(source);
  return std::string(text.text());
}

/// Returns `count` replacement characters, then `rest`.
std::string replacements(std::size_t count, std::string_view rest = {}) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += kFFFD;
  return result.append(rest);
}

}  // namespace

TEST_CASE("valid UTF-8 is unchanged") {
  for (const std::string_view text :
       {""sv, "plain"sv, "\0\x01\x7f"sv, "\xc2\x80"sv, "\xdf\xbf"sv, "\xe0\xa0\x80"sv,
        "\xed\x9f\xbf"sv, "\xee\x80\x80"sv, "\xef\xbf\xbd"sv, "\xef\xbf\xbf"sv,
        "\xf0\x90\x80\x80"sv, "\xf4\x8f\xbf\xbf"sv}) {
    RepairedText repair;
    repair.assign(text);
    CHECK(repair.text() == text);
    CHECK(repair.first_repair() == RepairedText::npos);
    CHECK(repair.repairs_within(text.size()) == 0);
  }
}

TEST_CASE("each maximal subpart of an ill-formed sequence becomes one U+FFFD") {
  // Bytes that cannot begin a character, and sequences longer than the shortest form.
  CHECK(repaired("\x80"sv) == replacements(1));
  CHECK(repaired("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"sv) == replacements(8, "A"));
  CHECK(repaired("\xc0\x80"sv) == replacements(2));
  CHECK(repaired("\xf8\x88\x80\x80\x80"sv) == replacements(5));
  CHECK(repaired("\xfe\xff"sv) == replacements(2));
  // Surrogates: high, low, and a pair.
  CHECK(repaired("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"sv) == replacements(8, "A"));
  CHECK(repaired("\xed\xa0\xbd\xed\xb8\x80"sv) == replacements(6));
  // Code points beyond U+10FFFF, and truncated sequences.
  CHECK(repaired("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"sv) ==
        replacements(5, "A") + replacements(2, "B"));
  CHECK(repaired("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"sv) == replacements(4, "A"));
  CHECK(repaired("\xf0\x9f\x98"sv) == replacements(1));
  CHECK(repaired("a\xe2\x82"sv) == std::string("a").append(kFFFD));
}

TEST_CASE("an incomplete character is detected only at the end of a text") {
  CHECK(size_of_complete_characters("") == 0);
  CHECK(size_of_complete_characters("a\xe2\x82\xac") == 4);
  CHECK(size_of_complete_characters("a\xe2\x82") == 1);
  CHECK(size_of_complete_characters("a\xf0\x9f\x98") == 1);
  // Texts that begin inside a character.
  CHECK(size_of_complete_characters("\xe2\x82"sv.substr(1)) == 1);
  CHECK(size_of_complete_characters("\xf0\x9f\x98"sv.substr(1)) == 2);
}

TEST_CASE("positions map back to the source") {
  RepairedText text;
  text.assign("a\xff\xc3\xa9\xe2\x82z"sv);
  REQUIRE(text.text() == "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbdz"sv);
  CHECK(text.source_offset(0) == 0);
  CHECK(text.source_offset(1) == 1);
  CHECK(text.source_offset(4) == 2);
  CHECK(text.source_offset(6) == 4);
  CHECK(text.source_offset(9) == 6);
  CHECK(text.source_offset(10) == 7);
  CHECK(text.first_repair() == 1);
  CHECK(text.repairs_within(1) == 0);
  CHECK(text.repairs_within(2) == 1);
  CHECK(text.repairs_within(7) == 2);
}

TEST_CASE("a text is cut at white space or else before its last grapheme cluster") {
  CHECK(cut_position("abcd efgh"sv) == 5);
  CHECK(cut_position("abc defgh"sv) == 8);
  CHECK(cut_position("abcdef ghi"sv) == 7);
  CHECK(cut_position("abcdef\tgh\xc3"sv) == 7);
  CHECK(cut_position("\xe2\x82\xac\xe2\x82\xac\xe2\x82"sv) == 3);
  CHECK(cut_position("\xe2\x82\xac\xe2\x82\xac"sv) == 3);
  CHECK(cut_position("\x80\x80\x80\x80"sv) == 3);
  CHECK(cut_position("\xf0\x9f\x98\x80"sv) == 4);
  CHECK(cut_position("abcde\u0301"sv) == 4);
  CHECK(cut_position("a\U0001f468\u200d\U0001f469"sv) == 1);
  CHECK(cut_position("\u1100\u1161\u1100\u1161\u11a8"sv) == 6);
}

TEST_CASE("a part of a repaired text gets back the lengths of its source") {
  // U+FFFD and marks of the source stay unchanged.
  const std::string source =
      "\xef\xb7\x91 a\xff\xc3 \xe2\x82z\xef\xbf\xbd\xf0\x9f\x98\xff\xef\xb7\x92 \xed\xa0\x80";
  RepairedText text;
  text.assign(source);
  const std::string marked = text.marked();
  REQUIRE(marked.size() == text.text().size());
  const std::string given = before_repair(text.text(), marked);
  RepairedText again;
  again.assign(given);
  CHECK(given.size() == source.size());
  CHECK(again.text() == text.text());
  for (std::size_t at = 0; at <= text.text().size(); ++at) {
    CHECK(again.source_offset(at) == text.source_offset(at));
  }
  CHECK(before_repair("a\xef\xbf\xbd", "a\xef\xbf\xbd") == "a\xef\xbf\xbd");
  CHECK(before_repair("", "").empty());
}

namespace {

using namespace std::string_view_literals;

TEST_CASE("a name that is valid text is unchanged") {
  for (const std::string_view name :
       {""sv, "a/b.txt"sv, "größe/日本.txt"sv, "back\\slash\\x41"sv, "\xf0\x9f\x8c\xa7"sv}) {
    CHECK(escaped_name(name) == name);
  }
}

TEST_CASE("bytes that are not text are written in hexadecimal digits") {
  CHECK(escaped_name("na\xefve.txt") == "na\\xefve.txt");
  CHECK(escaped_name("\xff\xfe") == "\\xff\\xfe");
  CHECK(escaped_name("cut \xe6\x97") == "cut \\xe6\\x97");
  CHECK(escaped_name("\xe6\x97\xa5\x80") == "\xe6\x97\xa5\\x80");
  CHECK(escaped_name("surrogate \xed\xa0\x80") == "surrogate \\xed\\xa0\\x80");
  CHECK(escaped_name("a\0b"sv) == "a\\x00b");
  CHECK(escaped_bytes("\x1b\xff") == "\\x1b\\xff");
}

TEST_CASE("printable text has no control characters except line feeds and tabs") {
  for (const std::string_view text : {"größe\t日本語\n", "👩\u200d🔬", ""}) {
    CHECK(printable_text(text) == text);
  }
  CHECK(printable_text("\x1b[31mred\r\b") == "\\x1b[31mred\\x0d\\x08");
  CHECK(printable_text("\x7f \xc2\x9b \xff \0"sv) == "\\x7f \\xc2\\x9b \\xff \\x00");
}

}  // namespace

}  // namespace elmo
