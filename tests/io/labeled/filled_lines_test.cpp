#include "io/labeled/filled_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using Labels = std::vector<std::string>;

/// Returns the output for each sentence's labels and at the end, one string per line.
std::vector<std::string> filled(TextForm format, std::string_view text,
                                const std::vector<Labels>& sentences,
                                const std::string& column = "upos") {
  FilledLines lines(format, column);
  ExampleInput input;
  input.file = "input";
  input.form = format;
  input.labeled = false;
  input.column = column;
  OpenedExamples source(input, *labeled_kind("tag"),
                        lines.keep(std::make_unique<MemoryBytes>(text)));
  std::vector<std::string> result;
  LabeledText next;
  for (const Labels& labels : sentences) {
    REQUIRE(source.next(next));
    CHECK(next.sentence.size() == labels.size());
    result.push_back(lines.fill(labels));
  }
  CHECK_FALSE(source.next(next));
  result.push_back(lines.rest());
  return result;
}

}  // namespace

TEST_CASE("CoNLL-U is filled in and otherwise unchanged") {
  const std::string text =
      "\xEF\xBB\xBF# sent_id = 1\r\n"
      "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n"
      "1\tde\tde\tOLD\tP\tx=y\t0\troot\t_\t_\r\n"
      "2\tle\tle\tOLD\tD\t_\t1\tdet\t_\tA\r\n"
      "2.1\tnul\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
      "\r\n"
      "# 2\n"
      "1\tOui\toui\t_\tI\t_\t0\troot\t_\tinvalid \xFF\n"
      "\n\n# the end";
  CHECK(filled(TextForm::conllu, text, {{"ADP", "DET"}, {"INTJ"}, {}}) ==
        std::vector<std::string>{"\xEF\xBB\xBF# sent_id = 1\r\n"
                                 "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\r\n"
                                 "1\tde\tde\tADP\tP\tx=y\t0\troot\t_\t_\r\n"
                                 "2\tle\tle\tDET\tD\t_\t1\tdet\t_\tA\r\n"
                                 "2.1\tnul\t_\t_\t_\t_\t_\t_\t_\t_\r\n"
                                 "\r\n",
                                 "# 2\n"
                                 "1\tOui\toui\tINTJ\tI\t_\t0\troot\t_\tinvalid \xFF\n"
                                 "\n",
                                 "", "\n# the end"});
}

TEST_CASE("CoNLL-U Plus is filled in by its named columns") {
  CHECK(
      filled(TextForm::conllu,
             "# global.columns = FORM ID MWE\n# c\ndu\t1-2\t_\nde\t1\t_\nle\t2\t*\n\nOui\t1\t_\r\n",
             {{"B-X", "I-X"}, {"O"}}, "mwe") ==
      Labels{"# global.columns = FORM ID MWE\n# c\ndu\t1-2\t_\nde\t1\tB-X\nle\t2\tI-X\n\n",
             "Oui\t1\tO\r\n", ""});
  CHECK(filled(TextForm::conllu, "# global.columns = FORM NE\n7\t_\nx\t_\n", {{"A", "B"}}, "2") ==
        Labels{"# global.columns = FORM NE\n7\tA\nx\tB\n", ""});
}

TEST_CASE("columns are filled in and otherwise unchanged") {
  CHECK(filled(TextForm::columns, "-DOCSTART- -X- O\n\nEU NNP O \nsays  VB O\r\n\nNo DT O",
               {{"B-ORG", "O"}, {"O"}}) ==
        std::vector<std::string>{"-DOCSTART- -X- O\n\nEU NNP B-ORG \nsays  VB O\r\n\n", "No DT O",
                                 ""});
  CHECK(filled(TextForm::columns, "New York\tB-LOC\nis\t\n\n", {{"B-X", "O"}}) ==
        std::vector<std::string>{"New York\tB-X\nis\tO\n\n", ""});
  for (const char* token : {"-DOCSTART- x", " -DOCSTART-"}) {
    CHECK(filled(TextForm::columns, std::string(token) + "\tO\nfoo\tO\n\n", {{"B-X", "I-X"}}) ==
          std::vector<std::string>{std::string(token) + "\tB-X\nfoo\tI-X\n\n", ""});
  }
  CHECK(filled(TextForm::columns, "-DOCSTART-\tO\n\nfoo\tO\n\n", {{"B-X"}}) ==
        std::vector<std::string>{"-DOCSTART-\tO\n\nfoo\tB-X\n\n", ""});
  CHECK(filled(TextForm::columns, "Ada\r\nsays\n\n\n", {{"B-PER", "O"}}) ==
        std::vector<std::string>{"Ada\tB-PER\r\nsays\tO\n\n", "\n"});
}

TEST_CASE("pieces of a sentence are filled in one after the other") {
  FilledLines lines(TextForm::columns, "upos");
  const auto bytes = lines.keep(std::make_unique<MemoryBytes>("a\tx\nb\tx\nc\tx\n\nd\tx\n"));
  std::string all(100, '\0');
  bytes->read(all.data(), all.size());
  CHECK(lines.fill(Labels{"1", "2"}) == "a\t1\nb\t2\n");
  CHECK(lines.fill(Labels{}).empty());
  CHECK(lines.fill(Labels{"3"}) == "c\t3\n\n");
  CHECK(lines.fill(Labels{"4"}) == "d\t4\n");
}

}  // namespace elmo
