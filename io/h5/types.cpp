#include "io/h5/types.h"

#include <stdexcept>

#include "core/text.h"

namespace elmo::h5 {

std::size_t element_bytes(Element element) {
  switch (element) {
    case Element::int8:
      return 1;
    case Element::float16:
    case Element::bfloat16:
      return 2;
    case Element::float32:
    case Element::uint32:
      return 4;
    case Element::float64:
    case Element::uint64:
      return 8;
    case Element::string:
    case Element::other:
      break;
  }
  throw std::logic_error("elements of type " + std::string(kElements.word(element)) +
                         " have no fixed size");
}

std::uint64_t DatasetInfo::count() const { return shape.empty() ? 1 : rows() * row_count(); }

std::uint64_t DatasetInfo::row_count() const {
  std::uint64_t product = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) product *= shape[axis];
  return product;
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  text += joined(shape, ", ", [](std::uint64_t extent) { return std::to_string(extent); });
  return text + ")";
}

}  // namespace elmo::h5
