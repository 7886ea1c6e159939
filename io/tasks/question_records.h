// Questions about a context as stored in files: SQuAD's JSON, and JSON Lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/labeled/example_file.h"

namespace elmo {

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

/// Reads the paragraphs of one file. One thread.
class ParagraphReader {
 public:
  virtual ~ParagraphReader() = default;

  /// Replaces `paragraph` by the next one. Returns false at the end. InputError, naming the line,
  /// for violations of the format.
  virtual bool next(ParagraphRecord& paragraph) = 0;
};

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
std::unique_ptr<ParagraphReader> make_paragraph_reader(OpenedFile& file);

}  // namespace elmo
