#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/inference/sentence.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/tasks/questions.h"
#include "io/tasks/text_spans.h"
#include "io/text/bytes/byte_stream.h"
#include "io/text/input/read_queue.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// Iterates over {"data": [{"paragraphs": [PARAGRAPH, …]}, …]} without holding all of it in memory.
/// Other members may hold anything. One thread.
class SquadParagraphs {
 public:
  /// `window` must outlive this object and begin with the JSON object.
  explicit SquadParagraphs(ByteWindow& window) : window_(window) {}

  /// Replaces `json` by the text of the next paragraph, without parsing it, and `line` by the line
  /// where it begins. Returns false at the end. InputError, naming the line but not the file, if
  /// the file does not have this form, or a paragraph has more than kMaxRecordBytes.
  bool next(std::string& json, std::uint64_t& line) {
    if (!std::exchange(begun_, true)) enter('{');
    while (!open_.empty()) {
      const bool in_object = open_.back() == '{';
      if (!has_more(in_object ? '}' : ']')) {
        leave();
      } else if (in_object) {
        const bool wanted = key() == (open_.size() == 1 ? "\"data\"" : "\"paragraphs\"");
        wanted ? enter('[') : value(nullptr);
      } else if (open_.size() < kParagraphLevel) {
        enter('{');
      } else {
        line = line_;
        json.clear();
        value(&json);
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr std::size_t kParagraphLevel = 4;  // brackets around a paragraph

  // The next byte, without consuming it; negative at the end.
  int peek() {
    if (window_.view().empty() && !window_.fill(1)) return -1;
    return static_cast<unsigned char>(window_.view().front());
  }

  // Consumes the next byte, which must exist, and appends it to `to` if given.
  char take(std::string* to = nullptr) {
    if (peek() < 0) refuse("the rest");
    const char byte = window_.view().front();
    window_.consume(1);
    if (byte == '\n') ++line_;
    if (to == nullptr) return byte;
    if (to->size() == kMaxRecordBytes) {
      throw InputError(in_line(line_) + "found a paragraph of more than " +
                       std::to_string(kMaxRecordBytes) + " bytes; expected smaller ones");
    }
    *to += byte;
    return byte;
  }

  void skip_white_space() {
    while (peek() >= 0 && kJsonBlanks.find(window_.view().front()) != kJsonBlanks.npos) take();
  }

  void expect(char byte) {
    skip_white_space();
    if (peek() != byte) refuse(std::string("'") + byte + "'");
    take();
  }

  // True if another member or element follows; otherwise consumes the closing bracket.
  bool has_more(char closing) {
    skip_white_space();
    if (peek() == closing) {
      take();
      return false;
    }
    if (!std::exchange(is_first_, false)) expect(',');
    skip_white_space();
    return true;
  }

  std::string key() {
    skip_white_space();
    if (peek() != '"') refuse("a key");
    std::string name;
    value(&name);
    expect(':');
    return name;
  }

  // Reads one value as written, up to its closing bracket or quotation mark, without checking that
  // it is valid JSON.
  void value(std::string* to) {
    constexpr std::string_view kEndOfScalar = ",]} \t\r\n";
    skip_white_space();
    const int first = peek();
    if (first < 0 || kEndOfScalar.find(static_cast<char>(first)) < 3) refuse("a value");
    JsonNesting nesting;
    do {
      nesting.take(take(to));
    } while (nesting.is_open());
    if (first == '"' || first == '{' || first == '[') return;
    // The rest of a number or a word.
    while (peek() >= 0 && kEndOfScalar.find(static_cast<char>(peek())) == kEndOfScalar.npos) {
      take(to);
    }
  }

  void enter(char opening) {
    expect(opening);
    open_ += opening;
    has_data_ = has_data_ || open_.size() == 2;
    is_first_ = true;
  }

  // Goes back to the enclosing array or object, after its closing bracket.
  void leave() {
    open_.pop_back();
    is_first_ = false;
    if (!open_.empty()) return;
    if (!has_data_) refuse("a member \"data\"");
    skip_white_space();
    if (peek() >= 0) refuse("the end");
  }

  [[noreturn]] void refuse(const std::string& expected) {
    const int byte = peek();
    const std::string found =
        byte < 0 ? "the end" : ascii_json_text(std::string(1, static_cast<char>(byte)));
    throw InputError(in_line(line_) + "found " + found + "; expected " + expected +
                     " of SQuAD's JSON, {\"data\": [{\"paragraphs\": [{\"context\", \"qas\"}]}]}");
  }

  ByteWindow& window_;
  std::uint64_t line_ = 1;
  std::string open_;       // the opening brackets around the next byte
  bool is_first_ = false;  // no member or element of the innermost one has been read yet
  bool begun_ = false;
  bool has_data_ = false;
};

// `start_key` names the first position of each answer; `starts`, if present, has the others.
std::vector<AnswerRecord> answers_of(const JsonNode& node, const char* start_key) {
  std::vector<AnswerRecord> answers;
  for (const JsonNode& answer : node.elements("an array of answers")) {
    AnswerRecord& record = answers.emplace_back();
    record.text = answer["text"].text();
    record.starts = {answer[start_key].count()};
    const JsonNode starts = answer["starts"];
    if (!starts.is_there()) continue;
    std::unordered_set<std::uint64_t> seen{record.starts.front()};
    for (const JsonNode& start : starts.elements("an array of positions")) {
      const std::uint64_t position = start.count();
      if (seen.insert(position).second) record.starts.push_back(position);
    }
  }
  return answers;
}

/// The answers of a question of MRQA: each text with its spans in code points, whose ends are
/// inclusive.
std::vector<AnswerRecord> detected_answers(const JsonNode& question) {
  std::vector<AnswerRecord> answers;
  for (const JsonNode& answer : question["detected_answers"].elements("an array of answers")) {
    AnswerRecord& record = answers.emplace_back();
    record.text = answer["text"].text();
    const std::uint64_t size = code_point_begins(record.text).size() - 1;
    for (const JsonNode& span : answer["char_spans"].elements("an array of spans")) {
      const std::vector<JsonNode> ends = span.elements("the first and the last character");
      if (ends.size() != 2) span.refuse("the first and the last character");
      const std::uint64_t begin = ends[0].count();
      if (ends[1].count() + 1 != begin + size) {
        span.refuse("a span of the " + std::to_string(size) + " characters of the answer's text");
      }
      record.starts.push_back(begin);
    }
    if (record.starts.empty()) answer["char_spans"].refuse("at least one span");
  }
  return answers;
}

/// Reads the paragraphs of SQuAD's JSON, or lines.
class QuestionParagraphs {
 public:
  explicit QuestionParagraphs(OpenedFile& file)
      : file_(file),
        lines_(file.window),
        ahead_([this](Record& to) { return read(to); },
               [](const Record& record) { return record.bytes; }, file.state.stopped) {
    if (begins_with_json(file.window, {"{\"data\"", "{\"version\""})) squad_.emplace(file.window);
  }

  bool next(ParagraphRecord& paragraph) {
    paragraph.questions.clear();
    if (!read_next()) return false;
    do {
      paragraph.context = std::move(next_->context);
      std::ranges::move(next_->questions, std::back_inserter(paragraph.questions));
      next_.reset();
    } while (continues(paragraph));
    paragraph.line = paragraph.questions.front().line;
    return true;
  }

 private:
  struct Record {
    std::string context;
    std::vector<QuestionRecord> questions;
    std::size_t bytes = 0;  // in memory
  };

  /// Reads the next paragraph or line into text_. Returns false at the end.
  bool next_text() {
    if (squad_) {
      std::string json;
      if (!squad_->next(json, line_)) return false;
      text_.assign(json);
      return true;
    }
    if (!lines_.next()) return false;
    line_ = lines_.number();
    text_.assign(lines_.line());
    return true;
  }

  bool read(Record& to) {
    while (next_text()) {
      try {
        if (lines_.too_long()) {
          throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                           " bytes; expected smaller records");
        }
        if (text_.text().find_first_not_of(kJsonBlanks) == std::string_view::npos) continue;
        to.questions.clear();
        read_record(to);
        if (to.questions.empty()) continue;
        to.bytes = sizeof(Record) + text_.text().size();
        return true;
      } catch (const InputError& error) {
        file_.leave_out(in_line(line_), error, "");
      }
    }
    return false;
  }

  void read_record(Record& to) const {
    const JsonDocument document(text_.text(), "",
                                squad_ ? "a paragraph of SQuAD" : "a question about a context");
    if (!squad_ && document["data"].is_there() && !document["question"].is_there()) {
      throw InputError(
          "found SQuAD's JSON with another first key; expected \"data\" or \"version\" first");
    }
    if (document["header"].is_there() && !document["context"].is_there()) return;  // MRQA's
    to.context = source_text(document, "context", text_);
    const JsonNode questions = document["qas"];
    if (!squad_ && !questions.is_there()) {
      add(document.root(), "id", to.questions);
      if (file_.input.labeled) {
        to.questions.back().answers = answers_of(document["answers"], "start");
      }
      return;
    }
    for (const JsonNode& node : questions.elements("an array of questions")) {
      add(node, squad_ ? "id" : "qid", to.questions);
      if (!file_.input.labeled) continue;
      to.questions.back().answers =
          squad_ ? answers_of(node["answers"], "answer_start") : detected_answers(node);
    }
  }

  void add(const JsonNode& node, const char* id_key, std::vector<QuestionRecord>& to) const {
    QuestionRecord& question = to.emplace_back();
    const JsonNode id = node[id_key];
    question.line = line_;
    question.id = squad_ || id.is_there() ? id_of(id) : std::to_string(line_);
    question.question = node["question"].text();
  }

  /// Reads the next record into next_. Returns false at the end.
  bool read_next() {
    if (next_) return true;
    Record record;
    if (ahead_.next(record)) next_ = std::move(record);
    return next_.has_value();
  }

  /// True if the next line belongs to the paragraph.
  bool continues(const ParagraphRecord& paragraph) {
    if (squad_ || paragraph.questions.size() == kMaxQuestions) return false;
    if (!file_.input.labeled && !ahead_.wait(kArrivalTime)) return false;
    return read_next() && next_->context == paragraph.context &&
           paragraph.questions.size() + next_->questions.size() <= kMaxQuestions;
  }

  OpenedFile& file_;
  std::optional<SquadParagraphs> squad_;
  RecordLines lines_;  // unless the file is SQuAD's
  RepairedText text_;
  std::uint64_t line_ = 0;      // where text_ begins
  std::optional<Record> next_;  // the first record of the next paragraph, once it has been read
  ReadQueue<Record> ahead_;     // last: its thread uses the rest
};

}  // namespace

ParagraphReader make_paragraph_reader(OpenedFile& file) {
  const auto paragraphs = std::make_shared<QuestionParagraphs>(file);
  return [paragraphs](ParagraphRecord& paragraph) { return paragraphs->next(paragraph); };
}

}  // namespace elmo
