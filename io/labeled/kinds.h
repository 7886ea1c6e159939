// The kinds of task: their models, the files that they read, and what they write.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/sentence.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_kind.h"
#include "io/labeled/example_file.h"
#include "io/labeled/prediction_writer.h"

namespace elmo {

/// A kind of task: its model, the files that it reads, and what it writes. Nothing outside of this
/// description depends on the kind. It need not be in the table of this program.
struct LabeledKind {
  TaskKind task;

  ExampleFormat format;             ///< format of labeled files
  bool skips_unanswerable = false;  ///< ExampleInput::skip_unanswerable has an effect
  /// Returns the text, for a checksum, of everything that scores depend on besides a record's texts
  /// and numbers. Null: there is nothing else.
  std::string (*scored)(const TaskRecord& record) = nullptr;

  std::vector<TextForm> forms;  ///< forms of files that can be labeled
  /// The `forms` in which prediction reads a file as labeled and ignores its labels.
  std::vector<TextForm> labeled_forms;
  /// Forms in which these settings have an effect: InputOptions::lines, the tokenizer and its
  /// locale, the names of fields, the names of a table's columns, and skipping malformed records.
  std::vector<TextForm> lines = {};
  std::vector<TextForm> tokenized = {};
  std::vector<TextForm> fields = {};
  std::vector<TextForm> tables = {};
  std::vector<TextForm> records = {};
  /// Makes examples of the sentences of the other forms. `sentences` must outlive them. Null if
  /// there are no other forms.
  std::unique_ptr<ExampleSource> (*examples_of)(SentenceSource& sentences) = nullptr;

  /// Makes a writer of predictions; see prediction_writer.h.
  std::unique_ptr<PredictionWriter> (*writer)(const WriterOptions& options) = nullptr;
};

/// The kinds of this program, in the order in which users see them. Any thread.
std::span<const LabeledKind> labeled_kinds();

/// The kind with that name, or null. Any thread.
const LabeledKind* labeled_kind(std::string_view name,
                                std::span<const LabeledKind> kinds = labeled_kinds());

/// The names of the kinds for which `holds` is true: "classify, pair".
std::string names_of_kinds(const std::function<bool(const LabeledKind&)>& holds);

/// Returns the form of a file to be labeled: as form_of() finds it, otherwise text. Only the name
/// counts if the file can be read only once. Errors: as open_file and form_of().
TextForm form_of_file(const std::string& file, const LabeledKind& kind);

/// Opens a file of examples of a kind. `labels` numbers their labels and receives new ones; it must
/// outlive the file. `bytes`, if given, are the content of the file, which is then not opened or
/// decompressed. InputError if there is no such file, RequestError for an unknown locale. next()
/// throws InputError, naming the file and the line, for violations of the format, and at the end of
/// a labeled file without any label.
std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, const LabeledKind& kind,
                                           LabelSet& labels,
                                           std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo
