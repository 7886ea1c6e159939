// In which form a file holds text that is to be labeled.
#pragma once

#include <string>

#include "core/enum_table.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {

/// text, tokens, jsonl and conllu are the formats of text_source.h. columns: lines of labeled
/// examples, whose labels are not looked at: tokens, a text or a pair of texts.
enum class TextForm { text, tokens, jsonl, conllu, columns };

inline constexpr auto kTextForms = enum_table<TextForm>({{"text", TextForm::text},
                                                         {"tokens", TextForm::tokens},
                                                         {"jsonl", TextForm::jsonl},
                                                         {"conllu", TextForm::conllu},
                                                         {"columns", TextForm::columns}});

/// The form that a file's name tells, in front of what compression adds: CoNLL-U's
/// (is_name_of_conllu), .jsonl; of tokens .conll, .iob, .iob2, .bio, .bioes and .tsv are columns,
/// of texts .tsv. All else is text.
TextForm form_of_file(const std::string& file, const ExampleShape& shape);

/// Whether the first line of a file of columns has no TAB but those between texts, and so no label.
/// False where reading would take the input away. Errors: as open_file.
bool lacks_label(const std::string& file, const ExampleShape& shape);

/// The same of kinds whose examples are records: .json and .jsonl are jsonl, .conll and what ends
/// in "_conll" columns, and so is GAP's table, a .tsv; CoNLL-U's are conllu, all else text.
TextForm form_of_records(const std::string& file);

/// Whether the first record of a file of JSON Lines holds tokens, {"tokens": […]}, and no text in
/// `text_field`. False where reading would take the input away, or the record is none. Errors: as
/// open_file.
bool holds_token_records(const std::string& file, const std::string& text_field);

}  // namespace elmo
