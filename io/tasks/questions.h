// Questions about contexts, and their answers.
//
// Files are SQuAD's JSON (v1.1 and v2.0, as distributed) or JSON Lines. The first key distinguishes
// them; see question_records.h. Positions of answers are in code points of the context.
//
// A segmenter (io/text/segment/segmenter.h) splits each context and each question into tokens as
// one sequence. Spans are in bytes of that text. A context of more than kWindowTokens is cut into
// windows of that length, each of which begins kWindowStep tokens after the previous one. The biLM
// reads each window as a separate text. An answer covers all tokens that it overlaps.
//
// Predictions:
// - jsonl: one line per question, in order: {"id", "answer", "start", "end", "probability",
//   "bytes": [begin, end]}. "start" and "end" count code points of the context, "bytes" counts
//   bytes of its UTF-8. If the context was cut into n > 1 windows, also "windows": n.
// - squad: one object {id: answer}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/tasks/labeled_kind.h"

namespace elmo {

inline constexpr std::size_t kWindowTokens = 512;
inline constexpr std::size_t kWindowStep = 384;  ///< windows overlap by 128 tokens

/// The kind `qa`. A group is a context with its questions. Its texts are the windows, then the
/// questions. Records are AskedQuestion. An answer that is not at its stated position is malformed.
/// InputError with a count if questions have no answer and are not to be skipped, and at the end of
/// a labeled file without any question.
LabeledKind labeled_questions();

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

}  // namespace elmo
