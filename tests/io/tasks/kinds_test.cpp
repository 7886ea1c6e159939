// The table of kinds, the forms of files by name and first line, and predictions as text.
#include "io/tasks/kinds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tasks/role_scores.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// "He said it" with two frames and their predictions.
struct PredictedSentence {
  explicit PredictedSentence(std::vector<std::int32_t> predicates) {
    Sentence sentence;
    for (const char* token : {"He", "said", "\"it\""}) sentence.add(token, {});
    sentence.line = 4;
    group.texts.push_back(sentence);
    TaskRecord& record = group.records.emplace_back();
    record.texts = {0};
    prediction.labels = {2, 3, 0, 0, 1, 2};
    prediction.predicates = std::move(predicates);
  }

  std::string text(PredictionFormat format) {
    const auto writer =
        labeled_kind("srl")->writer({.format = format, .labels = {"O", "B-V", "B-A", "I-A"}});
    const PredictionPointer one = std::make_shared<FramePrediction>(prediction);
    return writer->text_of(group, {&one, group.records.size()}) + writer->end();
  }

  ExampleGroup group;
  FramePrediction prediction;
};

}  // namespace

TEST_CASE("each kind is described in full under its name") {
  CHECK(names_of_kinds([](const LabeledKind&) { return true; }) ==
        "tag, classify, pair, qa, srl, coref");
  CHECK(names_of_kinds([](const LabeledKind& kind) { return kind.skips_unanswerable; }) == "qa");
  for (const LabeledKind& kind : labeled_kinds()) {
    CAPTURE(kind.task.name);
    CHECK(labeled_kind(kind.task.name) == &kind);
    CHECK(kind.task.max_labels >= kMaxLabels / 10);
    CHECK(kind.task.defaults.batch > 0);
    CHECK((kind.format.make_reader != nullptr));
    CHECK(kind.writer({.format = PredictionFormat::jsonl}) != nullptr);
    // Files that are not read as labeled files are read as sentences.
    CHECK(std::ranges::all_of(kind.forms, &KindForm::as_labeled) == (kind.examples_of == nullptr));
  }
  CHECK(labeled_kind("Tag") == nullptr);
  CHECK(labeled_kind("qa", labeled_kinds().first(3)) == nullptr);
}

TEST_CASE("the format follows the file name, without an extension of compression") {
  const auto form_of_name = [](const char* kind, std::string_view name) {
    ByteWindow empty((std::string_view()));
    return form_of(name, empty, labeled_kind(kind)->format);
  };
  for (const char* kind : {"tag", "classify", "pair", "qa", "srl", "coref"}) {
    CAPTURE(kind);
    for (const char* name : {"a.jsonl.zst", "a.ndjson", "a.jsonlines.gz", "a.ldjson", "a.json"}) {
      CHECK(form_of_name(kind, name) == TextForm::jsonl);
    }
    CHECK(form_of_name(kind, "a.conllu.gz") == TextForm::conllu);
    CHECK(form_of_name(kind, "a.cupt") == TextForm::conllu);
    CHECK(form_of_name(kind, "a.txt") == std::nullopt);
    CHECK(form_of_name(kind, "-") == std::nullopt);
  }
  CHECK(form_of_name("tag", "a.iob2") == TextForm::columns);
  CHECK(form_of_name("pair", "a.iob2") == std::nullopt);
  CHECK(form_of_name("pair", "a.tsv") == TextForm::columns);
  CHECK(form_of_name("classify", "a.csv.gz") == TextForm::columns);
  CHECK(form_of_name("coref", "a.v4_gold_conll") == TextForm::columns);
}

TEST_CASE("the format follows the first line that is not blank") {
  const TempDir folder;
  const auto form = [&](const char* kind, const char* name, const std::string& text) {
    const auto path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return form_of_file(path.string(), labeled_kind(kind)->format);
  };
  CHECK(form("coref", "gap.tsv", "ID\tText\tPronoun\tPronoun-offset\tA\n") == TextForm::columns);
  CHECK(form("coref", "other.tsv", "a\tb\n") == TextForm::text);
  CHECK(form("srl", "c", "#begin document (a); part 000\n") == TextForm::columns);
  CHECK(form("tag", "c", "-DOCSTART- -X- O O\n") == TextForm::columns);
  CHECK(form("tag", "u", "# sent_id = 1\n1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n") == TextForm::conllu);
  CHECK(form("tag", "p", "# global.columns = ID FORM\n") == TextForm::conllu);
  for (const char* kind : {"tag", "classify", "pair", "coref"}) {
    CHECK(form(kind, "r", "\xef\xbb\xbf\n{\"text\": \"a\"}\n") == TextForm::jsonl);
    CHECK(form(kind, "a.tsv", "[\n  {\"text\": \"a\"}\n]\n") == TextForm::jsonl);
    CHECK(form(kind, "braces", "{\"a\" b}\tc\n") == TextForm::text);
    CHECK(form(kind, "title", "# A text\n\nIt begins.\n") == TextForm::text);
    CHECK(form(kind, "empty", "") == TextForm::text);
  }
}

TEST_CASE("records are distinguished by the first one") {
  const TempDir folder;
  const auto form = [&](const char* records) {
    const std::filesystem::path path = folder / "records";
    std::ofstream(path, std::ios::binary) << records;
    return form_of_records(path.string(), "text");
  };
  CHECK(form(R"({"text": "a", "tokens": ["a"], "data": {"text": "a"}})") == TextForm::jsonl);
  CHECK(form(R"({"tokens": ["a"], "data": {}})") == TextForm::token_records);
  CHECK(form("[\n\n{\"tokens\":\n[\"a\"]}]") == TextForm::token_records);
  CHECK(form(R"({"data": {"text": "a"}, "text": null})") == TextForm::data_records);
  CHECK(form(R"([{"id": 1, "data": {"text": "a"}}])") == TextForm::data_records);
  CHECK(form(R"({"data": "a"})") == TextForm::jsonl);
  CHECK(form("{") == TextForm::jsonl);
  CHECK(form("") == TextForm::jsonl);
}

TEST_CASE("frames are written as records") {
  CHECK(PredictedSentence({2, 1}).text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": [)"
        R"({"predicate": 2, "tags": ["B-A", "I-A", "O"]}, )"
        R"({"predicate": 1, "tags": ["O", "B-V", "B-A"]}]})"
        "\n");
}

TEST_CASE("a sentence without predicates has no frames") {
  PredictedSentence sentence({0, 2});
  CHECK(sentence.text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": [)"
        R"({"predicate": 0, "tags": ["B-A", "I-A", "O"]}, )"
        R"({"predicate": 2, "tags": ["O", "B-V", "B-A"]}]})"
        "\n");
  sentence.prediction = {};
  CHECK(sentence.text(PredictionFormat::jsonl) ==
        R"({"tokens": ["He", "said", "\"it\""], "frames": []})"
        "\n");
  CHECK(sentence.text(PredictionFormat::columns) == "-\n-\n-\n\n");
}

TEST_CASE("frames are written in columns, in the order of their predicates") {
  CHECK(PredictedSentence({2, 1}).text(PredictionFormat::columns) ==
        "-\t*\t(A*\n"
        "said\t(V*)\t*)\n"
        "\"it\"\t(A*)\t*\n\n");
  CHECK_THROWS_WITH_AS(PredictedSentence({1, 1}).text(PredictionFormat::columns),
                       "line 4: found two frames of token 1; expected one of each predicate, which "
                       "columns can hold",
                       InputError);
}

TEST_CASE("sentences without tokens keep their place") {
  PredictedSentence sentence({});
  sentence.group.texts[0] = {};
  sentence.group.records.clear();
  CHECK(sentence.text(PredictionFormat::jsonl) == "{\"tokens\": [], \"frames\": []}\n");
  CHECK(sentence.text(PredictionFormat::columns) == "\n");
}

TEST_CASE("frames are not written in other formats") {
  CHECK_THROWS_WITH_AS(labeled_kind("srl")->writer({.format = PredictionFormat::squad}),
                       "frames are written as jsonl or columns; found squad", RequestError);
  CHECK_THROWS_AS(labeled_kind("srl")->writer({.format = PredictionFormat::conllu}), RequestError);
}

TEST_CASE("each form of prediction has its own formats") {
  CHECK(labeled_kind("qa")->writer({.format = PredictionFormat::squad})->end() == "{}\n");
  CHECK_THROWS_AS(labeled_kind("qa")->writer({.format = PredictionFormat::conllu}), RequestError);
  CHECK_THROWS_AS(labeled_kind("qa")->writer({.format = PredictionFormat::columns}), RequestError);
  CHECK_THROWS_AS(labeled_kind("coref")->writer({.format = PredictionFormat::columns}),
                  RequestError);
  CHECK_THROWS_AS(labeled_kind("tag")->writer({.format = PredictionFormat::squad}), RequestError);
  CHECK_THROWS_AS(labeled_kind("pair")->writer({.format = PredictionFormat::conllu}), RequestError);
}

TEST_CASE("labels of tokens and of texts are written in each format") {
  ExampleGroup group;
  Sentence& sentence = group.texts.emplace_back();
  sentence.document = std::make_shared<const Document>(Document{0, "d"});
  sentence.line = 2;
  sentence.add("New", {0, 3});
  sentence.add("York", {4, 8});
  const std::vector<PredictionPointer> predictions{
      std::make_shared<LabelPrediction>(std::vector{1, 2}, std::vector{0.5F, 0.25F})};
  WriterOptions options;
  options.labels = {"O", "B-LOC", "I-LOC"};
  const char* kind = "tag";
  const auto text = [&](PredictionFormat format) {
    options.format = format;
    return labeled_kind(kind)->writer(options)->text_of(group, predictions);
  };
  CHECK(text(PredictionFormat::columns) == "New\tB-LOC\nYork\tI-LOC\n\n");
  CHECK(text(PredictionFormat::conllu) ==
        "1\tNew\t_\tB-LOC\t_\t_\t_\t_\t_\t_\n2\tYork\t_\tI-LOC\t_\t_\t_\t_\t_\t_\n\n");
  CHECK(
      text(PredictionFormat::jsonl).find(R"("entities": [{"type": "LOC", "begin": 0, "end": 2)") !=
      std::string::npos);
  kind = "classify";
  CHECK(text(PredictionFormat::columns) == "B-LOC\tNew York\n");
  CHECK(text(PredictionFormat::jsonl).find(R"("label": "B-LOC", "score": 0.5})") !=
        std::string::npos);
  options.format = PredictionFormat::columns;
  CHECK(labeled_kind(kind)->writer(options)->text_of(group, {}) == "\n");
}

TEST_CASE("TABs and line ends in tokens and labels do not end a cell") {
  ExampleGroup group;
  group.texts.emplace_back().add("a\tb\r\nc d", {0, 8});
  const std::vector<PredictionPointer> predictions{
      std::make_shared<LabelPrediction>(std::vector{0}, std::vector{0.5F})};
  WriterOptions options{.format = PredictionFormat::columns, .labels = {"x\ty"}};
  CHECK(labeled_kind("tag")->writer(options)->text_of(group, predictions) == "a_b__c d\tx_y\n\n");
  CHECK(labeled_kind("classify")->writer(options)->text_of(group, predictions) ==
        "x_y\ta_b__c d\n");
  options.format = PredictionFormat::conllu;
  CHECK(labeled_kind("tag")->writer(options)->text_of(group, predictions) ==
        "1\ta_b__c d\t_\tx_y\t_\t_\t_\t_\t_\t_\n\n");
}

}  // namespace elmo
