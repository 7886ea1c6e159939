// Forms of files by their names and first lines.
#include "io/labeled/text_form.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

constexpr ExampleShape kTokens = {.texts = 1, .token_labels = true};
constexpr ExampleShape kPair = {.texts = 2};

}  // namespace

TEST_CASE("a form is known by the name of a file, without an extension of compression") {
  CHECK(form_of_file("a.conllu.gz", kPair) == TextForm::conllu);
  CHECK(form_of_file("a.jsonl.zst", kTokens) == TextForm::jsonl);
  CHECK(form_of_file("a.iob2", kTokens) == TextForm::columns);
  CHECK(form_of_file("a.iob2", kPair) == TextForm::text);
  CHECK(form_of_file("a.tsv", kPair) == TextForm::columns);
  CHECK(form_of_file("a.txt", kTokens) == TextForm::text);
  CHECK(form_of_records("a.json") == TextForm::jsonl);
  CHECK(form_of_records("a.v4_gold_conll") == TextForm::columns);
  CHECK(form_of_records("a.cupt") == TextForm::conllu);
  CHECK(form_of_records("a") == TextForm::text);
}

TEST_CASE("a form is told by the first line that is not blank") {
  const TempDir folder;
  const auto written = [&](const char* name, const std::string& text) {
    const auto path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  };
  CHECK(form_of_records(written("gap.tsv", "ID\tText\tPronoun\tPronoun-offset\tA\n")) ==
        TextForm::columns);
  CHECK(form_of_records(written("other.tsv", "a\tb\n")) == TextForm::text);
  CHECK(lacks_label(written("pairs.tsv", "\n \na\tb\n"), kPair));
  CHECK_FALSE(lacks_label(written("labeled.tsv", "x\ta\tb\n"), kPair));
  CHECK_FALSE(lacks_label(written("empty.tsv", ""), kPair));
  CHECK(holds_token_records(written("t.jsonl", R"({"tokens": ["a"]})"), "text"));
  CHECK_FALSE(holds_token_records(written("b.jsonl", R"({"tokens": ["a"], "text": "a"})"), "text"));
  CHECK_FALSE(holds_token_records(written("w.jsonl", "{"), "text"));
}

}  // namespace elmo
