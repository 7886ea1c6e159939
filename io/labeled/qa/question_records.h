// Questions about a context as files hold them: SQuAD's JSON, and JSON Lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_document.h"
#include "io/labeled/qa/squad_paragraphs.h"
#include "io/text/bytes/byte_source.h"
#include "io/text/bytes/byte_window.h"
#include "io/text/formats/reading_context.h"
#include "io/text/formats/record_lines.h"
#include "io/text/segment/utf8.h"
#include "io/text/source/read_ahead.h"

namespace elmo {

/// A reference answer, and where it stands in its context.
struct AnswerRecord {
  std::string text;
  std::vector<std::uint64_t> starts;  ///< in code points; at least one
};

struct QuestionRecord {
  std::string id;
  std::string question;
  std::vector<AnswerRecord> answers;  ///< empty where they are not looked at
  std::uint64_t line = 0;             ///< where it begins, or its paragraph
};

/// A context, and questions about it.
struct ParagraphRecord {
  std::string context;  ///< as before_repair() has it
  std::vector<QuestionRecord> questions;
  std::uint64_t line = 0;  ///< where it begins
};

/// The paragraphs of one file. One thread.
class ParagraphReader {
 public:
  virtual ~ParagraphReader() = default;

  /// Replaces `paragraph` by the next one; false at the end. InputError, naming file and line, for
  /// what the format does not allow.
  virtual bool next(ParagraphRecord& paragraph) = 0;

  /// Whether next() would wait for a pipe; false where that is not known.
  virtual bool next_would_wait() { return false; }
};

/// SQuAD v1.1: {"data": [{"paragraphs": [{"context", "qas": [{"id", "question", "answers":
/// [{"text", "answer_start"}]}]}]}]}. A paragraph without questions is passed over.
class SquadReader final : public ParagraphReader {
 public:
  /// `window` and `context` outlive this. Without `answers` they are not looked at.
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

/// A question a line: {"id", "context", "question", "answers": [{"text", "start", "starts"?}]}.
/// `starts` lists all positions of an answer that stands at several. Without an id it is the line.
/// Lines that follow each other and have the same context are one paragraph, up to kMaxQuestions of
/// them; without answers it ends where a pipe would have to be waited for, as who asks may want to
/// hear first.
class QuestionLines final : public ParagraphReader {
 public:
  static constexpr std::size_t kMaxQuestions = 256;

  /// As SquadReader; `waiting` is that of the window's bytes.
  QuestionLines(ByteWindow& window, Waiting& waiting, ReadingContext& context, std::string name,
                bool answers)
      : lines_(window),
        waiting_(waiting),
        context_(context),
        name_(std::move(name)),
        answers_(answers) {}

  bool next(ParagraphRecord& paragraph) override;
  bool next_would_wait() override;

 private:
  struct Line {
    std::string context;
    QuestionRecord question;
  };

  bool read(Line& to);
  void read(std::string_view json, Line& to) const;
  bool continues(const ParagraphRecord& paragraph);

  RecordLines lines_;
  Waiting& waiting_;
  ReadingContext& context_;
  std::string name_;
  bool answers_;
  ReadAhead<Line> ahead_;
  RepairedText text_;
};

/// The reader of what the window begins with: a JSON object whose first key is "data" or "version"
/// is SQuAD's, all else is lines. `name` is for errors.
std::unique_ptr<ParagraphReader> make_paragraph_reader(ByteWindow& window, Waiting& waiting,
                                                       ReadingContext& context,
                                                       const std::string& name, bool answers);

}  // namespace elmo
