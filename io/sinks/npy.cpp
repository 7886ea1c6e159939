#include "io/sinks/npy.h"

#include <span>
#include <string_view>

namespace elmo {
namespace {

constexpr std::size_t kAlignment = 64;  // the data begins at a multiple of it
constexpr std::size_t kFlushBytes = std::size_t{1} << 20;

/// Magic string, version, length of the description, and the description: a Python dictionary,
/// padded with spaces and ended by a newline.
std::string header(std::size_t tokens, const ActivationLayout& layout, Dtype dtype) {
  std::string description = "{'descr': '";
  description += dtype == Dtype::float32 ? "<f4" : "<f2";
  description += "', 'fortran_order': False, 'shape': (" + std::to_string(tokens) + ", " +
                 std::to_string(layout.row_count()) + ", " + std::to_string(layout.width) + "), }";
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  const std::size_t before = kMagic.size() + 2;
  const std::size_t length = before + description.size() + 1;
  description.append((kAlignment - length % kAlignment) % kAlignment, ' ');
  description += '\n';
  std::string text(kMagic);
  text += static_cast<char>(description.size() & 0xFF);
  text += static_cast<char>(description.size() >> 8);
  return text + description;
}

}  // namespace

void NpySink::write(const ActivationBatch& batch) {
  const auto values = static_cast<std::size_t>(layout_.values_per_token());
  std::size_t begin = 0;
  for (const Sentence& sentence : batch.sentences) {
    buffer_ += header(sentence.size(), layout_, dtype_);
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
