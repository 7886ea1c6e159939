#include "io/outputs/stream_sinks.h"

#include "io/json/json.h"

namespace elmo {
namespace {

/// Appends a member, a list with an element for each kept token: append(token) appends it.
template <typename Append>
void append_list(std::string& json, const Sentence& sentence, std::string_view name,
                 const Append& append) {
  json.append(R"(, ")").append(name).append(R"(": [)");
  for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
    if (kept > 0) json += ", ";
    append(sentence.kept_token(kept));
  }
  json += ']';
}

}  // namespace

void begin_record(std::string& json, std::string_view document, std::uint64_t number,
                  std::uint64_t line) {
  json += R"({"document": )";
  json += json_text(document);
  json += R"(, "sentence": )";
  json += std::to_string(number);
  json += R"(, "line": )";
  json += std::to_string(line);
}

void append_tokens(std::string& json, const Sentence& sentence, std::string_view name) {
  append_list(json, sentence, name,
              [&](std::size_t token) { json += json_text(sentence.token(token)); });
}

void append_spans(std::string& json, const Sentence& sentence, std::string_view name) {
  append_list(json, sentence, name, [&](std::size_t token) {
    const ByteSpan& span = sentence.spans()[token];
    json.append("[").append(std::to_string(span.begin)).append(", ");
    json.append(std::to_string(span.end)).append("]");
  });
}

void append_sentence(std::string& json, const Sentence& sentence, std::uint64_t number) {
  begin_record(json, sentence.document->id, number, sentence.line);
  append_tokens(json, sentence);
}

void StreamSink::write(const ActivationBatch& batch) {
  constexpr std::size_t kFlushBytes = std::size_t{1} << 20;
  const auto row_values = static_cast<std::size_t>(rows_.layout.values_per_token());
  std::span<const float> rest = batch.activations;
  const auto take = [&](std::size_t rows) {
    const std::span<const float> values = rest.first(rows * row_values);
    rest = rest.subspan(values.size());
    return values;
  };
  for (const PooledRow& row : batch.pooled) {
    add_row(row, take(1));
    flush_beyond(kFlushBytes);
  }
  for (std::size_t s = 0; s < (rows_.kind == RowKind::pooled ? 0 : batch.sentences.size()); ++s) {
    const Sentence& sentence = batch.sentences[s];
    if (sentence.is_left_out()) continue;
    add_sentence(sentence, batch.number_of(s), take(sentence.kept_count()));
    flush_beyond(kFlushBytes);
  }
  flush_beyond(0);
}

void StreamSink::flush_beyond(std::size_t bytes) {
  if (buffer_.size() <= bytes) return;
  stream_.write(buffer_);
  buffer_.clear();
}

namespace {

class JsonlSink final : public StreamSink {
 public:
  using StreamSink::StreamSink;

 private:
  void add_sentence(const Sentence& sentence, std::uint64_t number,
                    std::span<const float> values) override {
    append_sentence(buffer_, sentence, number);
    append_spans(buffer_, sentence);
    if (!sentence.keeps_all()) {
      append_list(buffer_, sentence, "positions",
                  [this](std::size_t token) { buffer_ += std::to_string(token); });
      buffer_.append(R"(, "text": )").append(json_text(sentence.text()));
    }
    buffer_ += R"(, "vectors": [)";
    const float* vectors = rounded(values);
    for (std::size_t token = 0; token < sentence.kept_count(); ++token) {
      if (token > 0) buffer_ += ", ";
      add_vectors(vectors);
      vectors += rows_.layout.values_per_token();
    }
    buffer_ += "]}\n";
  }

  void add_row(const PooledRow& row, std::span<const float> values) override {
    begin_record(buffer_, row.document->id, row.first_sentence, row.line);
    buffer_.append(R"(, "text": )").append(json_text(row.text));
    buffer_.append(R"(, "pooled_tokens": )").append(std::to_string(row.tokens));
    buffer_.append(R"(, "span": [)").append(std::to_string(row.span.begin));
    buffer_.append(", ").append(std::to_string(row.span.end));
    buffer_ += R"(], "vectors": )";
    add_vectors(rounded(values));
    buffer_ += "}\n";
  }

  /// Returns the values as stored in their format; valid until the next call.
  const float* rounded(std::span<const float> values) {
    if (rows_.rounded) return values.data();
    rounded_.resize(values.size());
    round_to_dtype(rows_.dtype, static_cast<std::size_t>(rows_.layout.width), values, rounded_);
    return rounded_.data();
  }

  /// [R, W]
  void add_vectors(const float* values) {
    buffer_ += '[';
    for (std::int64_t row = 0; row < rows_.layout.row_count(); ++row) {
      buffer_ += row == 0 ? "[" : ", [";
      for (std::int64_t column = 0; column < rows_.layout.width; ++column) {
        if (column != 0) buffer_ += ", ";
        buffer_ += number_text(*values++);
      }
      buffer_ += ']';
    }
    buffer_ += ']';
  }

  std::vector<float> rounded_;
};

class NpySink final : public StreamSink {
 public:
  using StreamSink::StreamSink;

 private:
  void add_sentence(const Sentence& sentence, std::uint64_t,
                    std::span<const float> values) override {
    if (rows_.kind == RowKind::stored_pooled) return add_array(std::nullopt, values);
    add_array(sentence.kept_count(), values);
  }

  void add_row(const PooledRow&, std::span<const float> values) override {
    add_array(std::nullopt, values);
  }

  void add_array(std::optional<std::size_t> tokens, std::span<const float> values) {
    std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(rows_.layout.row_count()),
                                     static_cast<std::uint64_t>(rows_.layout.width)};
    if (tokens) shape.insert(shape.begin(), *tokens);
    buffer_ += npy_header(format_of(rows_.dtype).npy, shape);
    const std::span<const std::byte> bytes = encoder_.encode(values);
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  Encoder encoder_{rows_.dtype, 1};
};

}  // namespace

std::unique_ptr<OutputSink> open_jsonl(const OutputTarget& target, const OutputRows& rows) {
  if (target.path.empty()) return std::make_unique<JsonlSink>(*target.stream, rows);
  return std::make_unique<PublishedStream<JsonlSink>>(target, rows);
}

std::unique_ptr<OutputSink> open_npy(const OutputTarget& target, const OutputRows& rows) {
  if (target.path.empty()) return std::make_unique<NpySink>(*target.stream, rows);
  return make_npy_files(target, rows);
}

}  // namespace elmo
