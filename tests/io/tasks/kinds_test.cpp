// The table of kinds, and the forms of files by name and first line.
#include "io/tasks/kinds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "io/tasks/tags.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {

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
    return form_of_file(path.string(), *labeled_kind(kind));
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

}  // namespace elmo
