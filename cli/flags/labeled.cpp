#include "cli/flags/labeled.h"

#include "cli/flags/options.h"

namespace elmo {

Option add_column(Options app, std::string& column) {
  std::string columns;
  for (const std::string& name : conllu_label_columns()) {
    columns += (columns.empty() ? "`" : ", `") + name + '`';
  }
  return app
      ->add_option("--column", column,
                   "Column of CoNLL-U that holds the labels, by name or number: " + columns +
                       ", or one that CoNLL-U Plus names")
      ->type_name("NAME")
      ->default_str(column);
}

void add_labeled_flags(Options app, LabeledFlags& flags) {
  const std::string group = "Labeled files";
  add_column(app, flags.column)->group(group);
  add_choice(
      app, "--format", flags.format, kLabeledFormats,
      "Format of labeled files: `columns`, token TAB label; `conllu`; `jsonl`, with `tokens` and "
      "`labels`")
      ->default_str("detected by name and content")
      ->group(group);
}

}  // namespace elmo
