#include "io/labeled/kinds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/kinds.h"
#include "core/tasks/role_labeler.h"
#include "io/json/json.h"
#include "io/labeled/coref_examples.h"
#include "io/labeled/frame_examples.h"
#include "io/labeled/question_examples.h"
#include "io/sinks/stream_sinks.h"

namespace elmo {
namespace {

constexpr std::size_t kConlluColumns = 10;
constexpr std::size_t kFormColumn = 2;

template <typename Value, typename Text>
std::string list(const std::vector<Value>& values, const Text& text) {
  std::string json = "[";
  for (const Value& value : values) json += (json.size() > 1 ? ", " : "") + text(value);
  return json + "]";
}

}  // namespace

LabelWriter::LabelWriter(const ExampleShape& shape, PredictionFormat format,
                         std::vector<std::string> labels, std::size_t column)
    : shape_(shape),
      format_(format),
      labels_(std::move(labels)),
      column_(column),
      spans_(span_scheme(labels_).has_value()) {
  if (format == PredictionFormat::squad) {
    throw RequestError("the model gives labels, which the format squad has no place for");
  }
  if (format == PredictionFormat::conllu && !shape.token_labels) {
    throw RequestError(
        "the model labels texts, and the format conllu has a place for labels of tokens alone");
  }
}

std::string LabelWriter::text_of(const ExampleGroup& group,
                                 std::span<const TaskPrediction> predictions) {
  const TaskPrediction none;
  const TaskPrediction& prediction = predictions.empty() ? none : predictions.front();
  const bool record = format_ == PredictionFormat::jsonl;
  std::string text;
  if (shape_.token_labels) {
    const Sentence& sentence = group.texts.front();
    text = record ? token_record(sentence, prediction) : labeled_tokens(sentence, prediction);
  } else {
    text = record ? text_record(group.texts, prediction) : labeled_texts(group.texts, prediction);
  }
  ++number_;
  return text;
}

std::string LabelWriter::labeled_tokens(const Sentence& sentence,
                                        const TaskPrediction& prediction) const {
  std::string text;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    const std::string& label = name(prediction.labels[token]);
    if (format_ == PredictionFormat::columns) {
      text.append(sentence.token(token)).append("\t").append(label).append("\n");
      continue;
    }
    text += std::to_string(token + 1);
    for (std::size_t column = 2; column <= kConlluColumns; ++column) {
      text += '\t';
      if (column == kFormColumn) {
        text += sentence.token(token);
      } else {
        text += column == column_ ? label : "_";
      }
    }
    text += '\n';
  }
  return text + '\n';
}

std::string LabelWriter::labeled_texts(const std::vector<Sentence>& texts,
                                       const TaskPrediction& prediction) const {
  if (prediction.labels.empty()) return "\n";
  std::string line = name(prediction.labels.front());
  for (const Sentence& text : texts) line.append("\t").append(text.text());
  return line + '\n';
}

std::string LabelWriter::text_record(const std::vector<Sentence>& texts,
                                     const TaskPrediction& prediction) const {
  std::string json;
  begin_record(json, texts.front().document->id, number_, texts.front().line);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string number = texts.size() == 1 ? "" : std::to_string(i + 1);
    append_tokens(json, texts[i], "tokens" + number);
    append_spans(json, texts[i], "spans" + number);
  }
  const bool known = !prediction.labels.empty();
  json += R"(, "label": )" + (known ? json_text(name(prediction.labels.front())) : "null");
  json += R"(, "score": )" + (known ? json_number(prediction.scores.front()) : "null");
  return json + "}\n";
}

std::vector<std::string> LabelWriter::names_of(std::span<const std::int32_t> labels) const {
  std::vector<std::string> names;
  for (const std::int32_t label : labels) names.push_back(name(label));
  return names;
}

std::string LabelWriter::token_record(const Sentence& sentence,
                                      const TaskPrediction& prediction) const {
  std::string json;
  append_sentence(json, sentence, number_);
  append_spans(json, sentence);
  const std::vector<std::string> names = names_of(prediction.labels);
  json +=
      R"(, "labels": )" + list(names, [](const std::string& label) { return json_text(label); });
  json +=
      R"(, "scores": )" + list(prediction.scores, [](float score) { return json_number(score); });
  if (spans_) {
    json += R"(, "entities": )" + list(spans_of(names), [&](const LabelSpan& span) {
              const float score = *std::min_element(
                  prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.begin),
                  prediction.scores.begin() + static_cast<std::ptrdiff_t>(span.end));
              return R"({"type": )" + json_text(span.type) + R"(, "begin": )" +
                     json_number(span.begin) + R"(, "end": )" + json_number(span.end) +
                     R"(, "span": [)" + json_number(sentence.spans()[span.begin].begin) + ", " +
                     json_number(sentence.spans()[span.end - 1].end) + R"(], "score": )" +
                     json_number(score) + "}";
            });
  }
  return json + "}\n";
}

std::unique_ptr<ExampleSource> open_examples(const ExampleInput& input, TaskKind kind,
                                             LabelSet& labels) {
  switch (kind) {
    case TaskKind::qa:
      return open_qa_examples(input);
    case TaskKind::srl:
      return open_srl_examples(input, labels);
    case TaskKind::coref:
      return open_coref_examples(input, labels);
    default:
      return open_label_examples(input, task_kind(kind).shape, labels);
  }
}

bool reads_text(TaskKind kind) { return kind != TaskKind::qa; }

std::unique_ptr<ExampleSource> examples_of_text(SentenceSource& sentences, TaskKind kind) {
  switch (kind) {
    case TaskKind::srl:
      return examples_of_sentences(sentences, 1, {kFindPredicates});
    case TaskKind::coref:
      return coref_examples_of_text(sentences);
    default:
      return examples_of_sentences(sentences, task_kind(kind).shape.texts);
  }
}

std::unique_ptr<PredictionWriter> prediction_writer(TaskKind kind, const WriterOptions& options) {
  switch (kind) {
    case TaskKind::qa:
      return qa_writer(options.format);
    case TaskKind::srl:
      return srl_writer(options.format, options.labels);
    case TaskKind::coref:
      return coref_writer(options.format);
    default:
      return std::make_unique<LabelWriter>(task_kind(kind).shape, options.format, options.labels,
                                           options.column);
  }
}

}  // namespace elmo
