// The table of kinds, and the forms of files by name and first line.
#include "io/labeled/kinds.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "io/labeled/text_examples.h"
#include "io/labeled/token_examples.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TextForm form_of(const char* kind, const std::string& file) {
  return labeled_kind(kind)->form_of(file);
}

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
    CHECK((kind.forms.size() > kind.labeled_forms.size()) == (kind.examples_of != nullptr));
  }
  CHECK(labeled_kind("Tag") == nullptr);
  CHECK(labeled_kind("qa", labeled_kinds().first(3)) == nullptr);
}

TEST_CASE("a form is known by the name of a file, without an extension of compression") {
  CHECK(form_of("pair", "a.conllu.gz") == TextForm::conllu);
  CHECK(form_of("tag", "a.jsonl.zst") == TextForm::jsonl);
  CHECK(form_of("tag", "a.iob2") == TextForm::columns);
  CHECK(form_of("pair", "a.iob2") == TextForm::text);
  CHECK(form_of("pair", "a.tsv") == TextForm::columns);
  CHECK(form_of("tag", "a.txt") == TextForm::text);
  CHECK(form_of("coref", "a.json") == TextForm::jsonl);
  CHECK(form_of("coref", "a.v4_gold_conll") == TextForm::columns);
  CHECK(form_of("coref", "a.cupt") == TextForm::conllu);
  CHECK(form_of("coref", "a") == TextForm::text);
}

TEST_CASE("a form is told by the first line that is not blank") {
  const TempDir folder;
  const auto written = [&](const char* name, const std::string& text) {
    const auto path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  };
  CHECK(form_of("coref", written("gap.tsv", "ID\tText\tPronoun\tPronoun-offset\tA\n")) ==
        TextForm::columns);
  CHECK(form_of("coref", written("other.tsv", "a\tb\n")) == TextForm::text);
  CHECK(lacks_label(written("pairs.tsv", "\n \na\tb\n"), 2));
  CHECK_FALSE(lacks_label(written("labeled.tsv", "x\ta\tb\n"), 2));
  CHECK_FALSE(lacks_label(written("empty.tsv", ""), 2));
  CHECK(holds_token_records(written("t.jsonl", R"({"tokens": ["a"]})"), "text"));
  CHECK_FALSE(holds_token_records(written("b.jsonl", R"({"tokens": ["a"], "text": "a"})"), "text"));
  CHECK_FALSE(holds_token_records(written("w.jsonl", "{"), "text"));
}

}  // namespace elmo
