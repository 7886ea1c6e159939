// Formats answers to questions as text.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/labeled/common/prediction_writer.h"

namespace elmo {

/// jsonl: one line per question, in order: {"id", "answer", "start", "end", "probability", "bytes":
/// [begin, end]}, with start and end in code points of the context and bytes in its UTF-8. If the
/// context was cut into n > 1 windows, also "windows": n. squad: one object {id: answer}. Groups
/// must come from open_qa_examples(). RequestError for other formats.
std::unique_ptr<PredictionWriter> qa_writer(PredictionFormat format);

}  // namespace elmo
