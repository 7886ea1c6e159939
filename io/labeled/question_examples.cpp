#include "io/labeled/question_examples.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/json/json.h"
#include "io/labeled/labeled_reader.h"
#include "io/labeled/opened_file.h"
#include "io/labeled/question_context.h"
#include "io/labeled/question_records.h"
#include "io/text/formats/format_reader.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

FormatOptions question_format(const ExampleInput& input) {
  FormatOptions options;
  options.format = InputFormat::text;
  options.tokenizer = input.tokenizer;
  options.strict = input.strict;
  options.skip_bad_records = input.skip_bad_records;
  return options;
}

/// Byte offset of each code point of a valid text, and of its end.
std::vector<std::uint32_t> code_point_begins(std::string_view text) {
  std::vector<std::uint32_t> begins;
  for (std::size_t at = 0; at < text.size(); next_code_point(text, at)) {
    begins.push_back(static_cast<std::uint32_t>(at));
  }
  begins.push_back(static_cast<std::uint32_t>(text.size()));
  return begins;
}

/// The text in ASCII and shortened, for messages.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return ascii_json_text(text);
  return ascii_json_text(text.substr(0, size_of_complete_characters(text.substr(0, kLongest)))) +
         "...";
}

class QuestionExamples final : public ExampleSource {
 public:
  QuestionExamples(const ExampleInput& input, std::unique_ptr<ByteSource> bytes)
      : file_(input.file, question_format(input), input.stop, std::move(bytes)),
        labeled_(input.labeled),
        skip_unanswerable_(input.skip_unanswerable),
        reader_(make_paragraph_reader(file_.window, file_.state, file_.context, file_.name,
                                      labeled_)) {}

  bool next(ExampleGroup& group) override {
    do {
      group = {};
      ParagraphRecord paragraph;
      if (!reader_->next(paragraph)) {
        check_questions();
        return false;
      }
      if (labeled_) take_unanswerable(paragraph);
      if (!paragraph.questions.empty()) read(paragraph, group);
    } while (group.records.empty());
    return true;
  }

  ExampleCounters counters() const override { return counters_of(file_); }

  std::string note() const override {
    if (unanswerable_ == 0) return {};
    return "left out " + std::to_string(unanswerable_) + " of " + std::to_string(questions_) +
           " questions, which have no answer";
  }

  const std::string& name() const override { return file_.name; }

 private:
  /// Adds the context and its questions, except malformed ones that are skipped.
  void read(const ParagraphRecord& paragraph, ExampleGroup& group) {
    const QuestionRecord& first = paragraph.questions.front();
    const auto document = file_.context.begin_document(first.id);
    std::shared_ptr<const QuestionContext> context;
    try {
      context = add_context(paragraph, document, group);
    } catch (const InputError& error) {
      for (const QuestionRecord& question : paragraph.questions) leave_out(question, error);
      return;
    }
    const std::size_t windows = group.texts.size();
    std::vector<std::int32_t> begins;
    for (std::size_t w = 0; w < windows; ++w) {
      begins.push_back(static_cast<std::int32_t>(w * kWindowStep));
    }
    for (const QuestionRecord& question : paragraph.questions) {
      TaskRecord record;
      record.texts.push_back(group.texts.size());
      for (std::size_t w = 0; w < windows; ++w) record.texts.push_back(w);
      record.given = begins;
      std::vector<std::string> answers;
      try {
        Sentence sentence = sentence_of(question, document);
        if (labeled_) record.labels = labels_of(question, *context, answers);
        group.texts.push_back(std::move(sentence));
      } catch (const InputError& error) {
        leave_out(question, error);
        continue;
      }
      record.gold = std::make_shared<AskedQuestion>(question.id, context, answers);
      group.records.push_back(std::move(record));
    }
  }

  [[noreturn]] static void refuse(const std::string& problem) { throw InputError(problem); }

  std::string where(const QuestionRecord& question) const {
    return file_.name + ": line " + std::to_string(question.line) + ": question " +
           shown(question.id) + ": ";
  }

  /// See leave_out_or_refuse().
  void leave_out(const QuestionRecord& question, const InputError& error) {
    leave_out_or_refuse(file_.context, labeled_, where(question), error, "");
  }

  /// Called at the end of the file.
  void check_questions() const {
    if (!labeled_ || questions_ > unanswerable_) return;
    if (questions_ > 0) refuse_unanswerable();
    throw InputError(file_.name + ": found no question; expected questions with their contexts");
  }

  /// Removes questions without an answer from the paragraph.
  void take_unanswerable(ParagraphRecord& paragraph) {
    count_questions(paragraph);
    if (unanswerable_ > 0 && !skip_unanswerable_) {
      while (reader_->next(paragraph)) count_questions(paragraph);
      refuse_unanswerable();
    }
    std::erase_if(paragraph.questions,
                  [](const QuestionRecord& question) { return question.answers.empty(); });
  }

  void count_questions(const ParagraphRecord& paragraph) {
    questions_ += paragraph.questions.size();
    for (const QuestionRecord& question : paragraph.questions) {
      if (!question.answers.empty()) continue;
      if (++unanswerable_ == 1) first_unanswerable_ = where(question);
    }
  }

  [[noreturn]] void refuse_unanswerable() const {
    throw InputError(first_unanswerable_ + "found no answer, as to " +
                         std::to_string(unanswerable_) + " of " + std::to_string(questions_) +
                         " questions, which SQuAD 2.0 has and SQuAD 1.1 has not; expected at least "
                         "one to each, which stands in the context",
                     skip_unanswerable_ ? Remedy::none : Remedy::skip_unanswerable);
  }

  /// Calls `take` with the range of each token of a valid text.
  template <typename Take>
  void each_token(std::string_view text, const Take& take) {
    for (const TextRange& token : file_.context.segmenter().tokens_of(text)) take(token);
  }

  std::shared_ptr<const QuestionContext> add_context(
      const ParagraphRecord& paragraph, const std::shared_ptr<const Document>& document,
      ExampleGroup& group) {
    auto context = std::make_shared<QuestionContext>();
    context->text.assign(paragraph.context);
    code_points_ = code_point_begins(context->text.text());
    Sentence sentence;
    each_token(context->text.text(), [&](TextRange token) {
      add_token(context->text, token, 0, sentence);
      context->tokens.push_back({static_cast<std::uint32_t>(token.begin),
                                 static_cast<std::uint32_t>(token.end), code_point_at(token.begin),
                                 code_point_at(token.end)});
    });
    if (sentence.size() == 0) {
      refuse("found a context without any word; expected words");
    }
    if (sentence.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      refuse("found a context of too many words; expected fewer");
    }
    for (std::size_t begin = 0;; begin += kWindowStep) {
      Sentence& window = group.texts.emplace_back();
      window.document = document;
      window.stand_in_line(paragraph.line);
      const std::size_t end = std::min(begin + kWindowTokens, sentence.size());
      for (std::size_t token = begin; token < end; ++token) {
        window.add(sentence.token(token), sentence.spans()[token]);
      }
      if (end == sentence.size()) return context;
    }
  }

  Sentence sentence_of(const QuestionRecord& question,
                       const std::shared_ptr<const Document>& document) {
    Sentence sentence;
    text_.assign(question.question);
    each_token(text_.text(), [&](TextRange token) { add_token(text_, token, 0, sentence); });
    sentence.document = document;
    sentence.stand_in_line(question.line);
    if (sentence.size() == 0) {
      refuse("found a question without any word; expected words");
    }
    if (sentence.size() > kDefaultMaxSentenceTokens) {
      refuse("found a question of " + std::to_string(sentence.size()) +
             " tokens; expected no more than " + std::to_string(kDefaultMaxSentenceTokens));
    }
    return sentence;
  }

  // `byte` must be the beginning of a code point or the end of the text.
  std::uint32_t code_point_at(std::uint64_t byte) const {
    const auto found = std::ranges::lower_bound(code_points_, static_cast<std::uint32_t>(byte));
    return static_cast<std::uint32_t>(found - code_points_.begin());
  }

  /// Distinct pairs (first, last) of tokens, one pair after another. Appends the answers' texts to
  /// `answers`.
  std::vector<std::int32_t> labels_of(const QuestionRecord& question,
                                      const QuestionContext& context,
                                      std::vector<std::string>& answers) const {
    std::vector<std::pair<std::int32_t, std::int32_t>> spans;
    for (const AnswerRecord& answer : question.answers) {
      if (answer.text.empty()) refuse("found an answer without text; expected words");
      answers.push_back(answer.text);
      for (const std::uint64_t start : answer.starts) {
        const auto span = span_of(answer.text, start, context);
        if (std::ranges::find(spans, span) == spans.end()) spans.push_back(span);
      }
    }
    std::vector<std::int32_t> labels;
    for (const auto& [first, last] : spans) labels.insert(labels.end(), {first, last});
    return labels;
  }

  /// The tokens that the answer overlaps.
  std::pair<std::int32_t, std::int32_t> span_of(const std::string& answer, std::uint64_t start,
                                                const QuestionContext& context) const {
    if (start >= code_points_.size()) {
      refuse("found an answer at " + std::to_string(start) + " of a context of " +
             std::to_string(code_points_.size() - 1) + " characters; expected a position in it");
    }
    const std::size_t begin = code_points_[static_cast<std::size_t>(start)];
    const std::string_view found = context.text.text().substr(begin, answer.size());
    if (found != answer) {
      refuse("found " + shown(found.substr(0, size_of_complete_characters(found))) +
             " at character " + std::to_string(start) + " of the context; expected the answer " +
             shown(answer));
    }
    const std::size_t end = begin + answer.size();
    const auto first = std::ranges::upper_bound(context.tokens, begin, {}, &TextPlace::byte_end);
    const auto behind = std::ranges::lower_bound(context.tokens, end, {}, &TextPlace::byte_begin);
    if (first >= behind) {
      refuse("found the answer " + shown(answer) + ", without any word; expected words");
    }
    return {static_cast<std::int32_t>(first - context.tokens.begin()),
            static_cast<std::int32_t>(behind - context.tokens.begin()) - 1};
  }

  OpenedFile file_;
  bool labeled_;
  bool skip_unanswerable_;
  std::unique_ptr<ParagraphReader> reader_;
  RepairedText text_;
  std::vector<std::uint32_t> code_points_;  // of the current context, see code_point_begins()
  std::uint64_t questions_ = 0;             // in labeled files
  std::uint64_t unanswerable_ = 0;          // without an answer
  std::string first_unanswerable_;          // its location
};

}  // namespace

std::unique_ptr<ExampleSource> open_qa_examples(const ExampleInput& input,
                                                std::unique_ptr<ByteSource> bytes) {
  return std::make_unique<QuestionExamples>(input, std::move(bytes));
}

namespace {

class AnswerWriter final : public PredictionWriter {
 public:
  explicit AnswerWriter(PredictionFormat format) : squad_(format == PredictionFormat::squad) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    std::string text;
    for (std::size_t i = 0; i < group.records.size(); ++i) {
      const TaskRecord& record = group.records[i];
      const auto& question = asked_question(record);
      if (squad_) {
        if (!ids_.insert(question.id()).second) {
          throw InputError("line " + std::to_string(group.texts[record.texts.front()].line) +
                           ": found the id " + ascii_json_text(question.id()) +
                           " a second time; expected an id of its own for each question, by which "
                           "SQuAD's scorer finds its answer");
        }
        const std::vector<std::int32_t>& span = predictions[i].labels;
        text += is_first_ ? "{" : ", ";
        text += json_text(question.id()) + ": " +
                json_text(question.context().answer(span.front(), span.back()));
      } else {
        text += line_of(question, predictions[i], record.texts.size() - 1);
      }
      is_first_ = false;
    }
    return text;
  }

  std::string end() override {
    if (!squad_) return {};
    return is_first_ ? "{}\n" : "}\n";
  }

 private:
  static std::string line_of(const AskedQuestion& question, const TaskPrediction& prediction,
                             std::size_t windows) {
    const std::int32_t first = prediction.labels.front();
    const std::int32_t last = prediction.labels.back();
    const TextPlace place = question.context().place_of(first, last);
    std::string json = R"({"id": )" + json_text(question.id());
    json += R"(, "answer": )" + json_text(question.context().answer(first, last));
    json += R"(, "start": )" + std::to_string(place.code_point_begin);
    json += R"(, "end": )" + std::to_string(place.code_point_end);
    json += R"(, "probability": )" + json_number(prediction.scores.front());
    const RepairedText& text = question.context().text;
    json += R"(, "bytes": [)" + std::to_string(text.source_offset(place.byte_begin)) + ", " +
            std::to_string(text.source_offset(place.byte_end)) + "]";
    if (windows > 1) json += R"(, "windows": )" + std::to_string(windows);
    return json + "}\n";
  }

  bool squad_;
  bool is_first_ = true;
  std::unordered_set<std::string> ids_;  // for squad
};

}  // namespace

std::unique_ptr<PredictionWriter> qa_writer(PredictionFormat format) {
  if (format != PredictionFormat::jsonl && format != PredictionFormat::squad) {
    throw RequestError("answers to questions are written as jsonl or squad; found " +
                       std::string(kPredictionFormats.word(format)));
  }
  return std::make_unique<AnswerWriter>(format);
}

}  // namespace elmo
