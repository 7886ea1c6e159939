#include "io/sinks/npy.h"

#include <cstdint>
#include <span>
#include <vector>

#include "io/sinks/npy_header.h"

namespace elmo {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

}  // namespace

void NpySink::write(const ActivationBatch& batch) {
  const auto values = static_cast<std::size_t>(layout_.values_per_token());
  std::size_t begin = 0;
  std::vector<std::uint64_t> shape{0, static_cast<std::uint64_t>(layout_.row_count()),
                                   static_cast<std::uint64_t>(layout_.width)};
  for (const Sentence& sentence : batch.sentences) {
    shape.front() = sentence.size();
    buffer_ += npy_header(npy_element(dtype_), shape);
    const std::size_t count = sentence.size() * values;
    const std::span<const std::byte> bytes =
        encoder_.encode(batch.activations.subspan(begin, count));
    buffer_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    begin += count;
    if (buffer_.size() >= kFlushBytes) {
      stream_.write(buffer_);
      buffer_.clear();
    }
  }
  stream_.write(buffer_);
  buffer_.clear();
}

}  // namespace elmo
