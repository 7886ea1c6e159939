// Encodings are named when they are likely, and damaged UTF-8 is not taken for one.
#include "io/text/bytes/encoding.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace elmo {
namespace {

using namespace std::string_view_literals;

}  // namespace

TEST_CASE("other encodings are named") {
  const std::string_view german =
      "Ich wei\xdf nicht, was soll es bedeuten, dass ich so traurig bin. \xdc"
      "ber allen Gipfeln.";
  CHECK(other_encoding(german) == "windows-1252");
  CHECK(other_encoding("He said \x93well\x94 \x97 and left. It\x92s fine, isn\x92t it?") ==
        "windows-1252");
  CHECK(other_encoding("un caf\xe9, s'il vous pla\xeet") == "windows-1252");
  // "Russia is a country" in KOI8-R and in windows-1251.
  CHECK(other_encoding("\xf2\xcf\xd3\xd3\xc9\xd1 \xdc\xd4\xcf \xd3\xd4\xd2\xc1\xce\xc1") ==
        "KOI8-R");
  CHECK(other_encoding("\xd0\xee\xf1\xf1\xe8\xff \xfd\xf2\xee \xf1\xf2\xf0\xe0\xed\xe0") ==
        "windows-1251");
  // "Glass can be eaten" in GB18030, and the like in Shift_JIS and EUC-KR.
  CHECK(other_encoding("\xce\xd2\xc4\xdc\xcd\xcc\xcf\xc2\xb2\xa3\xc1\xa7\xb6\xf8\xb2\xbb\xc9\xcb"
                       "\xc9\xed\xcc\xe5\xa1\xa3") == "GB18030");
  CHECK(other_encoding("\x8e\x84\x82\xcd\x83K\x83\x89\x83X\x82\xf0\x90H\x82\xd7\x82\xe7\x82\xea"
                       "\x82\xdc\x82\xb7\x81"
                       "B") == "Shift_JIS");
  CHECK(other_encoding("\xb3\xaa\xb4\xc2 \xc0\xaf\xb8\xae\xb8\xa6 \xb8\xd4\xc0\xbb \xbc\xf6 "
                       "\xc0\xd6\xbe\xee\xbf\xe4") == "EUC-KR");
  CHECK(other_encoding("\x1b$B;d$O%,%i%9$r?)$Y$i$l$^$9!#\x1b(B\n") == "ISO-2022-JP");
  CHECK(other_encoding("O\0n\0e\0 \0t\0w\0o\0"sv) == "UTF-16LE");
  CHECK(other_encoding("\0O\0n\0e\0 \0t\0w\0o"sv) == "UTF-16BE");
}

TEST_CASE("UTF-8 and other bytes have no other encoding") {
  for (const std::string_view text :
       {""sv, "plain"sv, "caf\u00e9 \u00e9t\u00e9"sv, "\u79c1\u306f\u30ac\u30e9\u30b9"sv,
        // one byte is not enough to tell, and neither are damages of UTF-8
        "a \xff b"sv, "\u00e9t\u00e9 \u00e0 \u00e7a \xe9 \u00fc \xff \u00f6 \xc3"sv,
        // escapes of a terminal
        "\x1b[1mbold\x1b[0m and \x1b[31mred\x1b[0m"sv, "a\0b\0"sv, "\x01\x02\x03\xff\xfe\xfd"sv,
        // nothing that ICU knows
        "\x8c\xff"sv, "\xb2\xac\xb6"sv}) {
    CAPTURE(text);
    CHECK(other_encoding(text) == "");
  }
}

TEST_CASE("the command that converts a file unpacks it first") {
  CHECK(conversion_command("a.txt", "KOI8-R") == "iconv -f KOI8-R -t UTF-8 a.txt");
  CHECK(conversion_command("a.txt.zst", "KOI8-R") ==
        "zstd -dc a.txt.zst | iconv -f KOI8-R -t UTF-8");
}

}  // namespace elmo
