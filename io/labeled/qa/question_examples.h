// Examples of answering questions, from files.
//
// Files are SQuAD's JSON (v1.1 and v2.0, as it is distributed) or JSON Lines, told by their first
// key; see question_records.h. They are UTF-8, decompressed where they begin like gzip, zstd, xz or
// bzip2; what is invalid is read as U+FFFD. Positions of answers are in code points of the context.
//
// Contexts and questions are tokenized by ICU's words (tokenizer.h), each as one sequence, whose
// spans are bytes of that text. A context of more than kWindowTokens is cut into windows of that
// many, of which each begins kWindowStep behind the one before: each is a text of its own to the
// biLM. An answer covers all tokens that it has a part of.
#pragma once

#include <cstddef>
#include <memory>

#include "io/labeled/common/example_input.h"
#include "io/labeled/common/example_source.h"
#include "io/text/bytes/byte_source.h"

namespace elmo {

inline constexpr std::size_t kWindowTokens = 512;
inline constexpr std::size_t kWindowStep = 384;  ///< windows have 128 tokens in common

/// Opens a file of questions. A group is a context with its questions: its texts are the windows,
/// then the questions; records and labels are as AnswerFinder has them, and their gold is an
/// AskedQuestion. InputError, naming the file, the line and the question, where an answer does not
/// stand where it is said to, and counting them where questions have no answer and are not to be
/// left out. Not labeled: answers are not looked at, and records have no labels. `bytes`, if
/// given, are those of the file.
std::unique_ptr<ExampleSource> open_qa_examples(const ExampleInput& input,
                                                std::unique_ptr<ByteSource> bytes = nullptr);

}  // namespace elmo
