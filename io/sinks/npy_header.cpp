#include "io/sinks/npy_header.h"

#include <cstddef>
#include <stdexcept>

namespace elmo {
namespace {

constexpr std::size_t kDataAlignment = 64;  // the data begins at a multiple of it

}  // namespace

std::string_view npy_element(Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return "<f4";
    case Dtype::float16:
      return "<f2";
    case Dtype::int8:
      return "|i1";
    case Dtype::bfloat16:
      break;
  }
  throw std::logic_error("NumPy has no bfloat16");
}

/// A header has a magic string, a version, the length of the description, and the description: a
/// Python dictionary, padded with spaces and ended by a newline.
std::string npy_header(std::string_view element, std::span<const std::uint64_t> shape) {
  std::string description = "{'descr': '";
  description += element;
  description += "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t size : shape) {
    description += std::to_string(size);
    description += shape.size() == 1 ? "," : ", ";
  }
  if (shape.size() > 1) description.resize(description.size() - 2);
  description += "), }";
  constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
  const std::size_t before = kMagic.size() + 2;
  const std::size_t length = before + description.size() + 1;
  description.append((kDataAlignment - length % kDataAlignment) % kDataAlignment, ' ');
  description += '\n';
  std::string text(kMagic);
  text += static_cast<char>(description.size() & 0xFF);
  text += static_cast<char>(description.size() >> 8);
  return text + description;
}

}  // namespace elmo
