// Question answering examples from files.
//
// Files are SQuAD's JSON (v1.1 and v2.0, as distributed) or JSON Lines. The first key distinguishes
// them; see question_records.h. Files are UTF-8; those that begin like gzip, zstd, xz or bzip2 are
// decompressed. Invalid UTF-8 is read as U+FFFD. Positions of answers are in code points of the
// context.
//
// Contexts and questions are tokenized (segmenter.h), each as one sequence,
// with spans in bytes of that text. A context of more than kWindowTokens is cut into windows of
// that length, each of which begins kWindowStep tokens after the previous one. The biLM reads each
// window as a separate text. An answer covers all tokens that it overlaps.
//
// Formats answers to questions as text.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/labeled/example_source.h"
#include "io/text/bytes/byte_stream.h"

namespace elmo {

inline constexpr std::size_t kWindowTokens = 512;
inline constexpr std::size_t kWindowStep = 384;  ///< windows overlap by 128 tokens

/// Opens a file of questions. A group is a context with its questions. Its texts are the windows,
/// then the questions. Records and labels are in the form of AnswerFinder, and their gold is an
/// AskedQuestion. InputError, naming the file, the line and the question, if an answer is not at
/// its stated position; and InputError with a count if questions have no answer and are not to be
/// skipped. If the input is not labeled, answers are ignored and records have no labels. `bytes`,
/// if given, are the content of the file.
std::unique_ptr<ExampleSource> open_qa_examples(const ExampleInput& input,
                                                std::unique_ptr<ByteSource> bytes = nullptr);

/// jsonl: one line per question, in order: {"id", "answer", "start", "end", "probability", "bytes":
/// [begin, end]}, with start and end in code points of the context and bytes in its UTF-8. If the
/// context was cut into n > 1 windows, also "windows": n. squad: one object {id: answer}. Groups
/// must come from open_qa_examples(). RequestError for other formats.
std::unique_ptr<PredictionWriter> qa_writer(PredictionFormat format);

}  // namespace elmo
