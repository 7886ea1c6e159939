// How the kinds of task are read from files, and how their predictions are written.
//
// The table has a line a kind. A kind whose examples are labeled tokens, texts or pairs of texts is
// read by io/labeled/tokens and io/labeled/texts; any other has a folder of its own here.
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

/// How predictions are to be written.
struct WriterOptions {
  PredictionFormat format = PredictionFormat::jsonl;
  std::vector<std::string> labels;  ///< the model's
  std::size_t column = 4;           ///< of CoNLL-U, that holds them
};

/// The files of one kind.
struct TaskFileKind {
  TaskKind kind;
  bool records;   ///< examples are more than labeled tokens and texts: its files are its own
  bool segments;  ///< labeled data are text that is segmented by rules of a language

  /// Opens a file of examples; `labels` numbers their labels, gets those that are new, and has to
  /// outlive what is opened. Errors: InputError naming the file; as the kind's reader.
  std::unique_ptr<ExampleSource> (*open)(const ExampleInput& input, LabelSet& labels);

  /// Examples of text without anything else; `sentences` has to outlive them. Null where a kind
  /// needs more than that.
  std::unique_ptr<ExampleSource> (*of_text)(SentenceSource& sentences);

  /// RequestError for a format that the kind has not.
  std::unique_ptr<PredictionWriter> (*writer)(const WriterOptions& options);
};

/// The files of a kind. Any thread.
const TaskFileKind& task_file_kind(TaskKind kind);

/// A file of examples of that kind.
std::unique_ptr<ExampleSource> open_examples(const ExampleInput& input, TaskKind kind,
                                             LabelSet& labels);

}  // namespace elmo
