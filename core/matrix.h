// Aligned memory, matrices, views of matrices, and sequences and spans of rows.
//
// Shape letters used in every comment of core: B sentences or lanes, T steps or tokens,
// C character embedding size, F filters, D cell size, P projection size, L layers, V vocabulary,
// R rows of activations per token (2L+1), W width of such a row.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

namespace elmo {

inline constexpr std::size_t kCacheLine = 64;

/// Allocates 64-byte aligned memory. Trivially constructible values stay uninitialized, so growing
/// a buffer that is overwritten right away costs nothing.
template <typename T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{kCacheLine});
  }
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(static_cast<Arguments&&>(arguments)...);
  }

  bool operator==(const AlignedAllocator&) const = default;
};

/// A vector on cache-line boundaries. `AlignedVector<float> v(n)` is uninitialized;
/// `AlignedVector<float> v(n, 0.0F)` is zero.
template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// Grows `buffer` to at least `size` values. New values are zero, because products also read the
/// padding of their buffers, where denormal numbers would be slow and NaN would trap.
template <typename T>
void grow(AlignedVector<T>& buffer, std::int64_t size) {
  if (buffer.size() < static_cast<std::size_t>(size)) {
    buffer.resize(static_cast<std::size_t>(size), T{});
  }
}

/// A row-major matrix of T that somebody else owns, read as it is or transposed. The type of its
/// values is the precision of the matrix.
template <typename T>
struct MatrixView {
  T* values = nullptr;
  std::int64_t rows = 0;  ///< rows as read, that is, after transposing
  std::int64_t columns = 0;
  std::int64_t stride = 0;  ///< distance in memory between rows, or between columns if transposed
  bool is_transposed = false;

  MatrixView() = default;
  /// Rows without gaps.
  MatrixView(T* first, std::int64_t row_count, std::int64_t column_count)
      : MatrixView(first, row_count, column_count, column_count) {}
  /// Rows `row_stride` apart, at least their length.
  MatrixView(T* first, std::int64_t row_count, std::int64_t column_count, std::int64_t row_stride)
      : values(first), rows(row_count), columns(column_count), stride(row_stride) {}
  /// A view of the same values that does not change them.
  template <typename U>
  requires std::is_same_v<const U, T> MatrixView(const MatrixView<U>& other)
      : values(other.values),
        rows(other.rows),
        columns(other.columns),
        stride(other.stride),
        is_transposed(other.is_transposed) {}

  MatrixView transposed() const {
    MatrixView view(values, columns, rows, stride);
    view.is_transposed = !is_transposed;
    return view;
  }
  /// Rows [first, first + count).
  MatrixView row_range(std::int64_t first, std::int64_t count) const {
    MatrixView view = *this;
    view.values += first * (is_transposed ? 1 : stride);
    view.rows = count;
    return view;
  }
  /// Columns [first, first + count).
  MatrixView column_range(std::int64_t first, std::int64_t count) const {
    MatrixView view = *this;
    view.values += first * (is_transposed ? stride : 1);
    view.columns = count;
    return view;
  }
};

using FloatView = MatrixView<float>;
using ConstFloatView = MatrixView<const float>;

/// Copies the values of `from` to `to`, of the same shape. Neither is transposed.
inline void copy_rows(const ConstFloatView& from, const FloatView& to) {
  for (std::int64_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.values + row * from.stride, from.columns, to.values + row * to.stride);
  }
}

/// Copies `values` to each row of `to`, which is not transposed.
inline void fill_rows(const float* values, const FloatView& to) {
  for (std::int64_t row = 0; row < to.rows; ++row) {
    std::copy_n(values, to.columns, to.values + row * to.stride);
  }
}

/// Rows of equal size, row-major and without gaps.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  AlignedVector<float> values;

  Matrix() = default;
  /// All zero.
  Matrix(std::int64_t row_count, std::int64_t column_count) { resize(row_count, column_count); }

  /// Changes the shape and sets all values to zero. Reuses the memory if it is large enough.
  void resize(std::int64_t row_count, std::int64_t column_count) {
    rows = row_count;
    columns = column_count;
    values.assign(static_cast<std::size_t>(rows * columns), 0.0F);
  }
  /// Changes the shape. The values are unspecified; the caller overwrites them.
  void set_shape(std::int64_t row_count, std::int64_t column_count) {
    rows = row_count;
    columns = column_count;
    values.resize(static_cast<std::size_t>(rows * columns));
  }
  /// Changes the shape and keeps the values. The number of values must stay the same.
  void reshape(std::int64_t row_count, std::int64_t column_count) {
    rows = row_count;
    columns = column_count;
  }
  float* row(std::int64_t index) { return values.data() + index * columns; }
  const float* row(std::int64_t index) const { return values.data() + index * columns; }

  FloatView view() { return {values.data(), rows, columns}; }
  ConstFloatView view() const { return {values.data(), rows, columns}; }
  /// Rows [first, first + count).
  FloatView view(std::int64_t first, std::int64_t count) { return {row(first), count, columns}; }
  ConstFloatView view(std::int64_t first, std::int64_t count) const {
    return {row(first), count, columns};
  }
};

/// Divides the rows of a Matrix into sequences: sequence b is rows begins[b] … begins[b + 1] − 1.
/// Each has at least one row.
struct Sequences {
  std::vector<std::int64_t> begins = {0};  ///< [B + 1], increasing from 0

  std::int64_t count() const { return static_cast<std::int64_t>(begins.size()) - 1; }  ///< B
  std::int64_t rows() const { return begins.back(); }
  std::int64_t begin(std::int64_t sequence) const {
    return begins[static_cast<std::size_t>(sequence)];
  }
  std::int64_t length(std::int64_t sequence) const { return begin(sequence + 1) - begin(sequence); }
  void add(std::int64_t length) { begins.push_back(begins.back() + length); }
};

/// Rows `begin` to `end` (exclusive) of a Matrix, at least one.
struct RowSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  // clang-tidy 14 mistakes a zero in the generated code for a null pointer.
  auto operator<=>(const RowSpan&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace elmo
