// Entities of HTML that were left in a text are counted.
#include "io/text/formats/format_reader.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/text/input/text_source.h"

namespace elmo {
namespace {

std::uint64_t entities_in(std::string_view text, TokenizerKind kind,
                          InputFormat format = InputFormat::text) {
  InputOptions options;
  options.format = format;
  options.tokenizer.kind = kind;
  options.tokenizer.locale = "en";
  const auto source = open_source(options, "input", std::make_unique<MemoryBytes>(text));
  Sentence sentence;
  while (source->next(sentence)) continue;
  return source->counters().html_entities;
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

TEST_CASE("entities in lines of tokens are kept") {
  CHECK(entities_in("a &quot; b\n", TokenizerKind::ud, InputFormat::tokens) == 0);
}

}  // namespace elmo
