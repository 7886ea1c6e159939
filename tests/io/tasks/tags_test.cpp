// Labeled sentences in every format.
#include <doctest/doctest.h>

#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "io/tasks/kinds.h"
#include "io/text/formats/conllu_reader.h"
#include "io/text/input/text_source.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/published.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;
using Strings = std::vector<std::string>;
using Spans = std::vector<ByteSpan>;

std::unique_ptr<OpenedExamples> open_labeled_text(std::string_view text, ExampleInput input = {}) {
  if (input.file.empty()) input.file = "input";
  return std::make_unique<OpenedExamples>(input, *labeled_kind("tag"),
                                          std::make_unique<MemoryBytes>(text));
}

/// Returns each sentence as "token/label token/label".
Strings read_labeled(std::string_view text, const ExampleInput& input = {}) {
  const auto source = open_labeled_text(text, input);
  Strings result;
  LabeledText labeled;
  while (source->next(labeled)) {
    REQUIRE(labeled.labels.size() == labeled.sentence.size());
    std::string line;
    for (std::size_t i = 0; i < labeled.labels.size(); ++i) {
      if (i > 0) line += ' ';
      line += std::string(labeled.sentence.token(i)) + "/" + labeled.labels[i];
    }
    result.push_back(line);
  }
  return result;
}

std::string error_of_labeled(std::string_view text, const ExampleInput& input = {}) {
  try {
    read_labeled(text, input);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Returns a line with an ID, a FORM, upos, xpos and six more columns.
std::string word(const std::string& id, const std::string& form, const std::string& upos,
                 const std::string& xpos) {
  return id + "\t" + form + "\t_\t" + upos + "\t" + xpos + "\t_\t_\t_\t_\t_\n";
}

}  // namespace

TEST_CASE("columns are a token and a label per line") {
  CHECK(read_labeled("\n\nEU\tB-ORG\nrejects\tO\n\n \t\n\nNew York\tB-LOC\r\n\r\n1\tO") ==
        Strings{"EU/B-ORG rejects/O", "New York/B-LOC", "1/O"});
  CHECK(read_labeled("EU B-ORG\nit  O \n#\tO\n{\tO\n") == Strings{"EU/B-ORG it/O #/O {/O"});
  CHECK(read_labeled("#\tO\n") == Strings{"#/O"});
  CHECK(read_labeled("#a O\nb O\n") == Strings{"#a/O b/O"});
}

TEST_CASE("columns may be more than two, and the last is the label") {
  CHECK(read_labeled(
            "-DOCSTART- -X- -X- O\n\nEU NNP B-NP B-ORG\nit PRP B-NP O\n\n-DOCSTART-\na b c d\n") ==
        Strings{"EU/B-ORG it/O", "a/d"});
}

TEST_CASE("tokens of columns have spans in the file") {
  const auto source = open_labeled_text("\xef\xbb\xbf\nab\tX\nc\xff\tY\n\nd\tX\n");
  LabeledText labeled;
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.spans() == Spans{{4, 6}, {9, 11}});
  CHECK(labeled.sentence.token(1) == "c\xef\xbf\xbd");
  CHECK(labeled.sentence.line == 2);
  CHECK(labeled.sentence.line_of(1) == 3);
  CHECK(labeled.sentence.document->id == "input");
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.token(0) == "d");
  CHECK(labeled.sentence.line == 5);
  CHECK(!source->next(labeled));
}

TEST_CASE("CoNLL-U is labeled by the requested column") {
  const std::string text = "# newdoc\n" + word("1-2", "don't", "_", "_") +
                           word("1", "do", "AUX", "VBP") + word("2", "n't", "PART", "RB") +
                           "\n# nothing\n\n" + word("1", "a", "DET", "DT");
  CHECK(read_labeled(text) == Strings{"do/AUX n't/PART", "", "a/DET"});
  ExampleInput input;
  input.column = "xpos";
  CHECK(read_labeled(text, input) == Strings{"do/VBP n't/RB", "", "a/DT"});
  input.column = "feats";
  CHECK(read_labeled(text, input) == Strings{"do/_ n't/_", "", "a/_"});
  input.column = "form";
  CHECK_THROWS_AS(read_labeled(text, input), RequestError);
  CHECK(ConlluColumns().labels().size() == 8);
  CHECK(error_of_labeled(word("1", "a", "DET", "DT") + word("2", "b", "", "NN")) ==
        "input: line 2: found an empty column 4; expected a value, or _ for none "
        "(CoNLL-U); fix the file");
}

TEST_CASE("CoNLL-U Plus is labeled by a column's name or number") {
  const std::string text =
      "# global.columns = FORM ID UPOS PARSEME:MWE\na\t1\tDET\t*\nb\t2\tX\t1:LVC\n";
  CHECK(read_labeled(text) == Strings{"a/DET b/X"});
  ExampleInput input;
  for (const char* column : {"PARSEME:MWE", "parseme:mwe", "4"}) {
    input.column = column;
    CHECK(read_labeled(text, input) == Strings{"a/* b/1:LVC"});
  }
  for (const char* column : {"xpos", "1", "2", "5", "form", "ID"}) {
    input.column = column;
    CHECK_THROWS_WITH_AS(
        read_labeled(text, input),
        ("input: no column '" + std::string(column) + "' of labels; there are: upos parseme:mwe")
            .c_str(),
        RequestError);
  }
  input.column = "4";
  CHECK(read_labeled(word("1", "a", "DET", "DT"), input) == Strings{"a/DET"});
}

TEST_CASE("records have a list of tokens and one of labels") {
  const auto text =
      "{\"tokens\": [\"\\u00e4\", \"b\"], \"other\": [{\"labels\": 1}], \"labels\": [\"X\", 7]}\n\n"
      "{\"id\": \"second\", \"labels\": [], \"tokens\": []}\n"sv;
  CHECK(read_labeled(text) == Strings{"ä/X b/7", ""});
  const auto source = open_labeled_text(text);
  LabeledText labeled;
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.spans() == Spans{{0, 2}, {3, 4}});
  CHECK(labeled.sentence.document->id == "1");
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.line == 3);
  CHECK(labeled.sentence.document->id == "second");
}

TEST_CASE("tokens of records have spans in the bytes before repair") {
  const auto source =
      open_labeled_text("{\"tokens\": [\"\xff\", \"a\xe2\x82\", \"b\"], \"labels\": [1, 2, 3]}"sv);
  LabeledText labeled;
  REQUIRE(source->next(labeled));
  CHECK(labeled.sentence.spans() == Spans{{0, 1}, {2, 5}, {6, 7}});
  CHECK(labeled.sentence.token(1) == "a\xef\xbf\xbd");
}

TEST_CASE("the format is detected by name or content, or given") {
  ExampleInput input;
  input.file = "x.conllu.xz";
  CHECK(error_of_labeled("a\tX\n", input).find("CoNLL-U") != std::string::npos);
  input.file = "x.jsonl.gz";
  CHECK(error_of_labeled("a\tX\n", input).find("JSON") != std::string::npos);
  input.form = TextForm::columns;
  CHECK(read_labeled("a\tX\n", input) == Strings{"a/X"});
  CHECK(read_labeled("{ O\n") == Strings{"{/O"});
}

TEST_CASE("malformed labeled files are named with the line") {
  CHECK(error_of_labeled("a\tX\n\tY\n") ==
        "input: line 2: found a label without a token; expected a token in the first column "
        "(columns); fix the file");
  CHECK(error_of_labeled("a\tX\nb\n") ==
        "input: line 2: found one column; expected a token and its label, separated by a tab "
        "(columns); fix the file");
  CHECK(error_of_labeled("a\tX\nb\t\n") ==
        "input: line 2: found a token without a label; expected a label in the last column "
        "(columns); fix the file");
  CHECK(error_of_labeled("\na\tX\n\nb\tN\tX\n") ==
        "input: line 4: found 3 columns; expected 2, as in line 2 (columns); fix the file");
  CHECK(error_of_labeled("a\0\tX\n"sv).find("NUL") != std::string::npos);
  CHECK(error_of_labeled("a\t" + std::string(1025, 'X') + "\n").find("1024") != std::string::npos);
  CHECK(error_of_labeled(std::string(kMaxSentenceBytes + 1, 'a') + "\tX\n")
            .find("line 1: found a sent") != std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [\"a\"], \"labels\": []}") ==
        "input: line 1: found 1 tokens and 0 labels; expected a label for each token; fix the "
        "record");
  CHECK(error_of_labeled("{\"tokens\": \"a\", \"labels\": []}") ==
        "input: line 1: found a string in the field 'tokens'; expected a list of strings; "
        "fix the record");
  CHECK(error_of_labeled("{\"tokens\": [\"a\"]}").find("found no field 'labels'") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [[\"a\"]], \"labels\": []}").find("a list in a list") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [null], \"labels\": []}").find("found null in") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [\"\"], \"labels\": [\"X\"]}").find("empty token") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [\"a\"], \"labels\": [\"\"]}").find("empty label") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"tokens\": [\"a\"]").find("no valid JSON at its byte") !=
        std::string::npos);
}

TEST_CASE("a labeled file without any token is refused") {
  for (const auto text : {""sv, "\n\n"sv, "-DOCSTART-\n\n"sv}) {
    CHECK(error_of_labeled(text) ==
          "input: found no token; expected sentences with a label for each token");
  }
  ExampleInput input;
  input.file = "x.conllu";
  CHECK(error_of_labeled("# nothing\n\n", input) != "");
  input.file = "x.jsonl";
  CHECK(error_of_labeled("{\"tokens\": [], \"labels\": []}\n", input) != "");
}

TEST_CASE("a deep or wide record needs little memory") {
  CHECK(error_of_labeled("{\"labels\": " + std::string(1 << 20, '[')).find("line 1") !=
        std::string::npos);
  CHECK(error_of_labeled("{\"other\": " + std::string(1 << 20, '[')).find("no valid JSON") !=
        std::string::npos);
}

TEST_CASE("a missing labeled file is named") {
  ExampleInput input;
  input.file = (TempDir().path() / "missing.conll").string();
  CHECK_THROWS_AS(OpenedExamples(input, *labeled_kind("tag")), InputError);
}

TEST_CASE("published labeled data is read whole") {
  const auto folder = reference_data();
  if (!folder) return;
  const auto count = [&](const std::string& file, const std::string& column) {
    ExampleInput input;
    input.file = (*folder / "data" / file).string();
    input.column = column;
    OpenedExamples source(input, *labeled_kind("tag"));
    LabeledText labeled;
    std::size_t sentences = 0;
    std::size_t tokens = 0;
    while (source.next(labeled)) {
      ++sentences;
      tokens += labeled.labels.size();
      if (column != "upos") continue;
      check_spans(SpanScheme::iob2, labeled.labels, labeled.sentence, source.file().name());
    }
    return std::pair(sentences, tokens);
  };
  CHECK(count("tasks/ner/wnut17/train.conll", "upos") ==
        std::pair<std::size_t, std::size_t>(3394, 62730));
  CHECK(count("tasks/ner/wikigold/dev.conll", "upos") ==
        std::pair<std::size_t, std::size_t>(376, 8779));
  CHECK(count("ud-en-ewt/en_ewt-ud-dev.conllu", "xpos").second == 25147);
}

}  // namespace elmo
