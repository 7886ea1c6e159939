// Reading JSON Lines.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "io/text/bytes/byte_stream.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

InputOptions jsonl() {
  InputOptions options;
  options.format = InputFormat::jsonl;
  return options;
}

std::string error_of_jsonl(std::string_view text, const InputOptions& options = jsonl()) {
  try {
    read_text(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("each record is a document with its id or its line as id") {
  const ReadText read = read_text(
      "{\"id\": \"first\", \"text\": \"One. Two.\"}\n"
      "\n"
      "{\"text\": \"\", \"more\": {\"text\": [\"no\", {\"id\": 1}]}}\r\n"
      "{\"text\": \"Three.\", \"id\": 17}\n"
      "{\"id\": -2.50, \"text\": \"Four.\"}\n"
      "{\"id\": null, \"text\": \"Five.\"}",
      jsonl());
  CHECK(read.tokens() == Strings{"One|.", "Two|.", "", "Three|.", "Four|.", "Five|."});
  CHECK(read.lines() == Lines{1, 1, 3, 4, 5, 6});
  Strings ids;
  for (const ReadSentence& sentence : read.sentences) ids.push_back(sentence.document);
  CHECK(ids == Strings{"first", "first", "3", "17", "-2.50", "6"});
  CHECK(read.counters.documents == 5);
  CHECK(read.counters.empty_sentences == 1);
}

TEST_CASE("a record may be one sentence, whatever its text") {
  InputOptions options = jsonl();
  options.whole_records = true;
  const ReadText read =
      read_text("{\"text\": \"One. Two\\nthree.\\r\\n\\nFour\"}\n{\"text\": \"\"}\n", options);
  CHECK(read.tokens() == Strings{"One|.|Two|three|.|Four", ""});
  CHECK(read.sentences[0].spans.back() == ByteSpan{18, 22});
  CHECK(read.lines() == Lines{1, 2});
}

TEST_CASE("spans point into the text of the field") {
  const ReadText read = read_text(R"({"text": "\u00e9t\u00e9 \ud83d\ude00\n\"x\""})", jsonl());
  CHECK(read.tokens() == Strings{"\xc3\xa9t\xc3\xa9|\xf0\x9f\x98\x80|\"|x|\""});
  CHECK(read.sentences[0].spans == Spans{{0, 5}, {6, 10}, {11, 12}, {12, 13}, {13, 14}});
}

TEST_CASE("fields can have other names, and one field may serve for both") {
  InputOptions options = jsonl();
  options.text_field = "body";
  options.id_field = "key";
  const ReadText read = read_text(R"({"text": 1, "id": [], "key": "k", "body": "Yes"})", options);
  CHECK(read.tokens() == Strings{"Yes"});
  CHECK(read.sentences[0].document == "k");
  options.id_field = "body";
  CHECK(read_text(R"({"body": "Yes"})", options).sentences[0].document == "Yes");
}

TEST_CASE("lines apply to the text of a record") {
  InputOptions options = jsonl();
  options.lines = true;
  CHECK(read_text(R"({"text": "One. Two.\n\nThree."})", options).tokens() ==
        Strings{"One|.|Two|.", "", "Three|."});
}

TEST_CASE("a malformed record is named with its line") {
  const std::string good = "{\"text\": \"x\"}\n";
  CHECK(
      error_of_jsonl(good + "\n{\"text\": }\n").starts_with("input: line 3: found no valid JSON"));
  CHECK(
      error_of_jsonl(good + "{\"text\": \"x\"").starts_with("input: line 2: found no valid JSON"));
  CHECK(error_of_jsonl(good + "{\"text\": \"x\"} {}")
            .starts_with("input: line 2: found no valid JSON"));
  CHECK(error_of_jsonl("[\"text\"]").starts_with("input: line 1: found no JSON object"));
  CHECK(error_of_jsonl("[{\"text\": \"x\"}]").starts_with("input: line 1: found no JSON object"));
  CHECK(error_of_jsonl("17").starts_with("input: line 1: found no JSON object"));
  CHECK(error_of_jsonl("{}").starts_with("input: line 1: found no field 'text'"));
  CHECK(error_of_jsonl("{\"text\": null}")
            .starts_with("input: line 1: found null in the field 'text'"));
  CHECK(error_of_jsonl("{\"text\": 5}")
            .starts_with("input: line 1: found a number in the field 'text'"));
  CHECK(error_of_jsonl("{\"text\": [\"x\"]}")
            .starts_with("input: line 1: found a list in the field"));
  CHECK(error_of_jsonl("{\"text\": \"x\", \"id\": {}}").find("in the field 'id'") !=
        std::string::npos);
  CHECK(error_of_jsonl("{\"text\": \"x\", \"id\": true}").find("in the field 'id'") !=
        std::string::npos);
}

TEST_CASE("a record may have tokens, which are used unchanged") {
  const ReadText read = read_text(
      "{\"id\": \"a\", \"tokens\": [\"do n't\", \"\", \"\\n\\n\", \"\u00e9.\"]}\n"
      "{\"tokens\": [[\"One\"], [], [\"Two\", \".\"]]}\n"
      "{\"text\": \"Of text.\", \"tokens\": [\"x\"]}\n"
      "{\"text\": null, \"tokens\": []}\n"
      "{\"tokens\": [[]]}\n",
      jsonl());
  CHECK(read.tokens() == Strings{"do n't||\n\n|\u00e9.", "One", "", "Two|.", "Of|text|.", "", ""});
  CHECK(read.lines() == Lines{1, 2, 2, 2, 3, 4, 5});
  CHECK(read.sentences[0].document == "a");
  CHECK(read.sentences[3].document == "2");
  CHECK(read.counters.documents == 5);
}

TEST_CASE("spans of listed tokens equal those in lines of tokens with single spaces") {
  const ReadText read = read_text(
      "{\"tokens\": [[\"a\", \"\", \"b\\u00e9\"], [], [\"\xff\xff\", \"c\"], [\"d\"]]}", jsonl());
  // a__bé__xx_c_d, where _ is one byte of white space.
  CHECK(read.tokens() == Strings{"a||b\u00e9", "", "\ufffd\ufffd|c", "d"});
  CHECK(read.sentences[0].spans == Spans{{0, 1}, {2, 2}, {3, 6}});
  CHECK(read.sentences[2].spans == Spans{{8, 10}, {11, 12}});
  CHECK(read.sentences[3].spans == Spans{{13, 14}});
  CHECK(read.counters.invalid_sequences == 2);
}

TEST_CASE("long lists of tokens are cut, and a record may be one sentence") {
  const std::string long_token(kMaxSentenceBytes / 2 + 1, 'a');
  const ReadText read = read_text(
      "{\"tokens\": [[\"" + long_token + "\", \"" + long_token + "\", \"b\"], [\"c\"]]}", jsonl());
  CHECK(read.tokens() == Strings{long_token, long_token + "|b", "c"});
  CHECK(read.counters.cut_sentences == 1);
  CHECK(read.sentences[1].spans[0].begin == long_token.size() + 1);

  InputOptions options = jsonl();
  options.whole_records = true;
  CHECK(read_text(R"({"tokens": [["a"], ["b", "c"]]})", options).tokens() == Strings{"a|b|c"});
}

TEST_CASE("invalid lists of tokens are refused") {
  const auto found = [](const std::string& tokens) {
    return error_of_jsonl("{\"tokens\": " + tokens + "}");
  };
  CHECK(
      found("\"a\"").starts_with("input: line 1: found a string in the field 'tokens'; expected a "
                                 "list of strings, or a list of such lists"));
  CHECK(found("[\"a\", null]").starts_with("input: line 1: found null in a list"));
  CHECK(found("[\"a\", [\"b\"]]").starts_with("input: line 1: found a list beside strings"));
  CHECK(found("[\"a\\u0000b\"]").starts_with("input: line 1: found a NUL in a token"));
  CHECK(found("[\"" + std::string(kMaxSentenceBytes + 1, 'a') + "\"]")
            .starts_with("input: line 1: found a token of 4194305 bytes"));
  CHECK(error_of_jsonl("{\"body\": []}")
            .starts_with("input: line 1: found no field 'text' and no field 'tokens'"));
  InputOptions options = jsonl();
  options.text_field = "tokens";
  CHECK(read_text(R"({"tokens": ["A b", "c"]})", options).tokens() == Strings{"A b|c"});
  CHECK(read_text(R"({"tokens": "A b"})", options).tokens() == Strings{"A|b"});
}

TEST_CASE("malformed records can be left out and are counted") {
  InputOptions options = jsonl();
  options.skip_bad_records = true;
  const ReadText read =
      read_text("{\"text\": \"a\"}\n{\"text\"\nnonsense\n{\"id\": 1}\n{\"text\": \"b\"}\n" +
                    std::string(100000, '['),
                options);
  CHECK(read.tokens() == Strings{"a", "b"});
  CHECK(read.lines() == Lines{1, 5});
  CHECK(read.counters.bad_records == 4);
  CHECK(read.counters.documents == 2);
}

TEST_CASE("invalid UTF-8 and escapes of lone surrogates in records are repaired and counted") {
  const std::string_view text = "{\"text\": \"a\xff \\ud800 \\uDC00\\ud83d\\ude00 \\\\ud800\"}\n"sv;
  const ReadText read = read_text(text, jsonl());
  CHECK(read.tokens() ==
        Strings{"a|\xef\xbf\xbd|\xef\xbf\xbd|\xef\xbf\xbd|\xf0\x9f\x98\x80|\\|ud800"});
  CHECK(read.counters.invalid_sequences == 3);

  InputOptions strict = jsonl();
  strict.strict = true;
  strict.skip_bad_records = true;
  CHECK(error_of_jsonl(text, strict).starts_with("input: invalid UTF-8 at byte 11 "));
  CHECK(error_of_jsonl(R"({"text": "\udead"})", strict)
            .starts_with("input: line 1: found a surrogate"));
}

TEST_CASE("spans count the bytes of a record's text as they were before any repair") {
  const std::string_view text =
      "{\"\xff\": \"\xff\", \"text\" : \"a\xff b\\n\xe2\x82 \\ufffd\xef\xbf\xbd\\\"\xff c\", \"id\": \"\xff\"}"sv;
  const ReadText read = read_text(text, jsonl());
  CHECK(read.tokens() == Strings{"a|\ufffd|b|\ufffd|\ufffd|\ufffd|\"|\ufffd|c"});
  CHECK(read.sentences[0].spans ==
        Spans{{0, 1}, {1, 2}, {3, 4}, {5, 7}, {8, 11}, {11, 14}, {14, 15}, {15, 16}, {17, 18}});
  CHECK(read.counters.invalid_sequences == 6);
  CHECK(read.sentences[0].document == "\ufffd");
}

TEST_CASE("a NUL in a record's text is dropped like other controls") {
  CHECK(read_text(R"({"text": "a\u0000b"})", jsonl()).tokens() == Strings{"a|b"});
}

TEST_CASE("a record beyond the limit is malformed, and the next one is read") {
  const std::string text =
      "{\"text\": \"" + std::string(kMaxRecordBytes, 'a') + "\"}\n{\"text\": \"b\"}";
  CHECK(error_of_jsonl(text).starts_with("input: line 1: found more than "));
  InputOptions options = jsonl();
  options.skip_bad_records = true;
  const ReadText read = read_text(text, options);
  CHECK(read.tokens() == Strings{"b"});
  CHECK(read.lines() == Lines{2});
}

TEST_CASE("a file without records has no documents") {
  CHECK(read_text("", jsonl()).sentences.empty());
  CHECK(read_text("\n \n", jsonl()).sentences.empty());
}

}  // namespace elmo
