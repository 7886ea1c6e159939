// Sentences written as CoNLL-U and read back.
#include "io/engine/tokenize.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace elmo {
namespace {

std::string conllu_of(std::string_view text, InputOptions options = {}) {
  if (options.tokenizer.locale.empty()) options.tokenizer = {TokenizerKind::ud, "en"};
  const auto source = open_source(options, "a\nb.txt", std::make_unique<MemoryBytes>(text));
  ConlluText conllu;
  std::string result;
  Sentence sentence;
  while (source->next(sentence)) result += conllu.text_of(sentence);
  return result;
}

std::string conllu_line(const std::string& id, const std::string& form, bool joined = false) {
  return id + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t" + (joined ? "SpaceAfter=No" : "_") + "\n";
}

std::string word(int number, const std::string& form, bool joined = false) {
  return conllu_line(std::to_string(number), form, joined);
}

}  // namespace

TEST_CASE("CoNLL-U has the document, its paragraphs, and the text with its blanks") {
  CHECK(conllu_of("It's so.  \"Yes!\"\n\nThen\n") ==
        "# newdoc id = a b.txt\n# newpar\n# sent_id = 1\n# text = It's so.\n" +
            word(1, "It", true) + word(2, "'s") + word(3, "so", true) + word(4, ".") +
            "\n# sent_id = 2\n# text = \"Yes!\"\n" + word(1, "\"", true) + word(2, "Yes", true) +
            word(3, "!", true) + word(4, "\"") + "\n# newpar\n# sent_id = 3\n# text = Then\n" +
            word(1, "Then") + "\n");
}

TEST_CASE("CoNLL-U: a contraction has the line of its range before its words") {
  InputOptions options;
  options.tokenizer = {TokenizerKind::ud, "fr", "", "", ContractionMode::expand};
  CHECK(conllu_of("Du lac au bord, au.\n", options) ==
        "# newdoc id = a b.txt\n# newpar\n# sent_id = 1\n# text = Du lac au bord, au.\n" +
            conllu_line("1-2", "Du") + word(1, "De") + word(2, "le") + word(3, "lac") +
            conllu_line("4-5", "au") + word(4, "à") + word(5, "le") + word(6, "bord", true) +
            word(7, ",") + conllu_line("8-9", "au", true) + word(8, "à") + word(9, "le") +
            word(10, ".") + "\n");
}

TEST_CASE(
    "CoNLL-U: other white space becomes one blank, and a sentence without tokens is empty text") {
  CHECK(conllu_of("a \u00a0 b\nc") ==
        "# newdoc id = a b.txt\n# newpar\n# sent_id = 1\n# text = a b c\n" + word(1, "a") +
            word(2, "b") + word(3, "c") + "\n");
  CHECK(conllu_of(" \n\n ").empty());
}

TEST_CASE("CoNLL-U: forms and the text have no outer white space, tabs and line breaks") {
  Sentence sentence;
  sentence.document = std::make_shared<const Document>(Document{0, "x"});
  std::uint64_t begin = 0;
  for (const char* token : {"a\tb", " c", "\u00a0", "d\u00a0"}) {
    sentence.add(token, {begin, begin + 1});
    begin += 2;
  }
  CHECK(ConlluText().text_of(sentence) == "# newdoc id = x\n# sent_id = 1\n# text = a b c _ d\n" +
                                              word(1, "a b") + word(2, "c") + word(3, "_") +
                                              word(4, "d") + "\n");
}

TEST_CASE("CoNLL-U: an id with outer blanks is read back unchanged") {
  InputOptions options;
  options.format = InputFormat::jsonl;
  const std::string text = conllu_of(R"({"id": "  x ", "text": "a"})", options);
  options.format = InputFormat::conllu;
  const auto again = open_source(options, "file", std::make_unique<MemoryBytes>(text));
  Sentence sentence;
  REQUIRE(again->next(sentence));
  CHECK(sentence.document->id == "  x ");
}

TEST_CASE("CoNLL-U: each record is a document") {
  InputOptions options;
  options.format = InputFormat::jsonl;
  CHECK(conllu_of("{\"id\": \"x\", \"text\": \"a\"}\n{\"text\": \"\"}\n{\"text\": \"b\"}\n",
                  options) ==
        "# newdoc id = x\n# newpar\n# sent_id = 1\n# text = a\n" + word(1, "a") +
            "\n# newdoc id = 3\n# newpar\n# sent_id = 2\n# text = b\n" + word(1, "b") + "\n");
}

TEST_CASE("CoNLL-U: tokens that are empty, white space or several lines keep their columns") {
  InputOptions options;
  options.format = InputFormat::jsonl;
  CHECK(conllu_of(R"({"id": "x", "tokens": ["a\tb", "", "\n\n", "c\nd"]})", options) ==
        "# newdoc id = x\n# sent_id = 1\n# text = a b _ _ c d\n" + word(1, "a b") + word(2, "_") +
            word(3, "_") + word(4, "c d") + "\n");
}

TEST_CASE("CoNLL-U is read back with the same documents, sentences and tokens") {
  const std::string text =
      "Don't go _ to # 1-2 http://a.b/c. 1.1\n\n_\n\nNext \"one\" \u00e9 here.\n\n"
      "A 3/4 \u4e1c\u4eac\u3002\u5317\u4eac";
  InputOptions options;
  options.tokenizer = {TokenizerKind::ud, "en"};
  const auto first = open_source(options, "a\nb.txt", std::make_unique<MemoryBytes>(text));
  const std::string conllu = conllu_of(text);
  options.format = InputFormat::conllu;
  const auto second = open_source(options, "x", std::make_unique<MemoryBytes>(conllu));
  Sentence one;
  Sentence other;
  std::size_t sentences = 0;
  for (; first->next(one); ++sentences) {
    REQUIRE(second->next(other));
    CHECK(one.text() == other.text());
    CHECK(one.same_tokens(other));
    CHECK(other.document->id == "a b.txt");
  }
  CHECK_FALSE(second->next(other));
  CHECK(sentences >= 5);
}

}  // namespace elmo
