// Tables of texts.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/tasks/texts.h"
#include "tests/io/tasks/opened_examples.h"

namespace elmo {
namespace {

struct Read {
  std::string texts;  ///< "label: text@line text@line|" for each example
  std::string note;
  std::string error;
};

Read read_table(std::string_view kind, std::string_view content, const std::string& name,
                const TableNames& names = {}, bool labeled = true) {
  ExampleInput input;
  input.file = name;
  input.table = names;
  input.labeled = labeled;
  LabelSet labels;
  Read read;
  try {
    const auto file =
        open_examples(input, *labeled_kind(kind), labels, std::make_unique<MemoryBytes>(content));
    for (ExampleGroup group; file->next(group);) {
      for (const TaskRecord& record : group.records) {
        for (const std::string& label : labels.names_of(labels_of(record))) {
          read.texts.append(label).append(":");
        }
        for (const Sentence& text : group.texts) {
          read.texts.append(" ").append(text.text()).append("@");
          read.texts.append(std::to_string(text.line));
        }
        read.texts += "|";
      }
    }
    read.note = file->note();
  } catch (const Error& error) {
    read.error = error.what();
  }
  return read;
}

}  // namespace

TEST_CASE("a first line that names columns is not an example") {
  for (const auto& [name, text] :
       {std::pair{"a.tsv", "sentence\tlabel\nA film .\t1\nBad .\t0\n"},
        std::pair{"a.csv", "idx,Sentence,Label\r\n0,A film .,1\r\n1,\"Bad .\",0\r\n"}}) {
    CAPTURE(name);
    const Read read = read_table("classify", text, name);
    CHECK(read.texts == "1: A film .@2|0: Bad .@3|");
    CHECK(read.note == "the first line names the columns; those read are label, sentence");
  }
  CHECK(
      read_table("pair", "\nindex\tsentence1\tsentence2\tgold_label\n0\ta\tb\tx\n1\tc\td\t-\n", "p")
          .texts == "x: a@3 b@3|");
  CHECK(read_table("pair", "question,sentence,label\na,b,c\n", "q.csv").texts == "c: a@2 b@2|");
  // Texts to be labeled need no label.
  CHECK(read_table("classify", "index\tsentence\n0\ta b\n", "t.tsv", {}, false).texts == " a b@2|");
}

TEST_CASE("columns are read by the given names") {
  const std::string text = "Stars,Review,Title\n5,So good,Yes\n1,\"Bad,\nvery\",No\n";
  CHECK(read_table("classify", text, "r.csv", {{"review"}, "stars"}).texts ==
        "5: So good@2|1: Bad , very@3|");
  CHECK(read_table("pair", text, "r.csv", {{"title", "Review"}, "stars"}).texts ==
        "5: Yes@2 So good@2|1: No@3 Bad , very@3|");
  CHECK(read_table("classify", text, "r.csv", {{"review"}, ""}).error ==
        "r.csv: line 1: found the columns stars, review, title; expected a text and a label among "
        "them; name them with text_column and label_column");
  CHECK(read_table("classify", text, "r.csv", {{"text"}, "stars"}).error ==
        "r.csv: line 1: found the columns stars, review, title; expected one called 'text'");
  CHECK(
      read_table("classify", text, "r.csv").error ==
      "r.csv: line 1: found 3 columns; expected two, a label and a text, or names of columns; name "
      "those to read with text_column and label_column; fix the record");
  CHECK(read_table("classify", "text,label,Text\na,x,b\n", "r.csv").error ==
        "r.csv: line 1: found the columns text, label, text; expected one called 'text', not "
        "several");
  CHECK(read_table("classify", text, "r.csv", {{"a", "b"}, "stars"}).error ==
        "text_column: found 2 names; expected 1");
  CHECK(read_table("classify", "label\ttext\na\tb\na\n", "r").error ==
        "r: line 3: found 1 column; expected 2, as in the first line; fix the record");
  CHECK(
      read_table("classify", "{\"text\": \"a\", \"label\": \"b\"}\n", "r", {{"text"}, ""}).error ==
      "r: found JSON Lines; names of columns are for tables");
}

TEST_CASE("a column is not read twice") {
  const std::string text = "text,label\nA film.,good\n";
  const std::string problem = " label: one column cannot be a text and its label; name two";
  CHECK(read_table("classify", text, "r.csv", {{"Label"}, ""}).error == "text_column" + problem);
  CHECK(read_table("classify", text, "r.csv", {{"label"}, ""}, false).error ==
        "text_column" + problem);
  CHECK(read_table("classify", text, "r.csv", {{}, "text"}).error ==
        "label_column text: one column cannot be a text and its label; name two");
  CHECK(read_table("pair", "a,b,label\nx,y,z\n", "r.csv", {{"a", "a"}, ""}).error ==
        "text_column a: one column cannot be both texts of a pair; name two");
  // A text may have such a name.
  CHECK(read_table("classify", "label,class\nx,y\n", "r.csv", {{"label"}, "class"}).texts ==
        "y: x@2|");
  CHECK(read_table("classify", "label,class\nx,y\n", "r.csv", {{"label"}, ""}, false).texts ==
        " x@2|");
}

TEST_CASE("a label that only the first line has is noted") {
  std::string text = "feeling\tremark\n";
  for (int i = 0; i < 20; ++i) text += i % 2 == 0 ? "good\ta\n" : "bad\tb\n";
  CHECK(read_table("classify", text, "f").note ==
        "the label 'feeling' occurs only in the first line; if that line names the columns, give "
        "the names of those to read");
  CHECK(read_table("classify", text + "feeling\tc\n", "f").note.empty());
  CHECK(read_table("classify", "a\tb\nc\td\n", "f").note.empty());
}

TEST_CASE("texts before their labels are noted") {
  std::string text = "remark\tfeeling\n";
  for (int i = 0; i < 20; ++i)
    text += "a " + std::to_string(i) + (i % 2 == 0 ? "\tgood\n" : "\tbad\n");
  CHECK(read_table("classify", text, "f").note ==
        "nearly every line has a label of its own, such as 'remark'; expected labels before the "
        "texts; if the first line names the columns, give the names of those to read");
  for (int i = 0; i < 3; ++i) text += "a 1\tgood\n";
  CHECK(read_table("classify", text, "f").note.empty());
}

TEST_CASE("the first line of texts to label decides whether they have labels") {
  const Read without = read_table("classify", "\na b\n", "f", {}, false);
  CHECK(without.texts == " a b@2|");
  CHECK(without.note == "read as texts without labels, by its first line");
  const Read with = read_table("classify", "x\ta b\n", "f", {}, false);
  CHECK(with.texts == " a b@1|");
  CHECK(with.note.empty());
}

}  // namespace elmo
