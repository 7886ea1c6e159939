// HTML that was left in a text is counted. The likely encoding of text that is not UTF-8 is named.
#include "io/text/formats/format_reader.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/input/text_source.h"

namespace elmo {
namespace {

InputCounters counters_of(std::string_view text, TokenizerKind kind,
                          InputFormat format = InputFormat::text) {
  InputOptions options;
  options.format = format;
  options.tokenizer.kind = kind;
  options.tokenizer.locale = "en";
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  Sentence sentence;
  while (source->next(sentence)) continue;
  return source->counters();
}

std::uint64_t entities_in(std::string_view text, TokenizerKind kind,
                          InputFormat format = InputFormat::text) {
  return counters_of(text, kind, format).html_entities;
}

}  // namespace

TEST_CASE("HTML entities in raw text are counted with every tokenizer") {
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    CAPTURE(kTokenizerKinds.word(kind));
    CHECK(entities_in("It&#39;s &quot;good&quot; &amp; &#x27;fine&#X2019;.", kind) == 6);
    CHECK(entities_in("AT&T; R&D; a & lt ; &#; &#x; &; &# 39; &unknown; Q&A", kind) == 0);
    CHECK(entities_in("&lt;&gt;&nbsp;", kind) == 3);
    CHECK(entities_in("&", kind) == 0);
    CHECK(entities_in("x &quot", kind) == 0);
  }
}

TEST_CASE("HTML tags in raw text are counted with every tokenizer") {
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    CAPTURE(kTokenizerKinds.word(kind));
    CHECK(counters_of("Good.<br /><br />A <a href=\"x.y\">link</a>.", kind).html_tags == 4);
    CHECK(counters_of("<p>One.</p>\n\n<P>Two.</P>", kind).html_tags == 4);
    CHECK(counters_of("1 < 2 > 0, a <b, <S> </S> <3 <person> x<y>z", kind).html_tags == 0);
  }
}

TEST_CASE("the likely encoding is named with the file and the command, once a file") {
  constexpr auto odd = static_cast<std::size_t>(Oddity::encoding);
  const std::string line = "Le caf\xe9 est tr\xe8s bon, mais l'\xe9t\xe9 est fini.\n";
  for (const InputFormat format : {InputFormat::text, InputFormat::tokens}) {
    const std::string late = std::string(std::size_t{1} << 20, '\n') + line;
    for (const std::string& text : {line, line + line, late}) {
      const InputCounters counters = counters_of(text, TokenizerKind::ud, format);
      CHECK(counters.odd_files[odd] == 1);
      CHECK(counters.first_odd[odd] ==
            "input, which may be windows-1252; convert it with `iconv -f windows-1252 -t UTF-8 "
            "input`");
    }
  }
  const InputCounters damaged = counters_of("\u00e9t\u00e9 \xe9 \u00e7a \xe9\n", TokenizerKind::ud);
  CHECK(damaged.invalid_sequences == 2);
  CHECK(damaged.odd_files[odd] == 0);
}

TEST_CASE("strict reading names the likely encoding") {
  InputOptions options;
  options.format = InputFormat::tokens;
  options.strict = true;
  const auto source = open_source(
      options, "input", std::make_unique<MemoryBytes>("Un caf\xe9 tr\xe8s bon, un \xe9t\xe9.\n"));
  Sentence sentence;
  CHECK_THROWS_WITH_AS(source->next(sentence),
                       "input: invalid UTF-8 at byte 6 (the first byte is 0); expected UTF-8; the "
                       "text may be windows-1252; convert it with `iconv -f windows-1252 -t UTF-8 "
                       "input`",
                       InputError);
}

TEST_CASE("entities in lines of tokens are kept") {
  CHECK(entities_in("a &quot; b\n", TokenizerKind::ud, InputFormat::tokens) == 0);
}

}  // namespace elmo
