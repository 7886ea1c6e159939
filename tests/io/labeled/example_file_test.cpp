// Files of examples in any format: encoding, malformed records, pipes, and files without examples.
#include "io/labeled/example_file.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

/// Returns one byte per read.
class SingleBytes : public ByteSource {
 public:
  explicit SingleBytes(std::string_view bytes) : rest_(bytes) {}

  std::size_t read(char* data, std::size_t /*size*/) override { return rest_.read(data, 1); }

 private:
  MemoryBytes rest_;
};

/// Returns one piece per read.
class Pieces : public ByteSource {
 public:
  explicit Pieces(std::vector<std::string> pieces) : pieces_(std::move(pieces)) {}

  std::size_t read(char* data, std::size_t size) override {
    if (next_ == pieces_.size()) return 0;
    const std::string& piece = pieces_[next_++];
    REQUIRE(piece.size() <= size);
    piece.copy(data, piece.size());
    return piece.size();
  }

 private:
  std::vector<std::string> pieces_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("a Git LFS pointer or a web page is not read as labels") {
  for (const char* content : {"version https://git-lfs.github.com/spec/v1\nsize 3\n",
                              "<!DOCTYPE html>\n<p>Not found\n"}) {
    CAPTURE(content);
    const std::string error = error_of_groups("tag", content);
    CHECK(error.starts_with("input: it is a"));
    CHECK(error.ends_with("; expected labeled examples"));
    CHECK(error_of_groups("tag", content, false).empty());
  }
}

TEST_CASE("strict reading of labeled files names the first byte that is not UTF-8") {
  const auto error_of = [](std::string_view text, bool single,
                           Remedy remedy = Remedy{"repair_text"}) -> std::string {
    ExampleInput input;
    input.file = "input";
    input.strict = true;
    LabeledText labeled;
    try {
      OpenedExamples source(input, *labeled_kind("tag"),
                            single ? std::unique_ptr<ByteSource>(new SingleBytes(text))
                                   : std::make_unique<MemoryBytes>(text));
      while (source.next(labeled)) continue;
    } catch (const InputError& error) {
      const bool helps = error.message().parts().back() == Message::Part(remedy);
      CHECK(helps == (remedy != Remedy{}));
      return error.what();
    }
    return "";
  };
  for (const bool single : {false, true}) {
    CHECK(error_of("\xef\xbb\xbf\xf0\x9f\x98\x80\tO\n\u00e9\tO\n"sv, single) == "");
    CHECK(error_of("a\tO\n\xc3\tO\n"sv, single) ==
          "input: invalid UTF-8 at byte 4 (the first byte is 0); expected UTF-8");
    CHECK(error_of("{\"tokens\": [\"\xff\"], \"labels\": [\"O\"]}"sv, single).find("byte 13 ") !=
          std::string::npos);
    CHECK(error_of("a\tO\xe2\x82"sv, single).find("byte 3 ") != std::string::npos);
  }
  CHECK(error_of("\xff\xfe\x61\0"sv, false, Remedy{}).find("UTF-16") != std::string::npos);
}

TEST_CASE("malformed records of tokens are left out and counted on request") {
  ExampleInput input;
  input.file = "input.jsonl";
  input.labeled = false;
  input.skip_bad_records = true;
  OpenedExamples source(
      input, *labeled_kind("tag"),
      std::make_unique<MemoryBytes>(
          "{\"tokens\": [\"a\", \"\"]}\n5\n{\"tokens\": [\"b\"]}\n{\"tokens\": [\"c\"]}\n"));
  LabeledText labeled;
  for (const auto token : {"b"sv, "c"sv}) {
    REQUIRE(source.next(labeled));
    REQUIRE(labeled.sentence.size() == 1);
    CHECK(labeled.sentence.token(0) == token);
  }
  CHECK_FALSE(source.next(labeled));
  CHECK(source.file().counters().malformed == 2);
}

TEST_CASE("a pair may arrive in pieces") {
  ExampleInput input;
  input.file = "input";
  input.labeled = false;
  input.label_column = false;
  OpenedExamples source(
      input, *labeled_kind("pair"),
      std::make_unique<Pieces>(std::vector<std::string>{"a\tb\n", "\n", "c", "\td\n"}));
  ExampleGroup pair;
  REQUIRE(source.file().next(pair));
  CHECK(pair.texts[1].token(0) == "b");
  REQUIRE(source.file().next(pair));
  CHECK(pair.texts[0].token(0) == "c");
  CHECK(pair.texts[1].token(0) == "d");
  CHECK_FALSE(source.file().next(pair));
}

TEST_CASE("examples of every kind may arrive in pieces") {
  ExampleInput input;
  input.file = "input";
  input.labeled = false;
  input.skip_bad_records = true;
  const auto read = [&](std::string_view kind, std::vector<std::string> parts) {
    OpenedExamples source(input, *labeled_kind(kind), std::make_unique<Pieces>(std::move(parts)));
    std::string all;
    ExampleGroup group;
    do {
      group = {};
      if (!source.file().next(group)) return all;
      for (const Sentence& text : group.texts) all += text.text() + "|";
    } while (true);
  };
  CHECK(read("tag", {"a\n", "b\n", "\nc", "d\n"}) == "a b|cd|");
  CHECK(read("srl", {"a - *\n", "b", " - *\n", "\n", "c - *\n\n"}) == "a b|c|");
  CHECK(read("coref", {"d 0 0 a -\n", "d 0 1 b -\n", "#begin document (e)\n", "e 0 0 c -\n"}) ==
        "a b|c|");
  // With answers, lines with one context form one group.
  input.labeled = true;
  const std::string question =
      R"({"context": "A b.", "question": "Who?", "answers": [{"text": "b", "start": 2}]})";
  CHECK(read("qa", {question + "\n", question.substr(0, 9), question.substr(9) + "\n5\n",
                    question}) == "A b .|Who ?|Who ?|Who ?|");
}

TEST_CASE("labeled files without examples are refused, each kind with its own message") {
  for (const auto text : {""sv, "\n\n"sv}) {
    CHECK(error_of_groups("tag", text) ==
          "input: found no token; expected sentences with a label for each token");
    CHECK(error_of_groups("classify", text) ==
          "input: found no text; expected texts with a label each");
    CHECK(error_of_groups("qa", text) ==
          "input: found no question; expected questions with their contexts");
    CHECK(error_of_groups("srl", text) ==
          "input: found no frame; expected sentences with the frames of their predicates");
    CHECK(error_of_groups("coref", text) ==
          "input: found no document; expected documents with their clusters");
  }
  CHECK(error_of_groups("coref", R"({"sentences": [["a"]], "clusters": []})") ==
        "input: found no cluster in any document; expected clusters of mentions");
  for (const auto kind : {"tag"sv, "pair"sv, "qa"sv, "srl"sv}) {
    CHECK(error_of_groups(kind, "", false).empty());
  }
}

}  // namespace elmo
