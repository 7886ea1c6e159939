#include "cli/flags/labelled.h"

#include <CLI/App.hpp>

#include "cli/flags/options.h"
#include "core/error.h"
#include "io/text/source/input_files.h"

namespace elmo {

void add_labelled_flags(CLI::App* app, LabelledFlags& flags) {
  const std::string group = "Labelled files";
  std::string columns;
  for (const std::string& column : conllu_label_columns()) {
    columns += (columns.empty() ? "`" : ", `") + column + '`';
  }
  app->add_option("--column", flags.column,
                  "Column of CoNLL-U that holds the labels: " + columns +
                      ". Files of other formats have only one kind of labels")
      ->type_name("NAME")
      ->capture_default_str()
      ->group(group);
  add_choice(
      app, "--format", flags.format, kLabelledFormats,
      "Format of all labelled files: `columns`, a token and its label a line, separated by a tab "
      "(or by spaces, where a line has no tab), and a blank line after each sentence; of more than "
      "two columns the first and the last count; `conllu`; `jsonl`, a record "
      "`{\"tokens\": [...], \"labels\": [...]}` a line")
      ->default_str("told by name and content")
      ->group(group);
}

std::unique_ptr<LabelledSource> open_labelled(const LabelledFlags& flags, const std::string& file,
                                              const std::atomic<bool>& stop) {
  if (can_be_read_only_once(file)) {
    throw RequestError(file +
                       ": can be read only once, but labels and sentences are read one "
                       "after the other; give a file");
  }
  LabelledInput input;
  input.file = file;
  input.format = flags.format;
  input.column = flags.column;
  input.stop = &stop;
  return open_labelled(input);
}

}  // namespace elmo
