// FlatBuffers, the encoding of Arrow's metadata (google.github.io/flatbuffers, "Internals").
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace elmo {

/// Builds a FlatBuffer from its leaves to its root: an object is complete before another one refers
/// to it. Expects a little-endian machine. One thread.
class FlatBuilder {
 public:
  /// A complete object: its distance from the end of the buffer.
  struct Object {
    std::uint32_t position = 0;
  };

  Object text(std::string_view text);
  /// A vector of strings or tables.
  Object list(std::span<const Object> objects);
  /// A vector of structs that consist of 64-bit numbers and have no padding.
  Object structs(std::span<const std::int64_t> numbers, std::size_t numbers_each);

  /// Begins a table. add() sets its fields, by their index in the schema; a field that is not set
  /// has its default. No other object can be built before end_table().
  void begin_table();
  template <std::integral T>
  void add(std::size_t field, T value) {
    push(&value, sizeof(value), sizeof(value));
    remember(field);
  }
  void add(std::size_t field, Object object);
  Object end_table();

  /// Returns the buffer; its size is a multiple of 8. Call it once.
  std::string finish(Object root);

 private:
  void align(std::size_t following, std::size_t alignment);
  void push(const void* bytes, std::size_t size, std::size_t alignment);
  void push_reference(Object object);
  void remember(std::size_t field);
  std::uint32_t position() const { return static_cast<std::uint32_t>(reversed_.size()); }

  std::string reversed_;               // the last byte of the buffer comes first
  std::vector<std::uint32_t> fields_;  // positions of the table's fields; 0: not set
  std::uint32_t table_end_ = 0;
};

}  // namespace elmo
