// Examples of each kind of task.
#pragma once

#include <memory>

#include "core/inference/sentence.h"
#include "core/tasks/common/labels.h"
#include "core/tasks/common/task_options.h"
#include "io/labeled/example_file.h"

namespace elmo {

/// Opens a file of examples of a kind. `labels` numbers their labels and receives new ones; it must
/// outlive the file. `bytes`, if given, are the content of the file, which is then not opened or
/// decompressed. InputError if there is no such file, RequestError for an unknown locale. next()
/// throws InputError, naming the file and the line, for violations of the format, and at the end of
/// a labeled file without any label.
std::unique_ptr<ExampleFile> open_examples(const ExampleInput& input, TaskKind kind,
                                           LabelSet& labels,
                                           std::unique_ptr<ByteSource> bytes = nullptr);

/// False if examples of the kind need more than text.
bool reads_text(TaskKind kind);

/// Examples of a kind that reads_text(). `sentences` must outlive them.
std::unique_ptr<ExampleSource> examples_of_text(SentenceSource& sentences, TaskKind kind);

}  // namespace elmo
