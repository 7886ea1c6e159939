// Descriptions of HDF5 datasets and an owned identifier, independent of the library's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/enum_table.h"

namespace elmo::h5 {

/// Element types that the project reads and writes. Floats are IEEE 754, strings have variable
/// length, bfloat16 is the upper half of a float32.
enum class Element { float16, bfloat16, float32, float64, int8, uint32, uint64, string, other };

inline constexpr auto kElements = enum_table<Element>({{"float16", Element::float16},
                                                       {"bfloat16", Element::bfloat16},
                                                       {"float32", Element::float32},
                                                       {"float64", Element::float64},
                                                       {"int8", Element::int8},
                                                       {"uint32", Element::uint32},
                                                       {"uint64", Element::uint64},
                                                       {"string", Element::string},
                                                       {"other", Element::other}});

/// Bytes of one element in a file. std::logic_error for string and other.
std::size_t element_bytes(Element element);

/// Shape, type and storage of a dataset, read from its file.
struct DatasetInfo {
  std::vector<std::uint64_t> shape;  ///< empty for a scalar
  Element element = Element::other;
  std::string type;     ///< element type in words, even if `element` is `other`: "int32"
  std::string layout;   ///< "contiguous", "compact", "chunked" or "virtual"
  std::string filters;  ///< "gzip", "shuffle gzip", …; empty without filters
  std::uint64_t storage_bytes = 0;  ///< bytes it takes in the file
  std::uint64_t chunk_rows = 0;     ///< rows of a chunk; 0 if not chunked

  std::uint64_t count() const;  ///< product of the shape
  std::uint64_t rows() const { return shape.empty() ? 1 : shape.front(); }
  std::uint64_t row_count() const;  ///< elements in one row: product of the shape after the first
  bool is_float() const {
    return element == Element::float16 || element == Element::bfloat16 ||
           element == Element::float32 || element == Element::float64;
  }
};

/// `rows` rows of a virtual dataset, which are all the rows of another dataset.
struct VirtualPart {
  std::string file;  ///< relative to the folder of the referring file; ".": the same file
  std::string path;  ///< path of the dataset in that file, without a leading "/"
  std::uint64_t rows = 0;

  bool operator==(const VirtualPart&) const = default;
};

/// Formats a shape: "(2, 3)", and "()" for a scalar.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// Owns one HDF5 identifier and closes it in the destructor. Movable; may be destroyed on any
/// thread.
class Handle {
 public:
  Handle() = default;
  explicit Handle(std::int64_t id) : id_(id) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, kNone)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, kNone);
    }
    return *this;
  }

  std::int64_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes the identifier, ignoring failure.
  void reset();
  /// Passes the identifier to the caller, who must close it.
  std::int64_t release() { return std::exchange(id_, kNone); }

 private:
  static constexpr std::int64_t kNone = -1;
  std::int64_t id_ = kNone;
};

/// Each compression comes with shuffle, which groups bytes of equal significance. zstd needs a
/// plugin that is not part of HDF5: filter 32015 of its registry.
enum class Compression { none, gzip, zstd };

inline constexpr auto kCompressions = enum_table<Compression>(
    {{"none", Compression::none}, {"gzip", Compression::gzip}, {"zstd", Compression::zstd}});

}  // namespace elmo::h5
