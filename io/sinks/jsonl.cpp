#include "io/sinks/jsonl.h"

#include "io/json/json_text.h"
#include "io/json/number_text.h"
#include "io/sinks/sentence_json.h"

namespace elmo {
namespace {

constexpr std::size_t kJsonlFlushBytes = std::size_t{1} << 20;

}  // namespace

void JsonlSink::write(const ActivationBatch& batch) {
  const float* activations = batch.activations.data();
  if (dtype_ != Dtype::float32) {
    rounded_.resize(batch.activations.size());
    round_to_dtype(dtype_, static_cast<std::size_t>(layout_.width), batch.activations, rounded_);
    activations = rounded_.data();
  }
  const auto values = static_cast<std::size_t>(layout_.values_per_token());
  for (const PooledRow& row : batch.pooled) {
    add_row(row, activations);
    activations += values;
    flush_beyond(kJsonlFlushBytes);
  }
  for (std::size_t s = 0; s < (pooled_ ? 0 : batch.sentences.size()); ++s) {
    const Sentence& sentence = batch.sentences[s];
    if (sentence.is_left_out()) continue;
    add_sentence(sentence, batch.number_of(s), activations);
    activations += sentence.kept_count() * values;
    flush_beyond(kJsonlFlushBytes);
  }
  flush_beyond(0);
}

void JsonlSink::flush_beyond(std::size_t bytes) {
  if (buffer_.size() <= bytes) return;
  stream_.write(buffer_);
  buffer_.clear();
}

void JsonlSink::add_sentence(const Sentence& sentence, std::uint64_t number,
                             const float* activations) {
  append_sentence(buffer_, sentence, number);
  append_spans(buffer_, sentence);
  if (!sentence.keeps_all()) {
    append_positions(buffer_, sentence);
    buffer_.append(R"(, "text": )").append(json_text(sentence.text()));
  }
  buffer_ += R"(, "vectors": [)";
  for (std::size_t token = 0; token < sentence.kept_count(); ++token) {
    if (token > 0) buffer_ += ", ";
    add_vectors(activations);
    activations += layout_.values_per_token();
  }
  buffer_ += "]}\n";
}

void JsonlSink::add_row(const PooledRow& row, const float* activations) {
  append_place(buffer_, row.document->id, row.first_sentence, row.line);
  buffer_.append(R"(, "text": )").append(json_text(row.text));
  buffer_.append(R"(, "pooled_tokens": )").append(std::to_string(row.tokens));
  buffer_.append(R"(, "span": [)").append(std::to_string(row.span.begin));
  buffer_.append(", ").append(std::to_string(row.span.end));
  buffer_ += R"(], "vectors": )";
  add_vectors(activations);
  buffer_ += "}\n";
}

void JsonlSink::add_vectors(const float* activations) {
  buffer_ += '[';
  for (std::int64_t row = 0; row < layout_.row_count(); ++row) {
    buffer_ += row == 0 ? "[" : ", [";
    for (std::int64_t column = 0; column < layout_.width; ++column) {
      if (column != 0) buffer_ += ", ";
      buffer_ += number_text(*activations++);
    }
    buffer_ += ']';
  }
  buffer_ += ']';
}

}  // namespace elmo
