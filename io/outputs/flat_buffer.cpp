#include "io/outputs/flat_buffer.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace elmo {

static_assert(std::endian::native == std::endian::little);

/// Pads so that an object of `following` bytes begins at a multiple of `alignment`.
void FlatBuilder::align(std::size_t following, std::size_t alignment) {
  const std::size_t past = (reversed_.size() + following) % alignment;
  reversed_.append((alignment - past) % alignment, '\0');
}

void FlatBuilder::push(const void* bytes, std::size_t size, std::size_t alignment) {
  align(size, alignment);
  const char* first = static_cast<const char*>(bytes);
  std::reverse_copy(first, first + size, std::back_inserter(reversed_));
}

/// An offset points forward and is relative to its own position.
void FlatBuilder::push_reference(Object object) {
  align(sizeof(std::uint32_t), sizeof(std::uint32_t));
  const auto offset =
      static_cast<std::uint32_t>(position() + sizeof(std::uint32_t) - object.position);
  push(&offset, sizeof(offset), sizeof(offset));
}

FlatBuilder::Object FlatBuilder::text(std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  align(text.size() + 1, sizeof(size));
  reversed_ += '\0';
  push(text.data(), text.size(), 1);
  push(&size, sizeof(size), sizeof(size));
  return {position()};
}

FlatBuilder::Object FlatBuilder::list(std::span<const Object> objects) {
  const auto size = static_cast<std::uint32_t>(objects.size());
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) push_reference(*object);
  push(&size, sizeof(size), sizeof(size));
  return {position()};
}

FlatBuilder::Object FlatBuilder::structs(std::span<const std::int64_t> numbers,
                                         std::size_t numbers_each) {
  const auto size = static_cast<std::uint32_t>(numbers.size() / numbers_each);
  push(numbers.data(), numbers.size_bytes(), sizeof(std::int64_t));
  push(&size, sizeof(size), sizeof(size));
  return {position()};
}

void FlatBuilder::begin_table() {
  fields_.clear();
  table_end_ = position();
}

void FlatBuilder::add(std::size_t field, Object object) {
  push_reference(object);
  remember(field);
}

void FlatBuilder::remember(std::size_t field) {
  if (fields_.size() <= field) fields_.resize(field + 1);
  fields_[field] = position();
}

/// A table begins with the distance to its vtable, which precedes it here and holds the sizes of
/// both and the offset of each field in the table.
FlatBuilder::Object FlatBuilder::end_table() {
  std::int32_t to_vtable = 0;
  push(&to_vtable, sizeof(to_vtable), sizeof(to_vtable));
  const std::uint32_t table = position();
  const auto push_size = [this](std::size_t size) {
    const auto number = static_cast<std::uint16_t>(size);
    push(&number, sizeof(number), sizeof(number));
  };
  for (auto field = fields_.rbegin(); field != fields_.rend(); ++field) {
    push_size(*field == 0 ? 0 : table - *field);
  }
  push_size(table - table_end_);
  push_size((fields_.size() + 2) * sizeof(std::uint16_t));
  to_vtable = static_cast<std::int32_t>(position() - table);
  const auto* bytes = reinterpret_cast<const char*>(&to_vtable);
  std::reverse_copy(bytes, bytes + sizeof(to_vtable),
                    reversed_.begin() + static_cast<std::ptrdiff_t>(table - sizeof(to_vtable)));
  return {table};
}

std::string FlatBuilder::finish(Object root) {
  align(sizeof(std::uint32_t), sizeof(std::int64_t));
  push_reference(root);
  std::ranges::reverse(reversed_);
  return std::move(reversed_);
}

}  // namespace elmo
