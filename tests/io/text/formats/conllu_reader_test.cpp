// Reading CoNLL-U.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

using namespace std::string_view_literals;

ReadText read_conllu(std::string_view text) {
  InputOptions options;
  options.format = InputFormat::conllu;
  return read_text(text, options);
}

/// Returns a line with an ID, a FORM and eight more columns.
std::string word(const std::string& id, const std::string& form) {
  return id + "\t" + form + "\t_\t_\t_\t_\t_\t_\t_\t_\n";
}

std::string error_of_conllu(const std::string& text) {
  try {
    read_conllu(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the tokens are the forms of the syntactic words") {
  const ReadText read = read_conllu(
      "# text = vámonos al mar\n" + word("1-2", "vámonos") + word("1", "vamos") + word("2", "nos") +
      word("2.1", "empty") + word("3-4", "al") + word("3", "a") + word("4", "el") +
      word("5", "mar") + "\n" + word("1", "<S>") + word("2", "10 000"));
  CHECK(read.tokens() == Strings{"vamos|nos|a|el|mar", "<S>|10 000"});
  CHECK(read.lines() == Lines{1, 11});
}

TEST_CASE("spans point at the forms in the file") {
  const ReadText read = read_conllu("\xef\xbb\xbf# c\r\n1\tab\xff\t_\t_\t_\t_\t_\t_\t_\t_\r\n\r\n");
  CHECK(read.tokens() == Strings{"ab\xef\xbf\xbd"});
  CHECK(read.sentences[0].spans == Spans{{10, 13}});
  CHECK(read.counters.invalid_sequences == 1);
}

TEST_CASE("a treebank without its text is refused") {
  const std::string none = word("1", "_") + word("2", "_") + "\n";
  const std::string expected = "input: found only words whose FORM is _, ";
  CHECK(error_of_conllu(none + word("1", "_")).starts_with(expected + "3 of them"));
  std::string many;
  for (int sentence = 0; sentence < 500; ++sentence) many += none;
  CHECK(error_of_conllu(many + word("1", "a")).starts_with(expected + "1000 of them"));
  CHECK(error_of_conllu(none + word("1", "a") + "\n" + many).empty());
  CHECK(error_of_conllu(word("1", "_")).empty());  // an underscore
}

TEST_CASE("documents begin where the comments say") {
  const ReadText read = read_conllu(word("1", "a") + "\n# newdoc id = first one \n# sent_id = 1\n" +
                                    word("1", "b") + "\n" + word("1", "c") + "\n\n# newdocument\n" +
                                    word("1", "d") + "\n#newdoc\n" + word("1", "e"));
  Strings ids;
  for (const ReadSentence& sentence : read.sentences) ids.push_back(sentence.document);
  CHECK(ids == Strings{"input", "first one ", "first one ", "first one ", "input"});
  CHECK(read.counters.documents == 3);
}

TEST_CASE("comments without words and a file of blank lines are sentences of zero tokens") {
  const ReadText read = read_conllu("# newdoc id = a\n\n" + word("1", "x"));
  CHECK(read.tokens() == Strings{"", "x"});
  CHECK(read_conllu("\n").tokens() == Strings{""});
  CHECK(read_conllu("\n\n").counters.documents == 1);
}

TEST_CASE("CoNLL-U Plus names its columns") {
  // PARSEME has one more column.
  const ReadText cupt = read_conllu(
      "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
      "# sent_id = 1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\t*\n1\tde\t_\t_\t_\t_\t_\t_\t_\t_\t*\n"
      "2\tle\t_\t_\t_\t_\t_\t_\t_\t_\t1:LVC\n\n1\tOui\t_\t_\t_\t_\t_\t_\t_\t_\t*\n");
  CHECK(cupt.tokens() == Strings{"de|le", "Oui"});
  CHECK(cupt.lines() == Lines{2, 7});
  // Fewer columns, in another order.
  const ReadText read =
      read_conllu("# global.columns = LEMMA FORM ID\n\na\tA\t1\nb\tB\t2\n_\tx\t2.1\n\nc\tC\t1\n");
  CHECK(read.tokens() == Strings{"A|B", "C"});
  CHECK(read.sentences[0].spans == Spans{{36, 37}, {42, 43}});
  CHECK(read_conllu("#global.columns = form tag\na\tX\nb\tY\n").tokens() == Strings{"a|b"});
  CHECK(read_conllu("# global.columns = FORM NER\n#foo\tO\nAnna\tB\n#bar\n").tokens() ==
        Strings{"#foo|Anna"});
  CHECK(error_of_conllu("# global.columns = ID WORD\n1\ta\n") ==
        "input: line 1: found global.columns without FORM; expected FORM among them (CoNLL-U "
        "Plus); fix the file");
  std::string names;
  std::string cells;
  for (int n = 0; n < 1023; ++n) {
    names += "A ";
    cells += "_\t";
  }
  CHECK(read_conllu("# global.columns = " + names + "FORM\n" + cells + "a\n").tokens() ==
        Strings{"a"});
  CHECK(error_of_conllu("# global.columns = A " + names + "FORM\n") ==
        "input: line 1: found more than 1024 names in global.columns; expected fewer (CoNLL-U "
        "Plus); fix the file");
  CHECK(error_of_conllu("# global.columns = ID FORM\n1\ta\tb\n") ==
        "input: line 2: found 3 columns; expected 2, as global.columns names (CoNLL-U Plus); fix "
        "the file");
}

TEST_CASE("a malformed CoNLL-U line is named") {
  CHECK(error_of_conllu("# c\n1\tx\n")
            .starts_with("input: line 2: found 2 columns; expected ten columns"));
  CHECK(
      error_of_conllu(word("1", "x") + "plain text").starts_with("input: line 2: found 1 column;"));
  CHECK(error_of_conllu(word("2", "x"))
            .starts_with("input: line 1: found the ID '2'; expected the ID 1"));
  CHECK(error_of_conllu(word("1", "x") + word("1", "y"))
            .starts_with("input: line 2: found the ID '1'"));
  CHECK(error_of_conllu(word("", "x")).starts_with("input: line 1: found the ID ''"));
  CHECK(error_of_conllu(word("1x", "x")).starts_with("input: line 1: found the ID '1x'"));
  CHECK(error_of_conllu(word("1-", "x")).starts_with("input: line 1: found the ID '1-'"));
  CHECK(error_of_conllu(word("99999999999999999999", "x"))
            .starts_with("input: line 1: found the ID"));
  CHECK(error_of_conllu(word("1", "")).starts_with("input: line 1: found an empty FORM"));
  CHECK(
      error_of_conllu(word("1", std::string("a\0b", 3))).starts_with("input: line 1: found a NUL"));
}

}  // namespace elmo
