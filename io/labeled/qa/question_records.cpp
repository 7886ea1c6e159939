#include "io/labeled/qa/question_records.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/files/name_errors.h"
#include "io/labeled/common/labeled_reader.h"

namespace elmo {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

std::string in_line(const std::string& name, std::uint64_t line) {
  return name + ": line " + std::to_string(line) + ": ";
}

std::string id_of(const JsonNode& node) {
  return node.is_number() ? std::to_string(node.whole()) : node.text();
}

// `start_key` names the first position of each answer; `starts`, if present, has the others.
std::vector<AnswerRecord> answers_of(const JsonNode& node, const char* start_key) {
  std::vector<AnswerRecord> answers;
  for (const JsonNode& answer : node.elements("an array of answers")) {
    AnswerRecord& record = answers.emplace_back();
    record.text = answer["text"].text();
    record.starts = {answer[start_key].count()};
    const JsonNode starts = answer["starts"];
    if (!starts.is_there()) continue;
    for (const JsonNode& start : starts.elements("an array of positions")) {
      const std::uint64_t position = start.count();
      if (std::ranges::find(record.starts, position) == record.starts.end()) {
        record.starts.push_back(position);
      }
    }
  }
  return answers;
}

/// The context of a record in the form of before_repair(). `valid` is the text that the record was
/// parsed from.
std::string context_of(const JsonDocument& record, const RepairedText& valid) {
  const std::string& context = record["context"].text();
  if (valid.first_repair() == RepairedText::npos) return context;
  const JsonDocument marked(valid.marked(), "", "a record with a context");
  return before_repair(context, marked["context"].text());
}

// Reads no further than the first key.
bool begins_like_squad(ByteWindow& window) {
  constexpr std::size_t kMaxBlanks = std::size_t{64} << 10;
  constexpr std::string_view kData = "{\"data\"";
  constexpr std::string_view kVersion = "{\"version\"";
  std::string begin;
  for (std::size_t at = 0; at < kMaxBlanks && window.fill(at + 1); ++at) {
    const char byte = window.view()[at];
    if (kJsonBlanks.find(byte) != std::string_view::npos) continue;
    begin += byte;
    if (begin == kData || begin == kVersion) return true;
    if (!kData.starts_with(begin) && !kVersion.starts_with(begin)) return false;
  }
  return false;
}

}  // namespace

bool SquadReader::next(ParagraphRecord& paragraph) {
  std::string json;
  RepairedText valid;
  do {
    if (!name_errors(name_, [&] { return paragraphs_.next(json, paragraph.line); })) return false;
    valid.assign(json);
    paragraph.questions.clear();
    try {
      read(valid, paragraph);
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, answers_, in_line(name_, paragraph.line), error, "");
      paragraph.questions.clear();
    }
  } while (paragraph.questions.empty());
  return true;
}

void SquadReader::read(const RepairedText& json, ParagraphRecord& paragraph) const {
  const JsonDocument document(json.text(), "", "a paragraph of SQuAD");
  paragraph.context = context_of(document, json);
  for (const JsonNode& node : document["qas"].elements("an array of questions")) {
    QuestionRecord& question = paragraph.questions.emplace_back();
    question.id = id_of(node["id"]);
    question.question = node["question"].text();
    question.line = paragraph.line;
    if (answers_) question.answers = answers_of(node["answers"], "answer_start");
  }
}

bool QuestionLines::read(Line& to) {
  while (lines_.next()) {
    try {
      if (lines_.too_long()) {
        throw InputError("found more than " + std::to_string(kMaxRecordBytes) +
                         " bytes; expected smaller records");
      }
      text_.assign(lines_.line());
      if (text_.text().find_first_not_of(kJsonBlanks) == std::string_view::npos) continue;
      read(text_.text(), to);
      return true;
    } catch (const InputError& error) {
      leave_out_or_refuse(context_, answers_, in_line(name_, lines_.number()), error, "");
    }
  }
  return false;
}

void QuestionLines::read(std::string_view json, Line& to) const {
  const JsonDocument document(json, "", "a question about a context");
  const JsonNode id = document["id"];
  to.question.line = lines_.number();
  to.question.id = id.is_there() ? id_of(id) : std::to_string(to.question.line);
  to.question.question = document["question"].text();
  to.question.answers.clear();
  if (answers_) to.question.answers = answers_of(document["answers"], "start");
  to.context = context_of(document, text_);
}

bool QuestionLines::next_would_wait() {
  return ahead_.would_wait(waiting_, [this](Line& to) { return read(to); });
}

bool QuestionLines::continues(const ParagraphRecord& paragraph) {
  if (paragraph.questions.size() == kMaxQuestions) return false;
  if (!answers_ && next_would_wait()) return false;
  const Line* line = ahead_.peek([this](Line& to) { return read(to); });
  return line != nullptr && line->context == paragraph.context;
}

bool QuestionLines::next(ParagraphRecord& paragraph) {
  paragraph.questions.clear();
  do {
    Line line;
    if (!ahead_.next(line, [this](Line& to) { return read(to); })) return false;
    paragraph.context = std::move(line.context);
    paragraph.questions.push_back(std::move(line.question));
  } while (continues(paragraph));
  paragraph.line = paragraph.questions.front().line;
  return true;
}

std::unique_ptr<ParagraphReader> make_paragraph_reader(ByteWindow& window, Waiting& waiting,
                                                       ReadingContext& context,
                                                       const std::string& name, bool answers) {
  if (begins_like_squad(window)) {
    return std::make_unique<SquadReader>(window, context, name, answers);
  }
  return std::make_unique<QuestionLines>(window, waiting, context, name, answers);
}

}  // namespace elmo
