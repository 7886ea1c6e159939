// Answers to questions as text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// jsonl: a line for each question, in order: {"id", "answer", "start", "end", "probability",
/// "bytes": [begin, end]}, start and end in code points of the context, bytes in its UTF-8; of a
/// context that was cut into n > 1 windows, "windows": n. squad: one object {id: answer}. Groups
/// are those of open_qa_examples(). RequestError for other formats.
std::unique_ptr<PredictionWriter> qa_writer(PredictionFormat format);

}  // namespace elmo
