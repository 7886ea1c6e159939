#include "io/sinks/jsonl.h"

#include "io/number_text.h"
#include "io/sinks/json_text.h"

namespace elmo {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

}  // namespace

void JsonlSink::write(const ActivationBatch& batch) {
  const float* activations = batch.activations.data();
  if (dtype_ != Dtype::float32) {
    rounded_.resize(batch.activations.size());
    round_to_dtype(dtype_, static_cast<std::size_t>(layout_.width), batch.activations, rounded_);
    activations = rounded_.data();
  }
  std::uint64_t number = batch.first_sentence;
  for (const Sentence& sentence : batch.sentences) {
    add_sentence(sentence, number++, activations);
    activations += sentence.size() * static_cast<std::size_t>(layout_.values_per_token());
    if (buffer_.size() >= kFlushBytes) {
      stream_.write(buffer_);
      buffer_.clear();
    }
  }
  stream_.write(buffer_);
  buffer_.clear();
}

void JsonlSink::add_sentence(const Sentence& sentence, std::uint64_t number,
                             const float* activations) {
  append_sentence(buffer_, sentence, number);
  append_spans(buffer_, sentence);
  buffer_ += R"(, "vectors": [)";
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    buffer_ += token == 0 ? "[" : ", [";
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
  buffer_ += "]}\n";
}

}  // namespace elmo
