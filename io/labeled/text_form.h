// Formats of files with text to be labeled.
#pragma once

#include <string>

#include "core/enum_table.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {

/// text, tokens, jsonl and conllu are the formats of the same names in format_reader.h. columns:
/// lines of labeled examples (tokens, a text or a pair of texts) whose labels are ignored.
enum class TextForm { text, tokens, jsonl, conllu, columns };

inline constexpr auto kTextForms = enum_table<TextForm>({{"text", TextForm::text},
                                                         {"tokens", TextForm::tokens},
                                                         {"jsonl", TextForm::jsonl},
                                                         {"conllu", TextForm::conllu},
                                                         {"columns", TextForm::columns}});

/// Returns the form by the file's name, ignoring an extension of compression. Names that
/// is_name_of_conllu accepts are conllu, .jsonl is jsonl. For kinds that label tokens, .conll,
/// .iob, .iob2, .bio, .bioes and .tsv are columns; for other kinds, only .tsv is. All other files
/// are text.
TextForm form_of_file(const std::string& file, const ExampleShape& shape);

/// True if the first line of a file of columns has no TAB except between texts, and so no label.
/// False if the input can be read only once. Errors: as open_file.
bool lacks_label(const std::string& file, const ExampleShape& shape);

/// The form by name for kinds whose examples are records: .json and .jsonl are jsonl; .conll, names
/// ending in "_conll" and .tsv (GAP's table) are columns; names of CoNLL-U are conllu; all others
/// are text.
TextForm form_of_records(const std::string& file);

/// True if the first record of a JSON Lines file has tokens, {"tokens": […]}, and no text in
/// `text_field`. False if the input can be read only once or the record is malformed. Errors: as
/// open_file.
bool holds_token_records(const std::string& file, const std::string& text_field);

}  // namespace elmo
