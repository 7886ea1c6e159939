// Questions about contexts, and their answers.
//
// Files are SQuAD's JSON (v1.1 and v2.0, as distributed) or JSON Lines. The first key distinguishes
// them; see make_paragraph_reader(). Positions of answers are in code points of the context.
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
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/labeled/example_file.h"

namespace elmo {

inline constexpr std::size_t kWindowTokens = 512;
inline constexpr std::size_t kWindowStep = 384;  ///< windows overlap by 128 tokens

/// The words of an answer (valid UTF-8), normalized like SQuAD 1.1's official scorer
/// (evaluate-v1.1.py) does: in lower case, without ASCII punctuation, without the words "a", "an"
/// and "the", split at white space. Normalized texts are equal if their words are. Any thread.
std::vector<std::string> answer_words(std::string_view answer);

/// A reference answer and its positions in the context.
struct AnswerRecord {
  std::string text;
  std::vector<std::uint64_t> starts;  ///< in code points; at least one
};

/// A question about a context, as stored in a file.
struct QuestionRecord {
  std::string id;
  std::string question;
  std::vector<AnswerRecord> answers;  ///< empty if answers are ignored
  std::uint64_t line = 0;             ///< first line of the question or its paragraph
};

/// A context, and questions about it.
struct ParagraphRecord {
  std::string context;  ///< see before_repair()
  std::vector<QuestionRecord> questions;
  std::uint64_t line = 0;  ///< first line
};

/// Maximum number of consecutive questions about one context in JSON Lines that form a paragraph.
inline constexpr std::size_t kMaxQuestions = 256;

/// Replaces the paragraph by the next one. Returns false at the end. InputError, naming the line,
/// for violations of the format. One thread.
using ParagraphReader = std::function<bool(ParagraphRecord&)>;

/// Makes the reader for the file's content. A JSON object whose first key is "data" or "version" is
/// SQuAD v1.1, everything else is lines. If labels are ignored, so are answers.
///
/// - SQuAD v1.1: {"data": [{"paragraphs": [{"context", "qas": [{"id", "question", "answers":
///   [{"text", "answer_start"}]}]}]}]}. Paragraphs without questions are skipped.
/// - JSON Lines: one question per line, {"id", "context", "question", "answers": [{"text", "start",
///   "starts"?}]}. `starts` lists all positions of an answer with several. The id defaults to the
///   line number. Consecutive lines with the same context form one paragraph, of up to
///   kMaxQuestions questions. If answers are ignored, a paragraph also ends before a line that has
///   not arrived yet from a pipe: the sender may wait for the predictions before it sends more.
/// - JSON Lines of MRQA (Fisch et al. 2019): a header, then {"context", "qas": [{"qid", "question",
///   "detected_answers": [{"text", "char_spans": [[first, last]]}]}]}.
ParagraphReader make_paragraph_reader(OpenedFile& file);

}  // namespace elmo
