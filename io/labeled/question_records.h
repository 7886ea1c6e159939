// Questions about a context as stored in files: JSON Lines, and SQuAD's JSON, one paragraph at a
// time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_document.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/formats/format_reader.h"
#include "io/text/input/read_queue.h"
#include "io/text/segment/utf8.h"

namespace elmo {

/// Iterates over {"data": [{"paragraphs": [PARAGRAPH, …]}, …]} without holding all of it in memory.
/// Other members may hold anything. One thread.
class SquadParagraphs {
 public:
  /// `window` must outlive this object and begin with the JSON object.
  explicit SquadParagraphs(ByteWindow& window) : window_(window) {}

  /// Replaces `json` by the text of the next paragraph, without parsing it, and `line` by the line
  /// where it begins. Returns false at the end. InputError, naming the line but not the file, if
  /// the file does not have this form, or a paragraph has more than kMaxRecordBytes.
  bool next(std::string& json, std::uint64_t& line);

 private:
  // Position of next() in the nested structure.
  enum class Level : std::size_t { file, document, data, article, paragraphs, end };

  int peek();
  char take(std::string* to = nullptr);
  void skip_white_space();
  void expect(char byte);
  bool has_more(char closing);
  std::string key();
  void value(std::string* to);
  void string(std::string* to);
  void enter(Level level, char opening);
  [[noreturn]] void refuse(const std::string& expected);

  ByteWindow& window_;
  std::uint64_t line_ = 1;
  Level level_ = Level::file;
  std::array<bool, 6> is_first_{};  // by level: no member has been read yet
  bool has_data_ = false;
};

/// A reference answer and its positions in the context.
struct AnswerRecord {
  std::string text;
  std::vector<std::uint64_t> starts;  ///< in code points; at least one
};

struct QuestionRecord {
  std::string id;
  std::string question;
  std::vector<AnswerRecord> answers;  ///< empty if answers are ignored
  std::uint64_t line = 0;             ///< first line of the question or its paragraph
};

/// A context, and questions about it.
struct ParagraphRecord {
  std::string context;  ///< in the form of before_repair()
  std::vector<QuestionRecord> questions;
  std::uint64_t line = 0;  ///< first line
};

/// Reads the paragraphs of one file. One thread.
class ParagraphReader {
 public:
  virtual ~ParagraphReader() = default;

  /// Replaces `paragraph` by the next one. Returns false at the end. InputError, naming file and
  /// line, for violations of the format.
  virtual bool next(ParagraphRecord& paragraph) = 0;
};

/// SQuAD v1.1: {"data": [{"paragraphs": [{"context", "qas": [{"id", "question", "answers":
/// [{"text", "answer_start"}]}]}]}]}. Paragraphs without questions are skipped.
class SquadReader final : public ParagraphReader {
 public:
  /// `window` and `context` must outlive this object. If `answers` is false, answers are ignored.
  SquadReader(ByteWindow& window, ReadingContext& context, std::string name, bool answers)
      : paragraphs_(window), context_(context), name_(std::move(name)), answers_(answers) {}

  bool next(ParagraphRecord& paragraph) override;

 private:
  void read(const RepairedText& json, ParagraphRecord& paragraph) const;

  SquadParagraphs paragraphs_;
  ReadingContext& context_;
  std::string name_;
  bool answers_;
};

/// One question per line: {"id", "context", "question", "answers": [{"text", "start", "starts"?}]}.
/// `starts` lists all positions of an answer with several. The id defaults to the line number.
/// Consecutive lines with the same context form one paragraph, of up to kMaxQuestions questions.
/// Without answers, a paragraph also ends where the next line would have to be awaited from a pipe,
/// because the sender may wait for the predictions first.
class QuestionLines final : public ParagraphReader {
 public:
  static constexpr std::size_t kMaxQuestions = 256;

  /// As SquadReader. `state` is that of the window's bytes.
  QuestionLines(ByteWindow& window, ReadState& state, ReadingContext& context, std::string name,
                bool answers);

  bool next(ParagraphRecord& paragraph) override;

 private:
  struct Line {
    std::string context;
    QuestionRecord question;
    std::size_t bytes = 0;  ///< of the line
  };

  bool read(Line& to);
  void read(std::string_view json, Line& to) const;
  bool read_next();
  bool continues(const ParagraphRecord& paragraph);

  RecordLines lines_;
  ReadingContext& context_;
  std::string name_;
  bool answers_;
  RepairedText text_;
  std::optional<Line> next_;  // the first line of the next paragraph, once it has been read
  ReadQueue<Line> ahead_;     // last: its thread uses the rest
};

/// Makes the reader for the window's content: a JSON object whose first key is "data" or "version"
/// is SQuAD's, everything else is lines. `name` is for errors.
std::unique_ptr<ParagraphReader> make_paragraph_reader(ByteWindow& window, ReadState& state,
                                                       ReadingContext& context,
                                                       const std::string& name, bool answers);

}  // namespace elmo
