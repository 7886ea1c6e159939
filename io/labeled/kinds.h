// Reading and writing of examples for each kind of task.
//
// The table has one line per kind. io/labeled/tokens and io/labeled/texts read the kinds whose
// examples are labeled tokens, texts or pairs of texts; each other kind has its own folder here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/inference/source.h"
#include "core/tasks/common/label_set.h"
#include "core/tasks/common/task_options.h"
#include "io/labeled/common/example_source.h"
#include "io/labeled/common/prediction_writer.h"
#include "io/labeled/examples.h"

namespace elmo {

/// How to write predictions.
struct WriterOptions {
  PredictionFormat format = PredictionFormat::jsonl;
  std::vector<std::string> labels;  ///< of the model
  std::size_t column = 4;           ///< column of CoNLL-U for the labels
};

/// File formats of one kind.
struct TaskFileKind {
  TaskKind kind;
  bool records;   ///< examples are more than labeled tokens and texts, with their own file formats
  bool segments;  ///< labeled data are raw text, segmented by the rules of a language

  /// Opens a file of examples. `labels` numbers their labels and receives new ones; it must outlive
  /// the source. Errors: InputError naming the file; as the kind's reader.
  std::unique_ptr<ExampleSource> (*open)(const ExampleInput& input, LabelSet& labels);

  /// Examples made of text alone. `sentences` must outlive them. Null if the kind needs more than
  /// text.
  std::unique_ptr<ExampleSource> (*of_text)(SentenceSource& sentences);

  /// RequestError for a format that the kind does not support.
  std::unique_ptr<PredictionWriter> (*writer)(const WriterOptions& options);
};

/// The file formats of a kind. Any thread.
const TaskFileKind& task_file_kind(TaskKind kind);

/// Opens a file of examples of that kind; see TaskFileKind::open.
std::unique_ptr<ExampleSource> open_examples(const ExampleInput& input, TaskKind kind,
                                             LabelSet& labels);

}  // namespace elmo
