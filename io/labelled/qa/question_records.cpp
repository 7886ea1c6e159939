#include "io/labelled/qa/question_records.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::string_view kJsonBlanks = " \t\r\n";

std::string in_line(const std::string& name, std::uint64_t line) {
  return name + ": line " + std::to_string(line);
}

std::string id_of(const JsonNode& node) {
  return node.is_number() ? std::to_string(node.whole()) : node.text();
}

// `start_key` names the first position of each; `starts`, where it is there, the others.
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
    try {
      if (!paragraphs_.next(json, paragraph.line)) return false;
    } catch (const InputError& error) {
      throw InputError(name_ + ": " + error.what());
    }
    valid.assign(json);
    const JsonDocument document(valid.text(), in_line(name_, paragraph.line),
                                "a paragraph of SQuAD");
    paragraph.context = document["context"].text();
    paragraph.questions.clear();
    for (const JsonNode& node : document["qas"].elements("an array of questions")) {
      QuestionRecord& question = paragraph.questions.emplace_back();
      question.id = id_of(node["id"]);
      question.question = node["question"].text();
      question.line = paragraph.line;
      if (answers_) question.answers = answers_of(node["answers"], "answer_start");
    }
  } while (paragraph.questions.empty());
  return true;
}

// False at the end.
bool QuestionLines::read_ahead() {
  if (error_) std::rethrow_exception(error_);
  if (is_ahead_) return true;
  do {
    if (!lines_.next()) return false;
    if (lines_.too_long()) {
      throw InputError(in_line(name_, lines_.number()) + ": found more than " +
                       std::to_string(kMaxRecordBytes) + " bytes; expected smaller records");
    }
    line_.assign(lines_.line());
  } while (line_.text().find_first_not_of(kJsonBlanks) == std::string_view::npos);
  const JsonDocument document(line_.text(), in_line(name_, lines_.number()),
                              "a question about a context");
  const JsonNode id = document["id"];
  question_.line = lines_.number();
  question_.id = id.is_there() ? id_of(id) : std::to_string(question_.line);
  question_.question = document["question"].text();
  question_.answers.clear();
  if (answers_) question_.answers = answers_of(document["answers"], "start");
  context_ = document["context"].text();
  return is_ahead_ = true;
}

// Whether what follows, be it the end or an error, has come.
bool QuestionLines::has_come() {
  if (error_) return true;
  const bool allowed = std::exchange(waiting_.allowed, false);
  bool has_come = true;
  try {
    read_ahead();
  } catch (const WouldWait&) {
    has_come = false;
  } catch (...) {
    error_ = std::current_exception();
  }
  waiting_.allowed = allowed;
  return has_come;
}

bool QuestionLines::next(ParagraphRecord& paragraph) {
  if (!read_ahead()) return false;
  paragraph.context = context_;
  paragraph.line = question_.line;
  paragraph.questions.clear();
  do {
    paragraph.questions.push_back(std::exchange(question_, {}));
    is_ahead_ = false;
  } while (paragraph.questions.size() < kMaxQuestions && (answers_ || has_come()) && !error_ &&
           read_ahead() && context_ == paragraph.context);
  return true;
}

std::unique_ptr<ParagraphReader> make_paragraph_reader(ByteWindow& window, Waiting& waiting,
                                                       const std::string& name, bool answers) {
  if (begins_like_squad(window)) return std::make_unique<SquadReader>(window, name, answers);
  return std::make_unique<QuestionLines>(window, waiting, name, answers);
}

}  // namespace elmo
