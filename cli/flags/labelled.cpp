#include "cli/flags/labelled.h"

#include "cli/flags/options.h"

namespace elmo {

void add_labelled_flags(Options app, LabelledFlags& flags) {
  const std::string group = "Labeled files";
  std::string columns;
  for (const std::string& column : conllu_label_columns()) {
    columns += (columns.empty() ? "`" : ", `") + column + '`';
  }
  app->add_option("--column", flags.column,
                  "Column of CoNLL-U that holds the labels: " + columns +
                      ". Files of other formats have only one kind of labels")
      ->type_name("NAME")
      ->default_str(flags.column)
      ->group(group);
  add_choice(
      app, "--format", flags.format, kLabelledFormats,
      "Format of labeled files: `columns`, token TAB label; `conllu`; `jsonl`, with `tokens` and "
      "`labels`")
      ->default_str("detected by name and content")
      ->group(group);
}

}  // namespace elmo
