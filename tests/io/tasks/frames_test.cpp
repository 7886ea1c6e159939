#include <doctest/doctest.h>

#include <string_view>

#include "core/error.h"
#include "core/tasks/role_labeler.h"
#include "io/tasks/kinds.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

using Strings = std::vector<std::string>;

ExampleInput framed_input(bool labeled) {
  ExampleInput input;
  input.file = "input";
  input.labeled = labeled;
  return input;
}

/// Returns each sentence as "tokens | predicate: tags | …".
Strings read_frames(std::string_view text, bool labeled = true) {
  LabelSet labels;
  const auto source = open_examples(framed_input(labeled), *labeled_kind("srl"), labels,
                                    std::make_unique<MemoryBytes>(text));
  Strings result;
  ExampleGroup group;
  while (source->next(group)) {
    REQUIRE(group.texts.size() == 1);
    std::string line = group.texts[0].text();
    CHECK(group.records.empty() == (group.texts[0].size() == 0));
    for (const TaskRecord& record : group.records) {
      CHECK(record.texts == std::vector<std::uint64_t>{0});
      const Strings tags = labels.names_of(labels_of(record));
      const std::vector<std::int32_t> predicates =
          record.gold ? record.gold->as<FrameGold>().predicates : std::vector{-1};
      CHECK(tags.size() == (labeled ? predicates.size() * group.texts[0].size() : 0));
      std::size_t next = 0;
      for (const std::int32_t predicate : predicates) {
        line += " | " + std::to_string(predicate) + ":";
        for (std::size_t t = 0; labeled && t < group.texts[0].size(); ++t) {
          line += " " + tags[next++];
        }
      }
    }
    result.push_back(line);
  }
  return result;
}

std::string error_of_frames(std::string_view text, bool labeled = true) {
  try {
    read_frames(text, labeled);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Returns a line of CoNLL-2012: the word, its frameset, and columns of arguments.
std::string row(const std::string& word, const std::string& frameset,
                const std::string& arguments = "") {
  const std::string lemma = frameset == "-" ? "-" : word;
  return "doc  0  0  " + word + "  NN  (TOP*)  " + lemma + "  " + frameset + "  -  Speaker#1  *  " +
         (arguments.empty() ? "" : arguments + "  ") + "(12)\n";
}

const std::string kRecord = R"({"id": "first", "tokens": ["He", "said", "that", "it", "rains"], )"
                            R"("frames": [{"predicate": 1, "sense": "say.01", "tags": )"
                            R"(["B-ARG0", "B-V", "B-ARG1", "I-ARG1", "I-ARG1"]}, )"
                            R"({"predicate": 4, "tags": ["O", "O", "O", "O", "B-V"]}]})";

}  // namespace

TEST_CASE("records have tokens and frames") {
  CHECK(read_frames("\n " + kRecord +
                    "\r\n\n"
                    R"({"tokens": ["Oh"], "frames": [], "more": [1]})"
                    "\n"
                    R"({"tokens": [], "frames": []})") ==
        Strings{"He said that it rains | 1: B-ARG0 B-V B-ARG1 I-ARG1 I-ARG1 | 4: O O O O B-V", "Oh",
                ""});
  LabelSet labels;
  const std::string text = "\n" + kRecord;
  const auto source = open_examples(framed_input(true), *labeled_kind("srl"), labels,
                                    std::make_unique<MemoryBytes>(text));
  ExampleGroup group;
  REQUIRE(source->next(group));
  CHECK(group.texts[0].document->id == "first");
  CHECK(group.texts[0].line == 2);
  CHECK(group.texts[0].spans()[1] == ByteSpan{3, 7});
  CHECK(labels.names() == Strings{"B-ARG0", "B-V", "B-ARG1", "I-ARG1", "O"});
}

TEST_CASE("records with given predicates, or predicates to find") {
  CHECK(read_frames(kRecord + R"(
{"tokens": ["It", "rains"], "frames": [{"predicate": 1}]}
{"tokens": ["It", "rains"]}
{"tokens": ["It", "rains"], "frames": []}
{"tokens": []}
)",
                    false) == Strings{"He said that it rains | 1: | 4:", "It rains | 1:",
                                      "It rains | -1:", "It rains", ""});
}

TEST_CASE("columns of CoNLL-2012") {
  const std::string text = "#begin document (doc); part 000\n" + row("He", "-", "(ARG0*)  *") +
                           row("said", "01", "(V*)  *") + row("that", "-", "(ARG1*  *") +
                           row("rains", "02", "*)  (V*)") + "\n" + row("Oh", "-") + "\n\n" +
                           row("No", "-", "*") + row("!", "-", "*") + "#end document\n";
  CHECK(read_frames(text) ==
        Strings{"He said that rains | 1: B-ARG0 B-V B-ARG1 I-ARG1 | 3: O O O B-V", "Oh", "No !"});
  CHECK(read_frames(text, false) == Strings{"He said that rains | 1: | 3:", "Oh", "No !"});
  CHECK(read_frames(row("It", "-") + row("rains", "01"), false) == Strings{"It rains | 1:"});
  LabelSet labels;
  const auto source = open_examples(framed_input(true), *labeled_kind("srl"), labels,
                                    std::make_unique<MemoryBytes>(text));
  ExampleGroup group;
  REQUIRE(source->next(group));
  CHECK(group.texts[0].line == 2);
  CHECK(group.texts[0].line_of(3) == 5);
  CHECK(group.texts[0].spans()[0] == ByteSpan{43, 45});
}

TEST_CASE("columns of CoNLL-2005") {
  const Strings frames = {"He said that rains | 1: B-A0 B-V B-A1 I-A1 | 3: O O O B-V", "Oh"};
  const Strings given = {"He said that rains | 1: | 3:", "Oh"};
  // Words and predicates; the same with columns between them; and predicates only at (V*).
  const std::string text =
      "He - (A0*) *\nsaid say (V*) *\nthat - (A1* *\nrains rain *) (V*)\n\nOh -\n";
  CHECK(read_frames(text) == frames);
  CHECK(read_frames(text, false) == given);
  const std::string wide =
      "He\tPRP\t(S(NP*)\t*\t-\t-\t(A0*)\t*\nsaid\tVBD\t(VP*\t*\t01\tsay\t(V*)\t*\n"
      "that\tWDT\t(SBAR*\t*\t-\t-\t(A1*\t*\nrains\tVBZ\t*)))\t*\t02\train\t*)\t(V*)\n\n"
      "Oh\tUH\t(S*)\t*\t-\t-\n";
  CHECK(read_frames(wide) == frames);
  CHECK(read_frames(wide, false) == given);
  // A # is a token; documents of CoNLL-2012 end sentences.
  CHECK(read_frames("They - (A0*\npaid pay (V*)\n# - (A1*\n5 - *)\n", false) ==
        Strings{"They paid # 5 | 1:"});
  CHECK(read_frames("#begin document (a); part 000\n" + row("It", "-", "*") +
                    row("rains", "01", "(V*)") + "# a remark\n#end document\n" +
                    "#begin document (b); part 000\n" + row("Oh", "-")) ==
        Strings{"It rains | 1: O B-V", "Oh"});
  const std::string bare = "He (A0*) *\nsaid (V*) *\nthat (A1* *\nrains *) (V*)\n\nOh\n";
  CHECK(read_frames(bare) == frames);
  CHECK(read_frames(bare, false) == given);
  CHECK(read_frames("It -\nrains rain\n", false) == Strings{"It rains | 1:"});
  // A brace is a token if no key follows.
  CHECK(read_frames("{ - *\nrains rain (V*)\n") == Strings{"{ rains | 1: O B-V"});
  LabelSet labels;
  const auto source = open_examples(framed_input(true), *labeled_kind("srl"), labels,
                                    std::make_unique<MemoryBytes>(text));
  ExampleGroup group;
  REQUIRE(source->next(group));
  CHECK(group.texts[0].spans()[1] == ByteSpan{13, 17});

  const auto expected = [](const std::string& problem) {
    return "input: " + problem + " (CoNLL-2005); fix the file";
  };
  CHECK(error_of_frames("a\tO\n") ==
        expected("line 1: found 2 columns; expected JSON Lines, 12 columns or more of CoNLL-2012, "
                 "or a word, its predicate or -, and arguments"));
  CHECK(error_of_frames("a - *\nb b (V*)\nc c *\n") ==
        expected("line 1: found 1 column of arguments in a sentence with 2 predicates; expected a "
                 "column for each of them"));
  CHECK(error_of_frames("a - (A0*\nb b (V*)\n") ==
        expected("line 2: found '(V*)' inside of A0; expected spans that do not overlap"));
  CHECK(error_of_frames("a (A0*)\nb *\n") ==
        expected("line 1: found a column of arguments without (V*); expected a column of "
                 "predicates before it, or (V*) at its own"));
  CHECK(error_of_frames("- (A0*)\nsaid (V*)\n") ==
        expected("line 1: found predicates and arguments without words; expected a column of words "
                 "before them, as in: paste WORDS PREDICTED"));
}

TEST_CASE("malformed records of sentences without frames") {
  const auto error = [](const std::string& record) {
    return error_of_frames(kRecord + "\n" + record);
  };
  CHECK(error("[1]") ==
        "input: line 2: holds [1]; expected an object with tokens and frames; fix the record");
  CHECK(error("{") ==
        "input: line 2: is not JSON at byte 2; expected an object with tokens and "
        "frames; fix the record");
  CHECK(error(R"({"frames": []})") ==
        "input: line 2: tokens is missing; expected an array of strings; fix the record");
  CHECK(error(R"({"tokens": "a b", "frames": []})") ==
        R"(input: line 2: tokens is "a b"; expected an array of strings; fix the record)");
  CHECK(error(R"({"tokens": ["a", 1], "frames": []})") ==
        "input: line 2: tokens[1] is 1; expected a string; fix the record");
  CHECK(error(R"({"tokens": ["a", ""], "frames": []})") ==
        "input: line 2: found an empty token; expected words; fix the record");
  CHECK(error(R"({"tokens": ["a"]})") ==
        "input: line 2: frames is missing; expected an array of frames; fix the record");
  CHECK(error(R"({"tokens": ["a"], "frames": {}})") ==
        "input: line 2: frames is an object; expected an array of frames; fix the record");
  CHECK(error(R"({"tokens": ["a"], "frames": [1]})") ==
        "input: line 2: frames[0] is 1; expected an object; fix the record");
}

TEST_CASE("predicates that are not tokens") {
  const auto error = [](const std::string& predicate) {
    return error_of_frames(R"({"tokens": ["a", "b"], "frames": [{"predicate": )" + predicate +
                           R"(, "tags": ["O", "B-V"]}]})");
  };
  const auto expected = [](const std::string& found) {
    return "input: line 1: frames[0].predicate is " + found +
           "; expected a whole number from 0 to 1; fix the record";
  };
  CHECK(error("1") == "");
  CHECK(error("2") == expected("2"));
  CHECK(error("-1") == expected("-1"));
  CHECK(error("0.5") == expected("0.5"));
  CHECK(error(R"("b")") == expected(R"("b")"));
  CHECK(error("null") == expected("null"));
  CHECK(error_of_frames(R"({"tokens": ["a"], "frames": [{"tags": ["O"]}]})") ==
        "input: line 1: frames[0].predicate is missing; expected a whole number from 0 to 0; fix "
        "the record");
  CHECK(error_of_frames(R"({"tokens": [], "frames": [{"predicate": 0, "tags": []}]})") ==
        "input: line 1: frames[0].predicate is 0; expected no frame, as the sentence has no token; "
        "fix the record");
  // The same if labels are not read.
  CHECK(error_of_frames(R"({"tokens": ["a"], "frames": [{"predicate": 7}]})", false) ==
        "input: line 1: frames[0].predicate is 7; expected a whole number from 0 to 0");
}

TEST_CASE("tags that are not BIO, or not one for each token") {
  const auto error = [](const std::string& tags) {
    return error_of_frames(R"({"tokens": ["a", "b", "c"], "frames": [{"predicate": 1, "tags": )" +
                           tags + "}]}");
  };
  const auto found = [](const std::string& problem) {
    return "input: line 1: frames[0].tags" + problem + "; fix the record";
  };
  CHECK(error(R"(["B-A", "I-A", "B-V"])") == "");
  CHECK(error(R"(["O", "B-V"])") ==
        found(R"( is ["O","B-V"]; expected 3 tags, one for each token; found 2)"));
  CHECK(error("7") == found(" is 7; expected an array of BIO tags"));
  CHECK(error(R"(["O", 1, "O"])") == found("[1] is 1; expected a string"));
  CHECK(error(R"(["I-A", "B-V", "O"])") ==
        found(R"([0] is "I-A"; expected B-A to begin a span at the beginning of a sentence)"));
  CHECK(error(R"(["B-A", "I-B", "O"])") ==
        found(R"([1] is "I-B"; expected B-B to begin a span after B-A)"));
  CHECK(error(R"(["O", "I-B", "O"])") ==
        found(R"([1] is "I-B"; expected B-B to begin a span after O)"));
  const std::string long_role(1000, 'x');
  CHECK(error(R"(["B-)" + long_role + R"(", "I-)" + long_role + R"(x", "O"])").size() < 900);
  for (const char* tag : {"S-A", "E-A", "ARG0", "B-", "b-A", "B"}) {
    CAPTURE(tag);
    CHECK(error(R"(["O", ")" + std::string(tag) + R"(", "O"])") ==
          found(R"([1] is ")" + std::string(tag) + R"("; expected O, B-ROLE or I-ROLE)"));
  }
  CHECK(error(R"(["O", "", "O"])") ==
        "input: line 1: found an empty label; expected one that has a name; fix the record");
}

TEST_CASE("columns that are not CoNLL-2012") {
  const auto expected = [](const std::string& problem) {
    return "input: " + problem + " (CoNLL-2012); fix the file";
  };
  CHECK(error_of_frames(row("a", "-") + "\na\tO\n") ==
        expected("line 3: found 2 columns; expected 12 columns or more"));
  CHECK(error_of_frames(row("a", "-") + row("b", "01", "(V*)")) ==
        expected("line 2: found 13 columns; expected 12, as in line 1"));
  CHECK(error_of_frames("\n" + row("a", "-", "*") + row("b", "01", "(V*)") + row("c", "01", "*")) ==
        expected("line 2: found 1 column of arguments in a sentence with 2 framesets; expected a "
                 "column for each of them"));
  CHECK(error_of_frames(row("a", "-", "(ARG0*)")) ==
        expected("line 1: found 1 column of arguments in a sentence with 0 framesets; expected a "
                 "column for each of them"));
  const auto cells = [&](const std::string& first, const std::string& second) {
    return error_of_frames(row("a", "-", first) + row("b", "01", second));
  };
  CHECK(cells("(A*", "*)") == "");
  CHECK(cells("*", "*)") ==
        expected("line 2: found '*)'; expected a span that has begun before its end"));
  CHECK(cells("(A*", "(B*)") ==
        expected("line 2: found '(B*)' inside of A; expected spans that do not overlap"));
  CHECK(cells("(A*", "*") ==
        expected("line 2: found A still open at the end of its sentence; expected *) to end it"));
  for (const char* cell : {"-", "(*)", "(A", "(A(B*))", "*))", "(A)", "A*"}) {
    CAPTURE(cell);
    CHECK(cells(cell, "*") ==
          expected("line 1: found '" + std::string(cell) + "'; expected *, (ROLE*, *) or (ROLE*)"));
  }
}

TEST_CASE("files without a frame are refused") {
  const std::string error =
      "input: found no frame; expected sentences with the frames of their predicates";
  CHECK(error_of_frames("") == error);
  CHECK(error_of_frames("\n \n") == error);
  CHECK(error_of_frames(R"({"tokens": ["a"], "frames": []})") == error);
  CHECK(error_of_frames(row("a", "-")) == error);
  CHECK(read_frames("", false).empty());
  LabelSet labels;
  ExampleInput missing = framed_input(true);
  missing.file = "/no/such/file";
  CHECK_THROWS_AS(open_examples(missing, *labeled_kind("srl"), labels), InputError);
}

TEST_CASE("sentences of too many tokens") {
  std::string tokens = R"("a")";
  for (int n = 0; n < 10000; ++n) tokens += R"(,"a")";
  CHECK(error_of_frames("{\"tokens\": [" + tokens + "], \"frames\": []}") ==
        "input: line 1: found a sentence of 10001 tokens; expected no more than 10000; fix the "
        "record");
}

}  // namespace elmo
