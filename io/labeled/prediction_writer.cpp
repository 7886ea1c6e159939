#include "io/labeled/prediction_writer.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/tasks/answer_scores.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/coref/coref_scores.h"
#include "core/text.h"
#include "io/json/json.h"
#include "io/outputs/stream_sinks.h"

namespace elmo {
namespace {

constexpr std::size_t kConlluColumns = 10;
constexpr std::size_t kFormColumn = 2;

template <typename Values, typename Text>
std::string json_list(const Values& values, const Text& text) {
  return "[" + joined(values, ", ", text) + "]";
}

/// Returns text for a cell of TAB-separated columns: TABs and line ends become `_`.
std::string cell(std::string text) {
  std::ranges::replace_if(
      text, [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }, '_');
  return text;
}

/// Formats labels of tokens, texts or pairs.
class LabelWriter final : public PredictionWriter {
 public:
  LabelWriter(bool of_tokens, const WriterOptions& options)
      : of_tokens_(of_tokens),
        format_(options.format),
        labels_(options.labels),
        column_(options.column),
        spans_(span_scheme(options.labels).has_value()) {
    if (format_ == PredictionFormat::squad) {
      throw RequestError("the model gives labels, which the format squad cannot hold");
    }
    if (format_ == PredictionFormat::conllu && !of_tokens_) {
      throw RequestError(
          "the model labels texts, and the format conllu holds labels of tokens only");
    }
  }

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    const TaskPrediction none;
    const TaskPrediction& prediction = predictions.empty() ? none : predictions.front();
    const bool record = format_ == PredictionFormat::jsonl;
    std::string text;
    if (of_tokens_) {
      const Sentence& sentence = group.texts.front();
      text = record ? token_record(sentence, prediction) : labeled_tokens(sentence, prediction);
    } else {
      text = record ? text_record(group.texts, prediction) : labeled_texts(group.texts, prediction);
    }
    ++number_;
    return text;
  }

 private:
  std::string labeled_tokens(const Sentence& sentence, const TaskPrediction& prediction) const {
    std::string text;
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      const std::string label = cell(labels_[prediction.labels[token]]);
      const std::string form = cell(std::string(sentence.token(token)));
      if (format_ == PredictionFormat::columns) {
        text.append(form).append("\t").append(label).append("\n");
        continue;
      }
      text += std::to_string(token + 1);
      for (std::size_t column = 2; column <= kConlluColumns; ++column) {
        text += '\t';
        if (column == kFormColumn) {
          text += form;
        } else {
          text += column == column_ ? label : "_";
        }
      }
      text += '\n';
    }
    return text + '\n';
  }

  std::string labeled_texts(const std::vector<Sentence>& texts,
                            const TaskPrediction& prediction) const {
    if (prediction.labels.empty()) return "\n";
    std::string line = cell(labels_[prediction.labels.front()]);
    for (const Sentence& text : texts) line.append("\t").append(cell(std::string(text.text())));
    return line + '\n';
  }

  std::string text_record(const std::vector<Sentence>& texts,
                          const TaskPrediction& prediction) const {
    std::string json;
    begin_record(json, texts.front().document->id, number_, texts.front().line);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string number = texts.size() == 1 ? "" : std::to_string(i + 1);
      append_tokens(json, texts[i], "tokens" + number);
      append_spans(json, texts[i], "spans" + number);
    }
    const bool known = !prediction.labels.empty();
    json += R"(, "label": )" + (known ? json_text(labels_[prediction.labels.front()]) : "null");
    json += R"(, "score": )" + (known ? json_number(prediction.scores.front()) : "null");
    return json + "}\n";
  }

  std::string token_record(const Sentence& sentence, const TaskPrediction& prediction) const {
    std::string json;
    append_sentence(json, sentence, number_);
    append_spans(json, sentence);
    const std::vector<std::string> names = labels_.names_of(prediction.labels);
    json += R"(, "labels": )" +
            json_list(names, [](const std::string& label) { return json_text(label); });
    json += R"(, "scores": )" +
            json_list(prediction.scores, [](float score) { return json_number(score); });
    if (spans_) {
      json += R"(, "entities": )" + json_list(spans_of(names), [&](const LabelSpan& span) {
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

  bool of_tokens_;  // labels
  PredictionFormat format_;
  LabelSet labels_;
  std::size_t column_;
  bool spans_;
  std::uint64_t number_ = 0;  // index of the example
};

class AnswerWriter final : public PredictionWriter {
 public:
  explicit AnswerWriter(PredictionFormat format) : squad_(format == PredictionFormat::squad) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    std::string text;
    for (std::size_t i = 0; i < group.records.size(); ++i) {
      const TaskRecord& record = group.records[i];
      const AskedQuestion& question = *record.gold_as<AskedQuestion>();
      if (squad_) {
        if (!ids_.insert(question.id).second) {
          throw InputError("line " + std::to_string(group.texts[record.texts.front()].line) +
                           ": found the id " + ascii_json_text(excerpt(question.id)) +
                           " a second time; expected a different id for each question, because "
                           "SQuAD's scorer finds answers by id");
        }
        const std::vector<std::int32_t>& span = predictions[i].labels;
        text += is_first_ ? "{" : ", ";
        text += json_text(question.id) + ": " +
                json_text(question.context->answer(span.front(), span.back()));
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
    const ContextRange range = question.context->range(first, last);
    std::string json = R"({"id": )" + json_text(question.id);
    json += R"(, "answer": )" + json_text(question.context->answer(first, last));
    json += R"(, "start": )" + std::to_string(range.code_point_begin);
    json += R"(, "end": )" + std::to_string(range.code_point_end);
    json += R"(, "probability": )" + json_number(prediction.scores.front());
    json += R"(, "bytes": [)" + std::to_string(range.source_begin) + ", " +
            std::to_string(range.source_end) + "]";
    if (windows > 1) json += R"(, "windows": )" + std::to_string(windows);
    return json + "}\n";
  }

  bool squad_;
  bool is_first_ = true;
  std::unordered_set<std::string> ids_;  // for squad
};

struct PredictedFrame {
  std::int32_t predicate = 0;
  std::vector<std::string> tags;
};

std::string frames_record(const Sentence& sentence, const std::vector<PredictedFrame>& frames) {
  std::vector<std::string> tokens;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    tokens.emplace_back(sentence.token(token));
  }
  const auto quoted = [](const std::string& text) { return json_text(text); };
  return R"({"tokens": )" + json_list(tokens, quoted) + R"(, "frames": )" +
         json_list(frames,
                   [&](const PredictedFrame& frame) {
                     return R"({"predicate": )" + std::to_string(frame.predicate) +
                            R"(, "tags": )" + json_list(frame.tags, quoted) + "}";
                   }) +
         "}\n";
}

/// The cell (ROLE*, *, *) of each token.
std::vector<std::string> bracketed(const std::vector<std::string>& tags) {
  std::vector<std::string> cells(tags.size(), "*");
  for (const LabelSpan& span : spans_of(tags)) {
    cells[span.begin].insert(0, "(" + span.type);
    cells[span.end - 1] += ")";
  }
  return cells;
}

std::string frames_columns(const Sentence& sentence, std::vector<PredictedFrame> frames) {
  std::ranges::sort(frames, {}, &PredictedFrame::predicate);
  const auto twice = std::ranges::adjacent_find(frames, {}, &PredictedFrame::predicate);
  if (twice != frames.end()) {
    const auto token = static_cast<std::size_t>(twice->predicate);
    throw InputError("line " + std::to_string(sentence.line_of(token)) +
                     ": found two frames of token " + std::to_string(token) +
                     "; expected one of each predicate, which columns can hold");
  }
  std::vector<std::string> lines(sentence.size(), "-");
  for (const PredictedFrame& frame : frames) {
    const auto token = static_cast<std::size_t>(frame.predicate);
    lines[token] = sentence.token(token) == "-" ? "_" : sentence.token(token);
    // White space separates columns, and "-" is not a predicate.
    std::ranges::replace_if(
        lines[token], [](char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }, '_');
  }
  for (const PredictedFrame& frame : frames) {
    const std::vector<std::string> cells = bracketed(frame.tags);
    for (std::size_t token = 0; token < lines.size(); ++token) lines[token] += '\t' + cells[token];
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text + '\n';
}

class FrameWriter final : public PredictionWriter {
 public:
  FrameWriter(PredictionFormat format, const std::vector<std::string>& labels)
      : columns_(format == PredictionFormat::columns), labels_(labels) {}

  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    const Sentence& sentence = group.texts.front();
    std::vector<PredictedFrame> frames;
    if (!group.records.empty()) frames = frames_of(group.records.front(), predictions.front());
    return columns_ ? frames_columns(sentence, std::move(frames)) : frames_record(sentence, frames);
  }

 private:
  std::vector<PredictedFrame> frames_of(const TaskRecord& record,
                                        const TaskPrediction& prediction) const {
    const bool found = !record.given.empty() && record.given.front() < 0;
    const std::vector<std::int32_t>& predicates = found ? prediction.found : record.given;
    std::vector<PredictedFrame> frames;
    auto label = prediction.labels.begin();
    for (const std::int32_t predicate : predicates) {
      PredictedFrame& frame = frames.emplace_back();
      frame.predicate = predicate;
      const auto tokens = prediction.labels.size() / predicates.size();
      for (std::size_t token = 0; token < tokens; ++token) {
        frame.tags.push_back(labels_[*label++]);
      }
    }
    return frames;
  }

  bool columns_;
  LabelSet labels_;
};

/// Byte range of each token of the record in its text.
std::vector<ByteSpan> token_bytes(const ExampleGroup& group, const TaskRecord& record) {
  std::vector<ByteSpan> bytes;
  for (const std::uint64_t text : record.texts) {
    const std::vector<ByteSpan>& spans = group.texts[text].spans();
    bytes.insert(bytes.end(), spans.begin(), spans.end());
  }
  return bytes;
}

class CorefWriter final : public PredictionWriter {
 public:
  std::string text_of(const ExampleGroup& group,
                      std::span<const TaskPrediction> predictions) override {
    const std::string clusters =
        predictions.empty() ? "[]"
                            : clusters_text(group, group.records.front(), predictions.front());
    return R"({"document": )" + json_text(group.texts.front().document->id) + R"(, "clusters": )" +
           clusters + "}\n";
  }

 private:
  static std::string clusters_text(const ExampleGroup& group, const TaskRecord& record,
                                   const TaskPrediction& prediction) {
    const auto* const gold = record.gold_as<CorefGold>();
    const bool in_bytes = gold != nullptr && gold->in_bytes;
    const std::vector<ByteSpan> bytes =
        in_bytes ? token_bytes(group, record) : std::vector<ByteSpan>();
    const auto span_text = [&](const RowSpan& span) {
      const auto first = static_cast<std::size_t>(span.begin);
      const auto last = static_cast<std::size_t>(span.end - 1);
      std::string text = "[";
      text += in_bytes ? json_number(bytes[first].begin) : json_number(span.begin);
      text += ", ";
      text += in_bytes ? json_number(bytes[last].end) : json_number(span.end);
      return text += ']';
    };
    return json_list(clusters_of(prediction.labels),
                     [&](const MentionCluster& cluster) { return json_list(cluster, span_text); });
  }
};

void check_format(const char* predictions, std::initializer_list<PredictionFormat> formats,
                  PredictionFormat format) {
  if (std::ranges::find(formats, format) != formats.end()) return;
  throw RequestError(std::string(predictions) + "; found " +
                     std::string(kPredictionFormats.word(format)));
}

}  // namespace

std::unique_ptr<PredictionWriter> make_token_writer(const WriterOptions& options) {
  return std::make_unique<LabelWriter>(true, options);
}

std::unique_ptr<PredictionWriter> make_text_writer(const WriterOptions& options) {
  return std::make_unique<LabelWriter>(false, options);
}

std::unique_ptr<PredictionWriter> make_answer_writer(const WriterOptions& options) {
  check_format("answers to questions are written as jsonl or squad",
               {PredictionFormat::jsonl, PredictionFormat::squad}, options.format);
  return std::make_unique<AnswerWriter>(options.format);
}

std::unique_ptr<PredictionWriter> make_frame_writer(const WriterOptions& options) {
  check_format("frames are written as jsonl or columns",
               {PredictionFormat::jsonl, PredictionFormat::columns}, options.format);
  return std::make_unique<FrameWriter>(options.format, options.labels);
}

std::unique_ptr<PredictionWriter> make_cluster_writer(const WriterOptions& options) {
  if (options.format != PredictionFormat::jsonl) {
    throw RequestError("the model finds clusters of mentions, which are written as jsonl alone");
  }
  return std::make_unique<CorefWriter>();
}

}  // namespace elmo
