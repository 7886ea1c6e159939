// Matrix products with packed weights: c = a·w or c += a·w, by oneDNN's matmul.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/kernels/precision.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// The most rows K of an int8 matrix: a sum of K products of a uint8 and an int8 within ±127 has to
/// fit 32 bits.
inline constexpr std::int64_t kMaxQuantizedRows = 2147483647 / (255 * 127);

/// Columns of weights up to which products of many rows are fastest on this CPU; a result does not
/// depend on which columns lie beside it. Any thread.
std::int64_t fastest_columns();

/// A weight matrix [K, N] in the layout oneDNN prefers for products with many rows. Immutable, so
/// threads may share it.
///
/// int8: column n holds w_kn ≈ scale_n · q_kn with q in [-127, 127].
class PackedMatrix {
 public:
  PackedMatrix();

  /// Packs values[k·stride + n] for k < rows and n < columns. RequestError where an int8 matrix has
  /// more than kMaxQuantizedRows rows.
  PackedMatrix(const float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride,
               Precision precision);
  ~PackedMatrix();
  PackedMatrix(PackedMatrix&&) noexcept;
  PackedMatrix& operator=(PackedMatrix&&) noexcept;

  std::int64_t rows() const;
  std::int64_t columns() const;
  Precision precision() const;
  std::size_t bytes() const;

  /// int8 only: scale_n, and kQuantizedZero · Σ_k q_kn, which the zero point adds to every sum.
  std::span<const float> scales() const { return scales_; }
  std::span<const std::int32_t> offsets() const { return offsets_; }

 private:
  friend class GemmWorkspace;
  struct Packed;
  std::unique_ptr<const Packed> packed_;
  AlignedVector<float> scales_;
  AlignedVector<std::int32_t> offsets_;
};

/// Where one thread multiplies: primitives cached by shape, and scratch memory. Not for two threads
/// at once.
class GemmWorkspace {
 public:
  GemmWorkspace();
  ~GemmWorkspace();
  GemmWorkspace(GemmWorkspace&&) noexcept;
  GemmWorkspace& operator=(GemmWorkspace&&) noexcept;

  /// Rows that the memory behind a and c must hold for `rows` rows to be multiplied. Rows past
  /// `rows` are computed from whatever a holds there and mean nothing.
  static std::int64_t padded_rows(std::int64_t rows);

  /// c [rows, N] = a [rows, K] · w, plus c before where `accumulate`. Row-major without gaps, both
  /// with room for padded_rows(rows) rows. A row's result does not depend on the other rows, nor
  /// on their number, where the calling thread computes alone (set_threads_of_this_thread(1)):
  /// among several, oneDNN may split the rows at any place.
  /// a is float, bfloat16 or quantized uint8, c float, float or int32, as w.precision() says.
  void multiply(const void* a, const PackedMatrix& w, void* c, std::int64_t rows, bool accumulate);

 private:
  struct Cache;
  std::unique_ptr<Cache> cache_;
};

/// Bytes of one input value of a product of that precision: 4, 2 or 1.
std::size_t input_bytes(Precision precision);

}  // namespace elmo
