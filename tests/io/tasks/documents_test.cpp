// Coreference documents in every format, and their predictions as text.
#include "io/tasks/documents.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/coref/coref_scores.h"
#include "io/tasks/kinds.h"
#include "io/text/input/text_source.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using Numbers = std::vector<std::int32_t>;
using Clusters = std::vector<MentionCluster>;

const CorefGold& gold_of(const ExampleGroup& group) {
  return group.records.at(0).gold->as<CorefGold>();
}

std::vector<ExampleGroup> read_documents(std::string_view text, LabelSet& labels,
                                         bool labeled = true) {
  return read_groups("coref", text, labels, labeled);
}

std::string coref_error(std::string_view text, bool labeled = true) {
  return error_of_groups("coref", text, labeled);
}

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("documents of JSON Lines") {
  LabelSet labels;
  const auto groups = read_documents(
      R"({"document": "d1", "genre": "news", "sentences": [["A", "b"], [], ["c"]],)"
      R"( "speakers": ["x", null, "y"], "clusters": [[[0, 2], [2, 3]], [[1, 2]]], "other": {}})"
      "\n\n"
      R"({"sentences": [["\u00e4", "b"]], "clusters": [], "genre": null})"
      "\n",
      labels);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].texts.size() == 3);
  CHECK(groups[0].texts[0].document->id == "d1");
  CHECK(groups[0].texts[2].token(0) == "c");
  CHECK(groups[0].texts[2].line == 1);
  REQUIRE(groups[0].records.size() == 1);
  const TaskRecord& record = groups[0].records[0];
  CHECK(record.texts == std::vector<std::uint64_t>{0, 2});
  CHECK(record.gold->as<CorefGold>().speakers == Numbers{0, 1});
  CHECK(gold_of(groups[0]).clusters == Clusters{{{0, 2}, {2, 3}}, {{1, 2}}});
  CHECK(gold_of(groups[0]).genre == 0);
  CHECK_FALSE(gold_of(groups[0]).in_bytes);
  CHECK(groups[1].texts[0].document->id == "3");
  CHECK(groups[1].texts[0].token(0) == "\xc3\xa4");
  CHECK(gold_of(groups[1]).genre == -1);
  CHECK(gold_of(groups[1]).speakers.empty());
  CHECK(gold_of(groups[1]).clusters.empty());
  CHECK(labels.names() == std::vector<std::string>{"news"});
}

TEST_CASE("GAP's table is read like its records, with bytes before repair") {
  LabelSet labels;
  const std::string header =
      "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n";
  const auto row = [](const std::string& text, const std::string& rest) {
    return "development-1\t" + text + "\t" + rest + "\thttp://en.wikipedia.org/wiki/A\r\n";
  };
  const std::string text = "Zo\xc3\xab\xff\xe2\x82 met \"Ann Lee\". She left.";
  const std::string rest = "She\t21\tZo\xc3\xab\t0\tFALSE\tAnn Lee\t11\tTRUE";
  const std::string record =
      "{\"id\": \"development-1\", \"text\": \"Zo\xc3\xab\xff\xe2\x82 met "
      R"(\"Ann Lee\". She left.", "pronoun": "She", "pronoun_start": 21, "a": "Zo\u00eb",)"
      R"( "a_start": 0, "a_coref": false, "b": "Ann Lee", "b_start": 11, "b_coref": true})";
  const auto expected = read_documents(record, labels);
  REQUIRE(expected.size() == 1);
  std::string quoted = text;
  quoted.replace(quoted.find("Lee\""), 4, "Lee\"\"").replace(quoted.find("\"Ann"), 1, "\"\"");
  for (const std::string& table :
       {header + row(text, rest), header + row('"' + quoted + '"', rest)}) {
    const auto groups = read_documents(table, labels);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].texts[0].document->id == "development-1");
    REQUIRE(groups[0].texts.size() == expected[0].texts.size());
    for (std::size_t i = 0; i < groups[0].texts.size(); ++i) {
      CHECK(groups[0].texts[i].same_tokens(expected[0].texts[i]));
      CHECK(groups[0].texts[i].spans() == expected[0].texts[i].spans());
    }
    // The source has "Zoë", three bytes that are not valid UTF-8, " met ".
    CHECK(groups[0].texts.back().spans().front() == ByteSpan{23, 26});
    const auto pronoun_of = [](const ExampleGroup& group) {
      return gold_of(group).pronoun.value();
    };
    const AmbiguousPronoun found = pronoun_of(groups[0]);
    const AmbiguousPronoun wanted = pronoun_of(expected[0]);
    CHECK(found.gender == wanted.gender);
    CHECK(found.pronoun == wanted.pronoun);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(found.names[i].tokens == wanted.names[i].tokens);
      CHECK(found.names[i].is_meant == wanted.names[i].is_meant);
    }
  }
  CHECK(read_documents(header + row(text, rest), labels, false).size() == 1);
  const auto error = [&](const std::string& wrong) {
    return coref_error(header + row(text, wrong));
  };
  CHECK(error("She\t20\tZo\xc3\xab\t0\tFALSE\tAnn Lee\t11\tTRUE") ==
        "input: line 2: found '20' in Pronoun-offset; expected the code point of the text with "
        "which the words begin (GAP); fix the file");
  CHECK(error("It\t21\tZo\xc3\xab\t0\tFALSE\tAnn Lee\t11\tTRUE") ==
        "input: line 2: found 'It' in Pronoun; expected one of he, him, his, she, her and hers "
        "(GAP); fix the file");
  CHECK(error("She\t21\tZo\xc3\xab\t0\tno\tAnn Lee\t11\tTRUE") ==
        "input: line 2: found 'no' in A-coref; expected TRUE or FALSE (GAP); fix the file");
  CHECK(coref_error(header + "a\tb\n") ==
        "input: line 2: found 2 columns; expected ID, Text, Pronoun and more, as in the first line "
        "(GAP); fix the file");
}

TEST_CASE("documents to predict need no clusters and may be empty") {
  LabelSet labels;
  const auto groups = read_documents(R"({"sentences": [["a"]], "clusters": 5})"
                                     "\n",
                                     labels, false);
  REQUIRE(groups.size() == 1);
  CHECK(gold_of(groups[0]).clusters.empty());
  CHECK(read_documents("", labels, false).empty());
  CHECK(read_documents(R"({"sentences": [[]]})", labels, false)[0].records.empty());
}

// Code points, bytes and tokens differ: an emoji of four bytes and a combining mark precede the
// names.
TEST_CASE("records of GAP") {
  LabelSet labels;
  const std::string text = "\xf0\x9f\x98\x80 Zoe\xcc\x88 met Ann Lee. She waved.";
  const std::string record =
      R"({"id": "g1", "text": ")" + text +
      R"(", "pronoun": "She", "pronoun_start": 20, "a": "Zoe)"
      "\xcc\x88"
      R"(", "a_start": 2,)"
      R"( "a_coref": false, "b": "Ann Lee", "b_start": 11, "b_coref": true, "url": "u"})"
      "\n";
  const auto groups = read_documents(record, labels);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].texts[0].document->id == "g1");
  CHECK(groups[0].texts.size() == 2);
  const CorefGold& gold = gold_of(groups[0]);
  CHECK_FALSE(gold.can_be_learned());
  CHECK(gold.can_be_scored());
  CHECK(gold.in_bytes);
  const AmbiguousPronoun& pronoun = gold.pronoun.value();
  CHECK(pronoun.gender == PronounGender::feminine);
  std::vector<std::string> tokens;
  for (const Sentence& sentence : groups[0].texts) {
    for (std::size_t i = 0; i < sentence.size(); ++i) tokens.emplace_back(sentence.token(i));
  }
  const auto words = [&](const RowSpan& span) {
    std::string joined;
    for (std::int64_t i = span.begin; i < span.end; ++i) {
      joined += tokens[static_cast<std::size_t>(i)] + "|";
    }
    return joined;
  };
  CHECK(words(pronoun.pronoun) == "She|");
  CHECK(words(pronoun.names[0].tokens) == "Zoe\xcc\x88|");
  CHECK(words(pronoun.names[1].tokens) == "Ann|Lee|");
  CHECK_FALSE(pronoun.names[0].is_meant);
  CHECK(pronoun.names[1].is_meant);

  const auto asked = read_documents(R"({"text": "Ann saw him."})", labels, false);
  CHECK(asked[0].records.size() == 1);
}

TEST_CASE("records with doc_key have inclusive ends and speakers of tokens, with a note") {
  LabelSet labels;
  const std::string words = R"("sentences": [["a", "b"], [], ["c"]])";
  const std::string speakers = R"(, "speakers": [["x", "x"], [], ["y"]])";
  const std::string theirs = R"({"doc_key": "nw/1", )" + words;
  const auto expected = read_documents(
      "{" + words + R"(, "speakers": ["x", null, "y"], "clusters": [[[0, 2], [2, 3]]]})", labels);
  const auto found =
      read_documents(theirs + speakers + R"(, "clusters": [[[0, 1], [2, 2]]]})", labels);
  REQUIRE(found.size() == 1);
  CHECK(found[0].texts[0].document->id == "nw/1");
  CHECK(gold_of(found[0]).clusters == gold_of(expected[0]).clusters);
  CHECK(gold_of(found[0]).speakers == gold_of(expected[0]).speakers);
  const auto note_of = [&](const std::string& text) {
    ExampleInput input;
    input.file = "input";
    const auto file =
        open_examples(input, *labeled_kind("coref"), labels, std::make_unique<MemoryBytes>(text));
    for (ExampleGroup group; file->next(group);) {
    }
    return file->note();
  };
  CHECK(note_of(theirs + R"(, "clusters": [[[0, 0], [2, 2]]]})") ==
        "records with \"doc_key\" are read with the inclusive ends of e2e-coref");
  CHECK(note_of("{" + words + R"(, "clusters": [[[0, 1], [2, 3]]]})").empty());
  CHECK(coref_error(theirs + R"(, "clusters": [[[0, 3]]]})") ==
        "input: line 1: clusters[0][0][1] is 3; expected the last token, 0 to 2 (ends are "
        "inclusive in records with \"doc_key\"); fix the record");
  CHECK(coref_error(R"({"document": "d", )" + words + R"(, "clusters": [[[2, 2]]]})") ==
        "input: line 1: clusters[0][0][1] is 2; expected the token after the last, 3 to 3 (ends "
        "are exclusive, except in records with \"doc_key\"); fix the record");
}

TEST_CASE("errors of JSON Lines name the file, the line and the place") {
  const auto record = [](const std::string& fields) {
    return "{\"sentences\": [[\"a\"]], \"clusters\": []}\n{" + fields + "}\n";
  };
  const std::string sentences = R"("sentences": [["a", "b"], ["c"]])";
  struct Case {
    std::string fields, found;
  };
  for (const Case& one : std::vector<Case>{
           {sentences + R"(, "clusters": [[[0, 4]]])", "clusters[0][0][1] is 4"},
           {sentences + R"(, "clusters": [[[1, 1]]])", "clusters[0][0][1] is 1"},
           {sentences + R"(, "clusters": [[[-1, 1]]])", "clusters[0][0][0] is -1"},
           {sentences + R"(, "clusters": [[[3, 4]]])", "clusters[0][0][0] is 3"},
           {sentences + R"(, "clusters": [[[0, 1, 2]]])", "clusters[0][0] is"},
           {sentences + R"(, "clusters": [[[0.5, 1]]])", "clusters[0][0][0] is 0.5"},
           {sentences + R"(, "clusters": [[["0", 1]]])", "clusters[0][0][0] is"},
           {sentences + R"(, "clusters": [[[0, 1], [0, 1]]])", "in no cluster yet"},
           {sentences + R"(, "clusters": [[[0, 1]], [[0, 1]]])", "clusters[1][0] is"},
           {sentences + R"(, "clusters": {})", "clusters is"},
           {sentences, "clusters is"},
           {R"("clusters": [])", "sentences is"},
           {R"("sentences": [], "clusters": [])", "sentences is"},
           {R"("sentences": ["a"], "clusters": [])", "sentences[0] is"},
           {R"("sentences": [[1]], "clusters": [])", "sentences[0]"},
           {R"("sentences": [[""]], "clusters": [])", "empty token"},
           {sentences + R"(, "clusters": [], "genre": 3)", "genre is 3"},
           {sentences + R"(, "clusters": [], "speakers": ["x"])", "speakers is"},
           {sentences + R"(, "clusters": [], "speakers": ["x", 2])", "speakers[1] is 2"},
           {sentences + R"(, "clusters": [], "document": [])", "document is"}}) {
    const std::string error = coref_error(record(one.fields));
    CAPTURE(one.fields);
    CAPTURE(error);
    CHECK(holds(error, "input: line 2: "));
    CHECK(holds(error, one.found));
  }
  CHECK(holds(coref_error("{\"sentences\": [[\"a\"]], \"clusters\": []\n"), "input: line 1: "));
  for (const char* empty : {"", "\n \n"}) {
    CHECK(coref_error(empty) == "input: found no document; expected documents with their clusters");
  }
  for (const char* unmarked : {"{\"sentences\": [[\"a\"]], \"clusters\": []}\n", "a 0 0 a -\n"}) {
    CHECK(coref_error(unmarked) ==
          "input: found no cluster in any document; expected clusters of mentions");
  }
}

TEST_CASE("errors of GAP's records name the mismatch") {
  const auto record = [](const std::string& before, const std::string& after) {
    std::string text =
        R"({"id": "g", "text": "Ann met Bob. He left.", "pronoun": "He", "pronoun_start": 13,)"
        R"( "a": "Ann", "a_start": 0, "a_coref": false, "b": "Bob", "b_start": 8, "b_coref": true})";
    text.replace(text.find(before), before.size(), after);
    return text;
  };
  CHECK(coref_error(record("g", "h")).empty());
  struct Case {
    const char *before, *after, *found;
  };
  for (const Case& one :
       std::vector<Case>{{R"("pronoun": "He")", R"("pronoun": "Bob")", "pronoun is"},
                         {R"("a_start": 0)", R"("a_start": 1)", "a_start is 1"},
                         {R"("a_start": 0)", R"("a_start": 900)", "a_start is 900"},
                         {R"("a_start": 0)", R"("a_start": -1)", "a_start is -1"},
                         {R"("a_coref": false)", R"("a_coref": "F")", "a_coref is"},
                         {R"(, "b_coref": true)", "", "b_coref"},
                         {R"("b": "Bob")", R"("b": "")", "b_start is"},
                         {R"("id": "g")", R"("id": {})", "id is"}}) {
    const std::string error = coref_error(record(one.before, one.after));
    CAPTURE(error);
    CHECK(holds(error, "input: line 1: "));
    CHECK(holds(error, one.found));
  }
}

TEST_CASE("a text file is a document whose clusters are in bytes") {
  InputOptions options;
  const std::string text =
      "\xef\xbb\xbf\xc3\x84nne saw it.\r\nIt was \xf0\x9f\x98\x80 big.\n\nEnd.";
  const auto sentences = open_source(options, "a.txt", std::make_unique<MemoryBytes>(text));
  const auto source = labeled_kind("coref")->examples_of(*sentences);
  ExampleGroup group;
  REQUIRE(source->next(group));
  REQUIRE(group.records.size() == 1);
  CHECK(group.texts.size() == 3);
  CHECK(gold_of(group).speakers.empty());
  const auto writer = labeled_kind("coref")->writer({.format = PredictionFormat::jsonl});
  // "Anne", "It", "it" by tokens in: Anne saw it . It was X big . End .
  const PredictionPointer prediction =
      std::make_shared<ClusterPrediction>(Clusters{{{2, 3}, {4, 5}}, {{0, 1}, {7, 9}}});
  CHECK(writer->text_of(group, {&prediction, 1}) ==
        "{\"document\": \"a.txt\", \"clusters\": [[[13, 15], [18, 20]], [[3, 8], [30, 34]]]}\n");
  CHECK_FALSE(source->next(group));
}

TEST_CASE("clusters are written in tokens if tokens were given") {
  LabelSet labels;
  const auto groups = read_documents(
      "{\"document\": \"a \\\"b\\\"\", \"sentences\": [[\"a\"], [], [\"b\", \"c\"]]}\n"
      "{\"sentences\": [[]]}\n",
      labels, false);
  const auto writer = labeled_kind("coref")->writer({.format = PredictionFormat::jsonl});
  const PredictionPointer prediction =
      std::make_shared<ClusterPrediction>(Clusters{{{0, 1}, {1, 3}}});
  CHECK(writer->text_of(groups[0], {&prediction, 1}) ==
        "{\"document\": \"a \\\"b\\\"\", \"clusters\": [[[0, 1], [1, 3]]]}\n");
  CHECK(writer->text_of(groups[1], {}) == "{\"document\": \"2\", \"clusters\": []}\n");
  CHECK(writer->end().empty());
  CHECK_THROWS_AS(labeled_kind("coref")->writer({.format = PredictionFormat::columns}),
                  RequestError);
}

}  // namespace
}  // namespace elmo
