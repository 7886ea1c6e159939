#include "io/sinks/npy.h"

#include <cstdint>
#include <span>
#include <vector>

#include "io/sinks/npy_header.h"

namespace elmo {
namespace {

constexpr std::size_t kNpyFlushBytes = std::size_t{1} << 20;

}  // namespace

void NpySink::write(const ActivationBatch& batch) {
  const auto values = static_cast<std::size_t>(layout_.values_per_token());
  std::size_t begin = 0;
  for (std::size_t row = 0; row < batch.pooled.size(); ++row, begin += values) {
    add_array(std::nullopt, batch.activations.subspan(begin, values));
  }
  for (const Sentence& sentence : batch.sentences) {
    if (pooled_ || sentence.is_left_out()) continue;
    const std::size_t count = sentence.kept_count() * values;
    add_array(sentence.kept_count(), batch.activations.subspan(begin, count));
    begin += count;
  }
  stream_.write(buffer_);
  buffer_.clear();
}

void NpySink::add_array(std::optional<std::size_t> tokens, std::span<const float> values) {
  std::vector<std::uint64_t> shape{static_cast<std::uint64_t>(layout_.row_count()),
                                   static_cast<std::uint64_t>(layout_.width)};
  if (tokens) shape.insert(shape.begin(), *tokens);
  buffer_ += npy_header(npy_element(dtype_), shape);
  const std::span<const std::byte> bytes = encoder_.encode(values);
  buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (buffer_.size() < kNpyFlushBytes) return;
  stream_.write(buffer_);
  buffer_.clear();
}

}  // namespace elmo
