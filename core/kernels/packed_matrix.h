// Matrix products with packed weights of any precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "core/kernels/precision.h"
#include "core/matrix.h"

namespace elmo {

/// Maximum number of rows K of an int8 matrix: a sum of K products of a uint8 and an int8 within
/// ±127 must fit in 32 bits.
inline constexpr std::int64_t kMaxQuantizedRows = 2147483647 / (255 * 127);

/// Memory for the weights of a model, which all have the same lifetime. The first kHugeWeights
/// bytes are packed side by side and fill whole huge pages; a matrix that is larger than a buffer
/// has small pages of its own. Any thread.
class WeightMemory {
 public:
  /// Huge pages pay where a small model starts: it has a fourth of the page faults. A large model
  /// or a buffer of activations would take longer to get in huge pages on a virtual machine whose
  /// host has taken back free memory: the host returns it in small pages, one after another.
  static constexpr std::size_t kHugeWeights = std::size_t{32} << 20;

  /// Returns uninitialized memory on a boundary of kCacheLine, a part of a buffer. The buffer lives
  /// as long as one of its parts or this object. std::bad_alloc.
  std::shared_ptr<std::byte> allocate(std::size_t bytes);

 private:
  std::mutex mutex_;
  std::shared_ptr<std::byte> buffer_;  // kWeightBuffer bytes
  std::size_t used_ = 0;               // bytes of buffer_
  std::size_t given_ = 0;              // bytes of all parts
};

/// A weight matrix [K, N] in the layout that the backend of its precision prefers for products of
/// many rows. Immutable, so threads may share it.
///
/// int8: column n holds w_kn ≈ scale_n · q_kn with q in [-127, 127].
class PackedMatrix {
 public:
  PackedMatrix() = default;

  /// Packs values[k·stride + n] for k < rows and n < columns. RequestError if an int8 matrix has
  /// more than kMaxQuantizedRows rows; std::bad_alloc.
  PackedMatrix(const float* values, std::int64_t rows, std::int64_t columns, std::int64_t stride,
               Precision precision, WeightMemory& memory);

  std::int64_t rows() const;
  std::int64_t columns() const;
  Precision precision() const;

  /// int8 only: scale_n, and kQuantizedZero · Σ_k q_kn, which the inputs' zero point adds to every
  /// sum.
  std::span<const float> scales() const { return scales_; }
  std::span<const std::int32_t> offsets() const { return offsets_; }

 private:
  friend class GemmWorkspace;
  struct Packed;
  std::shared_ptr<const Packed> packed_;
  AlignedVector<float> scales_;
  AlignedVector<std::int32_t> offsets_;
};

/// One thread's primitives, cached by shape, and scratch memory for products. Not for two threads
/// at once.
class GemmWorkspace {
 public:
  GemmWorkspace();
  GemmWorkspace(GemmWorkspace&&) noexcept = default;
  GemmWorkspace& operator=(GemmWorkspace&&) noexcept = default;

  /// Number of rows that a and c must have room for to multiply `rows` rows. Rows past `rows` are
  /// computed from whatever a contains there and have no meaning.
  static std::int64_t padded_rows(std::int64_t rows);

  /// Computes c [rows, N] = a [rows, K] · w, or adds to c with `accumulate`. Both are row-major
  /// without gaps and have room for padded_rows(rows) rows. For w.precision() float32, bfloat16 and
  /// int8, a is float, bfloat16 and quantized uint8, and c is float, float and int32. A row's
  /// result does not depend on the other rows or their number if the calling thread computes alone
  /// (set_threads_of_this_thread(1)). With several threads, oneDNN may split the rows anywhere.
  void multiply(const void* a, const PackedMatrix& w, void* c, std::int64_t rows, bool accumulate);

 private:
  struct Cache;
  // Never shared; a unique_ptr would need the complete type here.
  std::shared_ptr<Cache> cache_;
};

/// Bytes of one input value of a product in `precision`: 4, 2 or 1.
std::size_t input_bytes(Precision precision);

/// Converts `rows` rows of `columns` floats, `stride` apart, to the input format of products in
/// `precision`, and writes them to `to` without gaps. int8 also writes the scale of each row to
/// `scales`; other precisions do not use it. Any thread.
void convert_rows(const float* from, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                  Precision precision, std::byte* to, float* scales);

/// The left operand of products, converted once for all products with it. Keeps its memory. Not for
/// two threads at once.
class FloatProduct {
 public:
  /// Sets the left operand `a` [rows, columns], for products with weights in `precision`. `a` has
  /// no gaps and has room for GemmWorkspace::padded_rows(rows) rows. In float32, multiply() reads
  /// `a` itself.
  void set_input(const float* a, std::int64_t rows, std::int64_t columns, Precision precision);

  /// Computes c [rows, N] = a · w. `c` has room for padded_rows(rows) rows.
  void multiply(const PackedMatrix& w, float* c, GemmWorkspace& workspace);

 private:
  const void* input_ = nullptr;
  std::int64_t rows_ = 0;
  AlignedVector<std::byte> converted_;
  AlignedVector<float> scales_;       // int8
  AlignedVector<std::int32_t> sums_;  // int8
};

}  // namespace elmo
