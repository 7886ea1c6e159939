#include "io/tasks/questions.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/tasks/answer_scores.h"
#include "io/json/json.h"
#include "io/tasks/kinds.h"
#include "io/tasks/text_spans.h"
#include "io/text/segment/characters.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

/// The text in ASCII and shortened, for messages.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return ascii_json_text(text);
  return ascii_json_text(text.substr(0, size_of_complete_characters(text.substr(0, kLongest)))) +
         "...";
}

/// Python's string.punctuation.
bool is_ascii_punctuation(std::int32_t code_point) {
  return (code_point >= '!' && code_point <= '/') || (code_point >= ':' && code_point <= '@') ||
         (code_point >= '[' && code_point <= '`') || (code_point >= '{' && code_point <= '~');
}

bool is_article(std::string_view run) { return run == "a" || run == "an" || run == "the"; }

/// Makes groups of paragraphs.
class QuestionReader final : public ExampleReader {
 public:
  explicit QuestionReader(OpenedFile& file)
      : ExampleReader(file), next_paragraph_(make_paragraph_reader(file)) {}

  bool next(ExampleGroup& group) override {
    do {
      group = {};
      ParagraphRecord paragraph;
      if (!next_paragraph_(paragraph)) {
        check_questions();
        return false;
      }
      if (labeled()) take_unanswerable(paragraph);
      if (!paragraph.questions.empty()) read(paragraph, group);
    } while (group.records.empty());
    return true;
  }

  std::string note() const override {
    if (unanswerable_ == 0) return {};
    return "left out " + std::to_string(unanswerable_) + " of " + std::to_string(questions_) +
           " questions, which have no answer";
  }

 private:
  /// Adds the context and its questions, except malformed questions that are skipped.
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
      std::vector<AnswerSpan> spans;
      std::vector<std::string> answers;
      try {
        Sentence sentence = sentence_of(question, document);
        if (labeled()) spans = spans_of(question, *context, answers);
        group.texts.push_back(std::move(sentence));
      } catch (const InputError& error) {
        leave_out(question, error);
        continue;
      }
      auto gold = std::make_shared<AskedQuestion>(question.id, context, answers, answer_words);
      gold->window_begins = begins;
      gold->spans = std::move(spans);
      record.gold = std::move(gold);
      group.records.push_back(std::move(record));
    }
  }

  static std::string where(const QuestionRecord& question) {
    return in_line(question.line) + "question " + shown(question.id) + ": ";
  }

  void leave_out(const QuestionRecord& question, const InputError& error) {
    file_.leave_out(where(question), error, "");
  }

  /// Called at the end of the file.
  void check_questions() const {
    if (!labeled() || questions_ > unanswerable_) return;
    if (questions_ > 0) refuse_unanswerable();
    throw InputError("found no question; expected questions with their contexts");
  }

  /// Removes questions without an answer from the paragraph.
  void take_unanswerable(ParagraphRecord& paragraph) {
    count_questions(paragraph);
    if (unanswerable_ > 0 && !file_.input.skip_unanswerable) {
      while (next_paragraph_(paragraph)) count_questions(paragraph);
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
    throw InputError(first_unanswerable_ + "found no answer to " + std::to_string(unanswerable_) +
                         " of " + std::to_string(questions_) +
                         " questions, as in SQuAD 2.0; expected at least one answer in the context "
                         "to each question, as in SQuAD 1.1",
                     file_.input.skip_unanswerable ? Remedy{} : Remedy{"skip_unanswerable"});
  }

  std::shared_ptr<const QuestionContext> add_context(
      const ParagraphRecord& paragraph, const std::shared_ptr<const Document>& document,
      ExampleGroup& group) {
    auto context = std::make_shared<QuestionContext>();
    text_.assign(paragraph.context);
    context->text = text_.text();
    code_points_ = code_point_begins(context->text);
    Sentence sentence;
    for (const TextRange& token : file_.context.segmenter().tokens_of(context->text)) {
      file_.context.add_words(text_, token, 0, sentence);
      const ByteSpan source = sentence.spans().back();
      // The words of a contraction share its place.
      context->tokens.resize(
          sentence.size(),
          {static_cast<std::uint32_t>(token.begin), static_cast<std::uint32_t>(token.end),
           code_point_at(token.begin), code_point_at(token.end),
           static_cast<std::uint32_t>(source.begin), static_cast<std::uint32_t>(source.end)});
    }
    if (sentence.size() == 0) {
      throw InputError("found a context without any word; expected words");
    }
    if (sentence.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw InputError("found a context of too many words; expected fewer");
    }
    for (std::size_t begin = 0;; begin += kWindowStep) {
      Sentence& window = group.texts.emplace_back();
      window.document = document;
      window.set_line(paragraph.line);
      const std::size_t end = std::min(begin + kWindowTokens, sentence.size());
      for (std::size_t token = begin; token < end; ++token) {
        window.add(sentence, token);
      }
      if (end == sentence.size()) return context;
    }
  }

  Sentence sentence_of(const QuestionRecord& question,
                       const std::shared_ptr<const Document>& document) {
    Sentence sentence;
    text_.assign(question.question);
    file_.context.add_sentence(text_, 0, sentence);
    sentence.document = document;
    sentence.set_line(question.line);
    if (sentence.size() == 0) {
      throw InputError("found a question without any word; expected words");
    }
    check_token_count("found a question", sentence.size());
    return sentence;
  }

  // `byte` must be the beginning of a code point or the end of the text.
  std::uint32_t code_point_at(std::uint64_t byte) const {
    const auto found = std::ranges::lower_bound(code_points_, static_cast<std::uint32_t>(byte));
    return static_cast<std::uint32_t>(found - code_points_.begin());
  }

  /// Returns the distinct spans of the answers. Appends the answers' texts to `answers`.
  std::vector<AnswerSpan> spans_of(const QuestionRecord& question, const QuestionContext& context,
                                   std::vector<std::string>& answers) const {
    std::set<AnswerSpan> seen;
    std::vector<AnswerSpan> spans;
    for (const AnswerRecord& answer : question.answers) {
      if (answer.text.empty()) throw InputError("found an answer without text; expected words");
      answers.push_back(answer.text);
      for (const std::uint64_t start : answer.starts) {
        const AnswerSpan span = span_of(answer.text, start, context);
        if (seen.insert(span).second) spans.push_back(span);
      }
    }
    return spans;
  }

  /// Returns the tokens that the answer overlaps.
  AnswerSpan span_of(const std::string& answer, std::uint64_t start,
                     const QuestionContext& context) const {
    if (start >= code_points_.size()) {
      throw InputError("found an answer at " + std::to_string(start) + " of a context of " +
                       std::to_string(code_points_.size() - 1) +
                       " characters; expected a position in it");
    }
    const std::size_t begin = code_points_[static_cast<std::size_t>(start)];
    const std::string_view found = std::string_view(context.text).substr(begin, answer.size());
    if (found != answer) {
      throw InputError("found " + shown(found.substr(0, size_of_complete_characters(found))) +
                       " at character " + std::to_string(start) +
                       " of the context; expected the answer " + shown(answer));
    }
    const std::size_t end = begin + answer.size();
    const auto first = std::ranges::upper_bound(context.tokens, begin, {}, &ContextRange::byte_end);
    const auto after = std::ranges::lower_bound(context.tokens, end, {}, &ContextRange::byte_begin);
    if (first >= after) {
      throw InputError("found the answer " + shown(answer) + ", without any word; expected words");
    }
    return {static_cast<std::int32_t>(first - context.tokens.begin()),
            static_cast<std::int32_t>(after - context.tokens.begin()) - 1};
  }

  ParagraphReader next_paragraph_;
  RepairedText text_;
  std::vector<std::uint32_t> code_points_;  // code_point_begins() of the current context
  std::uint64_t questions_ = 0;             // number in labeled files
  std::uint64_t unanswerable_ = 0;          // number without an answer
  std::string first_unanswerable_;          // location of the first one without an answer
};

class AnswerWriter final : public PredictionWriter {
 public:
  explicit AnswerWriter(PredictionFormat format) : squad_(format == PredictionFormat::squad) {}

  std::string text_of(const ExampleGroup& group, TaskPredictions predictions) override {
    std::string text;
    for (std::size_t i = 0; i < group.records.size(); ++i) {
      const TaskRecord& record = group.records[i];
      const auto& question = record.gold->as<AskedQuestion>();
      const auto& prediction = predictions[i]->as<AnswerPrediction>();
      if (squad_) {
        if (!ids_.insert(question.id).second) {
          throw InputError("line " + std::to_string(group.texts[record.texts.front()].line) +
                           ": found the id " + ascii_json_text(excerpt(question.id)) +
                           " a second time; expected a different id for each question, because "
                           "SQuAD's scorer finds answers by id");
        }
        text += is_first_ ? "{" : ", ";
        text +=
            json_text(question.id) + ": " + json_text(question.context->answer(prediction.span));
      } else {
        text += line_of(question, prediction);
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
  static std::string line_of(const AskedQuestion& question, const AnswerPrediction& prediction) {
    const ContextRange range = question.context->range(prediction.span);
    std::string json = R"({"id": )" + json_text(question.id);
    json += R"(, "answer": )" + json_text(question.context->answer(prediction.span));
    json += R"(, "start": )" + std::to_string(range.code_point_begin);
    json += R"(, "end": )" + std::to_string(range.code_point_end);
    json += R"(, "probability": )" + json_number(prediction.probability);
    json += R"(, "bytes": [)" + std::to_string(range.source_begin) + ", " +
            std::to_string(range.source_end) + "]";
    const std::size_t windows = question.window_begins.size();
    if (windows > 1) json += R"(, "windows": )" + std::to_string(windows);
    return json + "}\n";
  }

  bool squad_;
  bool is_first_ = true;
  std::unordered_set<std::string> ids_;  // for squad
};

std::unique_ptr<ExampleReader> question_reader(OpenedFile& file) {
  return std::make_unique<QuestionReader>(file);
}

std::unique_ptr<PredictionWriter> answer_writer(const WriterOptions& options) {
  check_format("answers to questions are written as jsonl or squad",
               {PredictionFormat::jsonl, PredictionFormat::squad}, options.format);
  return std::make_unique<AnswerWriter>(options.format);
}

}  // namespace

LabeledKind labeled_questions() {
  return {
      .task = qa_kind(),
      .format = {.make_reader = question_reader},
      .skips_unanswerable = true,
      .forms = {{.form = TextForm::jsonl, .as_labeled = true, .tokenizer = true, .records = true}},
      .writer = answer_writer};
}

std::vector<std::string> answer_words(std::string_view answer) {
  std::string text;
  for (const char letter : lower_case(answer)) {
    if (!is_ascii_punctuation(letter)) text += letter;
  }
  std::vector<std::string> words;
  std::string word;
  std::string run;  // letters and numbers at the end of `word`
  const auto end_run = [&] {
    // An article is replaced by a space.
    if (!is_article(run)) {
      word += run;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
    run.clear();
  };
  const auto end_word = [&] {
    end_run();
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const auto code_point = next_code_point(text, at);
    const std::string_view character = std::string_view(text).substr(begin, at - begin);
    if (is_letter_or_number(code_point)) {
      run += character;
    } else if (is_white_space(code_point)) {
      end_word();
    } else {
      end_run();
      word += character;
    }
  }
  end_word();
  return words;
}

}  // namespace elmo
