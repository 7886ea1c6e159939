// Question answering examples from files.
//
// Files are SQuAD's JSON (v1.1 and v2.0, as distributed) or JSON Lines. The first key distinguishes
// them; see question_records.h. Positions of answers are in code points of the context.
//
// A segmenter (io/text/segment/segmenter.h) splits each context and each question into tokens as
// one sequence. Spans are in bytes of that text. A context of more than kWindowTokens is cut into
// windows of that length, each of which begins kWindowStep tokens after the previous one. The biLM
// reads each window as a separate text. An answer covers all tokens that it overlaps.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/example_file.h"

namespace elmo {

inline constexpr std::size_t kWindowTokens = 512;
inline constexpr std::size_t kWindowStep = 384;  ///< windows overlap by 128 tokens

/// Makes the reader of questions. A group is a context with its questions. Its texts are the
/// windows, then the questions. Records and labels are in the form of AnswerFinder, and their gold
/// is an AskedQuestion. next() throws InputError, naming the line and the question, if an answer is
/// not at its stated position; InputError with a count if questions have no answer and are not to
/// be skipped; and InputError at the end of a labeled file without any question. If the input is
/// not labeled, answers are ignored and records have no labels.
std::unique_ptr<ExampleReader> make_question_reader(OpenedFile& file);

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

/// See LabeledKind::scored: the reference answers of a question.
std::string scored_answers(const TaskRecord& record);

}  // namespace elmo
