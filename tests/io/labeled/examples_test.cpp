// Examples in memory and their words.
#include "io/labeled/examples.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "io/text/segment/characters.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

TaskExamples examples_of(std::string_view kind, std::string_view text, LabelSet& labels) {
  ExampleInput input;
  input.file = "input";
  return read_examples(
      *open_examples(input, *labeled_kind(kind), labels, std::make_unique<MemoryBytes>(text)));
}

}  // namespace

TEST_CASE("words are looked up as they are spelled, then in lower case") {
  WordVocabulary words;
  words.add("us", false);
  words.add("US", false);
  words.add("\xC3\xA9t\xC3\xA9", false);
  Sentence sentence;
  for (const char* token : {"us", "US", "Us", "\xC3\x89T\xC3\x89", "them"}) sentence.add(token, {});
  CHECK(word_rows(sentence, words) == std::vector<std::int32_t>{1, 2, 1, 3, 0});
  CHECK(lower_case("\xC3\x84"
                   "B\xE2\x84\xAA") ==
        "\xC3\xA4"
        "bk");
}

TEST_CASE("kept examples are the groups that were read, with consecutive texts") {
  LabelSet labels;
  const TaskExamples examples = examples_of("pair", "x\tA b\tc\ny\td\te f\n", labels);
  CHECK(examples.name == "input");
  REQUIRE(examples.records.size() == 2);
  CHECK(examples.records[1].texts == std::vector<std::uint64_t>{2, 3});
  const auto kept = groups_of(examples);
  ExampleGroup group;
  for (const std::int32_t label : {0, 1}) {
    REQUIRE(kept->next(group));
    CHECK(group.texts.size() == 2);
    REQUIRE(group.records.size() == 1);
    CHECK(group.records[0].texts == std::vector<std::uint64_t>{0, 1});
    CHECK(labels_of(group.records[0]) == std::vector<std::int32_t>{label});
  }
  CHECK_FALSE(kept->next(group));
  const auto again = groups_of(examples);
  const auto texts = texts_of(*again);
  Sentence sentence;
  std::string all;
  while (texts->next(sentence)) all += sentence.text() + "|";
  CHECK(all == "A b|c|d|e f|");
}

TEST_CASE("words of the training data are counted in lower case") {
  LabelSet labels;
  const TaskExamples examples = examples_of("classify", "x\tA b\ny\ta c\n", labels);
  const WordVocabulary words = count_words(examples);
  CHECK(words.words() == std::vector<std::string>{"a", "b", "c"});
  CHECK_FALSE(words.is_rare(1));
  CHECK(words.is_rare(2));
}

TEST_CASE("IOB1 is noted and converted, and other schemes are checked") {
  LabelSet labels;
  TaskExamples iob1 = examples_of("tag", "a\tI-X\nb\tB-X\nc\tO\n", labels);
  prepare_spans(iob1, std::nullopt, labels);
  CHECK(labels.names_of(labels_of(iob1.records[0])) == std::vector<std::string>{"B-X", "B-X", "O"});
  CHECK(iob1.notes.size() == 1);
  LabelSet others;
  TaskExamples wrong = examples_of("tag", "a\tB-X\n\nb\tO\nc\tI-X\n", others);
  CHECK_THROWS_WITH_AS(prepare_spans(wrong, std::nullopt, others),
                       "input: line 4: found the label 'I-X' after 'O'; expected B-X to begin a "
                       "span (IOB2); fix the file",
                       InputError);
}

TEST_CASE("labels of spans that are in no scheme are noted") {
  const auto notes_of = [](const char* text) {
    LabelSet labels;
    TaskExamples examples = examples_of("tag", text, labels);
    prepare_spans(examples, std::nullopt, labels);
    return examples.notes;
  };
  using Notes = std::vector<std::string>;
  const std::string note = "labels are not read as spans, because ";
  // The names of columns, and a slip.
  CHECK(notes_of("word\tlabel\na\tB-X\nb\tI-X\nc\tO\n") ==
        Notes{note + "'label' is in no scheme of spans"});
  CHECK(notes_of("a\tB-X\nb\tX-X\nc\tO\n") == Notes{note + "'X-X' is in no scheme of spans"});
  CHECK(notes_of("a\tB-X\nb\tI_X\nc\tO\n") == Notes{note + "they are of several schemes"});
  CHECK(notes_of("a\tO\nb\tO\n").empty());
  CHECK(notes_of("a\tNN\nb\tO\n").empty());
  CHECK(notes_of("a\tB-X\nb\tNN\n").empty());
}

TEST_CASE("schemes with other letters are noted, kept, and not mixed") {
  LabelSet labels;
  TaskExamples bilou = examples_of("tag", "a\tB-X\nb\tL-X\nc\tO\nd\tU-X\n", labels);
  prepare_spans(bilou, std::nullopt, labels);
  CHECK(labels.names() == std::vector<std::string>{"B-X", "L-X", "O", "U-X"});
  CHECK(bilou.notes == std::vector<std::string>{"labels are read as spans in BILOU"});
  const std::optional<SpanScheme> learned = span_scheme(labels.names());
  // This one alone would be BILO.
  TaskExamples few = examples_of("tag", "a\tB-X\nb\tL-X\nc\tO\n", labels);
  CHECK_NOTHROW(prepare_spans(few, learned, labels));
  const auto error_of = [&](const char* text, const std::optional<SpanScheme>& scheme) {
    TaskExamples examples = examples_of("tag", text, labels);
    try {
      prepare_spans(examples, scheme, labels);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto mixed = [](const std::string& found, const std::string& expected) {
    return "input: found labels in " + found + "; expected " + expected +
           ", as in the training data; convert the file";
  };
  CHECK(error_of("a\tB-X\nb\tI-X\nc\tI-X\n", learned) == mixed("IOB2", "BILOU"));
  CHECK(error_of("a\tB-X\nb\tE-X\n", learned) == mixed("BIOES", "BILOU"));
  CHECK(error_of("a\tB-X\nb\tL-X\n", SpanScheme::iob2) == mixed("BILO", "IOB2"));
  CHECK(error_of("a\tB_X\nb\tI_X\n", SpanScheme::iob2) == mixed("IOB2 with _", "IOB2"));
  CHECK(error_of("a\tB-X\nb\tE-X\n", SpanScheme::iob2).empty());
  CHECK(error_of("a\tB-X\nb\tI-X\nc\tL-X\nd\tI-X\n", learned)
            .starts_with("input: line 4: found the label 'I-X' after 'L-X'"));
}

TEST_CASE("sentences are examples if they have tokens") {
  LabelSet labels;
  const TaskExamples examples = examples_of("classify", "x\ta\nx\tb\n", labels);
  const auto texts = texts_of(examples);
  const auto sentences = examples_of_sentences(*texts);
  ExampleGroup group;
  REQUIRE(sentences->next(group));
  REQUIRE(group.records.size() == 1);
  CHECK(group.records[0].gold == nullptr);
  CHECK(sentences->next(group));
  CHECK_FALSE(sentences->next(group));
}

}  // namespace elmo
