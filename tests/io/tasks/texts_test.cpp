// Labeled texts and pairs in every format.
#include "io/tasks/texts.h"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/text/input/text_source.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/published.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;
using Strings = std::vector<std::string>;
using Spans = std::vector<ByteSpan>;

struct TextExampleInput : ExampleInput {
  bool pairs = false;

  const LabeledKind& kind() const { return *labeled_kind(pairs ? "pair" : "classify"); }
};

std::unique_ptr<OpenedExamples> open_texts(std::string_view text, TextExampleInput input = {}) {
  if (input.file.empty()) input.file = "input";
  return std::make_unique<OpenedExamples>(input, input.kind(), std::make_unique<MemoryBytes>(text));
}

/// Returns each text as "label: token token".
Strings read_texts(std::string_view text, const TextExampleInput& input = {}) {
  const auto source = open_texts(text, input);
  Strings result;
  LabeledText labeled;
  while (source->next(labeled)) {
    REQUIRE(labeled.labels.size() == 1);
    std::string line = labeled.labels[0];
    line += ':';
    for (std::size_t i = 0; i < labeled.sentence.size(); ++i) {
      line += ' ';
      line += labeled.sentence.token(i);
    }
    result.push_back(line);
  }
  CHECK_FALSE(source->next(labeled));
  return result;
}

TextExampleInput pairs(const std::string& file = "input") {
  TextExampleInput input;
  input.file = file;
  input.pairs = true;
  return input;
}

std::string error_of_texts(std::string_view text, const TextExampleInput& input = {}) {
  try {
    read_texts(text, input);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lines are a label and a text") {
  CHECK(read_texts("good\tI like it. You don't!\n\n \t \n4\t 3.5  stars\r\nbad film\tNo") ==
        Strings{"good: I like it . You don't !", "4: 3.5 stars", "bad film: No"});
  CHECK(read_texts("same\tA b.\tC d\n\nno\ta\tb\n", pairs()) ==
        Strings{"same: A b .", "same: C d", "no: a", "no: b"});
}

TEST_CASE("tokens of records have spans in the bytes before repair") {
  const auto source = open_texts(
      "{\"text1\": \"\xff\xe2\x82 a\", \"text2\": \"b\xff c\", \"label\": \"\xff\"}\n"
      "{\"tokens1\": [\"\xe2\x82\", \"a\"], \"text2\": \"\\ufffd c\", \"label\": \"x\"}\n",
      pairs());
  LabeledText labeled;
  const auto next_spans = [&] {
    REQUIRE(source->next(labeled));
    return labeled.sentence.spans();
  };
  CHECK(next_spans().back() == ByteSpan{4, 5});
  CHECK(labeled.labels == Strings{"\xef\xbf\xbd"});
  CHECK(next_spans().back() == ByteSpan{3, 4});
  CHECK(next_spans() == Spans{{0, 2}, {3, 4}});
  CHECK(labeled.sentence.token(0) == "\xef\xbf\xbd");
  CHECK(next_spans().back() == ByteSpan{4, 5});
}

TEST_CASE("tokens of lines have spans in the file") {
  const auto source = open_texts("\xef\xbb\xbf\n\xff\tab c\xff\tx\n", pairs());
  LabeledText labeled;
  REQUIRE(source->next(labeled));
  CHECK(labeled.labels == Strings{"\xef\xbf\xbd"});
  CHECK(labeled.sentence.spans() == Spans{{6, 8}, {9, 10}, {10, 11}});
  CHECK(labeled.sentence.line == 2);
  CHECK(labeled.sentence.document->id == "input");
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.token(0) == "x");
  CHECK(labeled.sentence.spans() == Spans{{12, 13}});
  CHECK_FALSE(source->next(labeled));
}

TEST_CASE("records have a text or a list of tokens, and a label") {
  CHECK(
      read_texts("{\"text\": \"A b.\\n\\nC\", \"label\": \"x\", \"other\": [{}]}\n\n"
                 "{\"label\": 4, \"tokens\": [\"A b\", \"\\u00e4\"]}\n"
                 "{\"label\": -0.5, \"text\": \"a\", \"tokens\": null, \"gold_label\": \"-\"}\n") ==
      Strings{"x: A b . C", "4: A b ä", "-0.5: a"});
  const auto source = open_texts("{\"id\": 7, \"text\": \" a b\", \"label\": 1}");
  LabeledText labeled;
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.document->id == "7");
  CHECK(labeled.sentence.spans() == Spans{{1, 2}, {3, 4}});
}

TEST_CASE("records of pairs") {
  CHECK(read_texts(
            "{\"text1\": \"a b\", \"text2\": \"c\", \"label\": 1}\n"
            "{\"tokens1\": [\"a\", \"b\"], \"tokens2\": [\"c d\"], \"label\": \"x\"}\n"
            "{\"gold_label\": \"neutral\", \"sentence1\": \"A man.\", \"sentence2\": \"One.\"}\n"
            "{\"gold_label\": \"-\", \"sentence1\": \"A\", \"sentence2\": \"B\"}\n"
            "{\"label\": \"-\", \"sentence1\": \"A\", \"tokens2\": [\"B\"]}\n"
            "{\"label\": \"y\", \"hypothesis\": \"B\", \"premise\": \"A\"}\n",
            pairs()) == Strings{"1: a b", "1: c", "x: a b", "x: c d", "neutral: A man .",
                                "neutral: One .", "-: A", "-: B", "y: A", "y: B"});
}

TEST_CASE("the format of texts is detected by name or content") {
  CHECK(error_of_texts("a\tb\n", pairs("x.jsonl.zst")).find("no valid JSON") != std::string::npos);
  CHECK(read_texts("\n\r\n {\"text\": \"a\", \"label\": 1}\n") == Strings{"1: a"});
  CHECK(read_texts("1\t{\n") == Strings{"1: {"});
  CHECK(read_texts("{\ta\n") == Strings{"{: a"});
  CHECK(error_of_texts("{ \"text\"\n").find("no valid JSON") != std::string::npos);
  CHECK(error_of_texts("{}\n").find("found no field") != std::string::npos);
}

TEST_CASE("malformed files of labeled texts are named with the line") {
  CHECK(error_of_texts("a\tb\nc\n") ==
        "input: line 2: found 1 column; expected two, a label and a text; fix the record");
  CHECK(error_of_texts("a\tb\tc\n").find("found 3 columns; expected two") != std::string::npos);
  CHECK(error_of_texts("a\tb\n", pairs()) ==
        "input: line 1: found 2 columns; expected three, a label and two texts, or names of "
        "columns; name those to read with text_column and label_column; fix the record");
  CHECK(error_of_texts("\n\tb\n").find("line 2: found an empty label") != std::string::npos);
  CHECK(error_of_texts("a\t \n") ==
        "input: line 1: found a text without any word; expected words; fix the record");
  CHECK(error_of_texts(std::string(1025, 'a') + "\tb\n").find("1024") != std::string::npos);
  CHECK(error_of_texts("a\t" + std::string(kMaxSentenceBytes, 'a')).find("line 1: found more") !=
        std::string::npos);
  std::string tokens;
  for (int i = 0; i < 10000; ++i) tokens += " a";
  CHECK(error_of_texts("a\t" + tokens + "\n") == "");
  CHECK(error_of_texts("a\t" + tokens + " a\n") ==
        "input: line 1: found a text of 10001 tokens; expected no more than 10000; fix the record");
  CHECK(error_of_texts("{\"text\": \"a\"}") ==
        "input: line 1: found no field 'label'; expected a string or a number in it; fix the "
        "record");
  CHECK(error_of_texts("{\"label\": [1, 2], \"text\": \"a\"}")
            .find("found a list in the field 'label'") != std::string::npos);
  CHECK(error_of_texts("{\"label\": 1}") ==
        "input: line 1: found no field 'text'; expected a text, or a list in a field 'tokens' in "
        "it; fix the record");
  CHECK(error_of_texts("{\"label\": 1, \"text\": [\"a\"]}").find("a list in the field 'text'") !=
        std::string::npos);
  CHECK(
      error_of_texts("{\"label\": 1, \"tokens\": \"a\"}").find("a string in the field 'tokens'") !=
      std::string::npos);
  CHECK(error_of_texts("{\"label\": 1, \"tokens\": []}").find("without any word") !=
        std::string::npos);
  CHECK(error_of_texts("{\"label\": 1, \"text1\": \"a\"}", pairs()).find("'text2'") !=
        std::string::npos);
  CHECK(error_of_texts("{\"label\": 1, \"text\": \"\\ud800\"}").find("line 1") !=
        std::string::npos);
  for (const auto text : {""sv, "\n \n"sv, "\xef\xbb\xbf"sv}) {
    CHECK(error_of_texts(text) == "input: found no text; expected texts with a label each");
  }
  for (const auto label : {R"("gold_label": "-")", R"("label": -1)"}) {
    CHECK(error_of_texts("{" + std::string(label) + R"(, "text1": "a", "text2": "b"})", pairs()) ==
          "input: found only records without a gold label; expected some that have one");
  }
}

TEST_CASE("pairs without a gold label are left out and counted") {
  const std::string text = R"({"label": -1, "premise": "a", "hypothesis": "b"})"
                           "\n"
                           R"({"label": "-1", "premise": "c", "hypothesis": "d"})"
                           "\n"
                           R"({"gold_label": "-", "sentence1": "e", "sentence2": "f"})"
                           "\n";
  const auto source = open_texts(text, pairs("input"));
  LabeledText labeled;
  for (const auto token : {"c"sv, "d"sv}) {
    REQUIRE(source->next(labeled));
    CHECK(labeled.labels == Strings{"-1"});
    CHECK(labeled.sentence.token(0) == token);
  }
  CHECK_FALSE(source->next(labeled));
  CHECK(source->file().counters().without_gold == 2);
  // For single texts, -1 is a label like any other.
  CHECK(read_texts("{\"label\": -1, \"text\": \"a\"}\n") == Strings{"-1: a"});
}

TEST_CASE("-1 is a label of pairs unless 0, 1 and 2 or no other number are beside it") {
  const auto json = [](const std::string& label) {
    return R"({"label": )" + label + R"(, "text1": "a", "text2": "b"})" + "\n";
  };
  const auto row = [](const std::string& label) { return label + "\ta\tb\n"; };
  for (const bool table : {false, true}) {
    CAPTURE(table);
    const auto labels_of = [&](const Strings& labels, const Strings& known = {}) {
      std::string text = table ? "label\ttext1\ttext2\n" : "";
      for (const std::string& label : labels) text += table ? row(label) : json(label);
      LabelSet set(known);
      const auto file =
          open_examples(pairs(), *labeled_kind("pair"), set, std::make_unique<MemoryBytes>(text));
      Strings read;
      for (ExampleGroup group; file->next(group);) {
        read.push_back(set.names_of(elmo::labels_of(group.records.at(0))).at(0));
      }
      CHECK(read.size() + file->counters().without_gold == labels.size());
      return read;
    };
    CHECK(labels_of({"0", "-1", "1", "-1", "2"}) == Strings{"0", "1", "2"});
    CHECK(labels_of({"-1", "0", "1", "-1", "0"}) == Strings{"-1", "0", "1", "-1", "0"});
    CHECK(labels_of({"-1", "1"}) == Strings{"-1", "1"});
    CHECK(labels_of({"-2", "-1", "0", "1", "2"}) == Strings{"-2", "-1", "0", "1", "2"});
    CHECK(labels_of({"0", "-1", "1", "2", "3"}) == Strings{"0", "-1", "1", "2", "3"});
    CHECK(labels_of({"-1", "0.5", "-1"}) == Strings{"-1", "0.5", "-1"});
    if (table) CHECK(labels_of({"same", "-1", "other"}) == Strings{"same", "other"});
    // Labels of the training data count, too.
    CHECK(labels_of({"-1", "2"}, {"0", "1"}) == Strings{"2"});
    CHECK(labels_of({"0", "-1", "1", "2"}, {"-1", "0", "1"}) == Strings{"0", "-1", "1", "2"});
  }
  // In lines without names, all labels are read as they are.
  CHECK(read_texts("-1\ta\tb\n0\ta\tb\n1\ta\tb\n2\ta\tb\n", pairs()).size() == 8);
}

TEST_CASE("only SNLI's field has the label -, and only Prodigy's answers reject a record") {
  CHECK(read_texts("label\ttext1\ttext2\n-\ta\tb\n+\tc\td\n", pairs()) ==
        Strings{"-: a", "-: b", "+: c", "+: d"});
  CHECK(read_texts("gold_label\ttext1\ttext2\n-\ta\tb\nx\tc\td\n", pairs()) ==
        Strings{"x: c", "x: d"});
  CHECK(read_texts(R"({"text": "Where?", "label": "x", "answer": "Here."})"
                   "\n"
                   R"({"text": "A", "label": "y", "answer": "reject"})"
                   "\n"
                   R"({"text": "B", "label": "y", "answer": "ignore"})"
                   "\n"
                   R"({"text": "C", "label": "z", "answer": "accept"})") ==
        Strings{"x: Where ?", "z: C"});
}

TEST_CASE("malformed records of texts are left out and counted on request") {
  TextExampleInput input;
  input.file = "input";
  input.labeled = false;
  input.skip_bad_records = true;
  const auto source = open_texts("{\"text\": \"a\"}\n{\"text\": 5\n{}\n{\"text\": \"b\"}", input);
  LabeledText labeled;
  for (const auto token : {"a"sv, "b"sv}) {
    REQUIRE(source->next(labeled));
    CHECK(labeled.sentence.token(0) == token);
  }
  CHECK_FALSE(source->next(labeled));
  CHECK(source->file().counters().malformed == 2);
}

TEST_CASE("texts to label have no label") {
  const auto source_of = [](std::string_view text, bool pairs) {
    TextExampleInput input;
    input.file = "input";
    input.pairs = pairs;
    input.labeled = false;
    input.label_column = false;
    return open_texts(text, input);
  };
  LabeledText labeled;
  const auto pair = source_of("a b\tc\n\nd\t \n", true);
  for (const std::size_t size : {2U, 1U, 1U, 0U}) {
    REQUIRE(pair->next(labeled));
    CHECK(labeled.labels.empty());
    CHECK(labeled.sentence.size() == size);
  }
  CHECK_FALSE(pair->next(labeled));
  const auto record =
      source_of("{\"gold_label\": \"-\", \"text1\": \"a\", \"tokens2\": [\"b\"]}\n", true);
  CHECK(record->next(labeled));
  CHECK(record->next(labeled));
  CHECK(labeled.sentence.token(0) == "b");
  CHECK_FALSE(record->next(labeled));
  CHECK_THROWS_AS(source_of("a\tb\tc\n", true)->next(labeled), InputError);
  CHECK_THROWS_AS(source_of("a\tb\n", false)->next(labeled), InputError);
  CHECK_FALSE(source_of("", false)->next(labeled));
}

TEST_CASE("a missing file of labeled texts is named") {
  TextExampleInput input;
  input.file = (TempDir().path() / "missing.tsv").string();
  CHECK_THROWS_AS(OpenedExamples(input, *labeled_kind("classify")), InputError);
  input.tokenizer.locale = "no locale";
  CHECK_THROWS_AS(open_texts("a\tb", input), RequestError);
}

TEST_CASE("published labeled texts are read whole") {
  const auto folder = reference_data();
  if (!folder) return;
  TextExampleInput input;
  input.file = (*folder / "data/tasks/classification/sst5/train.jsonl").string();
  OpenedExamples source(input, *labeled_kind("classify"));
  LabeledText labeled;
  std::size_t texts = 0;
  while (source.next(labeled)) ++texts;
  CHECK(texts == 8544);
}

}  // namespace elmo
