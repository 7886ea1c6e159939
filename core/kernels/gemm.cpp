#include "core/kernels/gemm.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/kernels/matmul.h"
#include "core/kernels/onednn.h"

namespace elmo {

namespace {

using onednn::Tag;
using onednn::Type;

dnnl::memory::desc row_major(std::int64_t rows, std::int64_t columns, Type type) {
  return {{rows, columns}, type, Tag::ab};
}

/// What the largest magnitude of each column is 127 times of; not a number where one is none.
AlignedVector<float> column_scales(const float* values, std::int64_t rows, std::int64_t columns,
                                   std::int64_t stride) {
  // A float's bits without its sign grow with its magnitude, and those of NaN lie above all.
  std::vector<std::int32_t> largest(static_cast<std::size_t>(columns), 0);
  for (std::int64_t k = 0; k < rows; ++k) {
    for (std::int64_t n = 0; n < columns; ++n) {
      std::int32_t& most = largest[static_cast<std::size_t>(n)];
      most = std::max(most, std::bit_cast<std::int32_t>(values[k * stride + n]) & 0x7FFF'FFFF);
    }
  }
  AlignedVector<float> scales;
  for (const std::int32_t bits : largest) {
    scales.push_back(bits == 0 ? 1.0F : std::bit_cast<float>(bits) / 127.0F);
  }
  return scales;
}

/// Rounds a row of weights in units of the scales, halves away from zero, and adds to `offsets`
/// what the zero point will add to the sums. A plain loop, of which the compiler makes vectors: of
/// std::lround it would not.
void quantize_row(const float* __restrict values, const float* __restrict scales,
                  std::int64_t columns, std::int8_t* __restrict to,
                  std::int32_t* __restrict offsets) {
  for (std::int64_t n = 0; n < columns; ++n) {
    const float units = std::max(-127.0F, std::min(127.0F, values[n] / scales[n]));
    const auto whole = static_cast<std::int32_t>(units);  // towards zero
    const float rest = units - static_cast<float>(whole);
    const std::int32_t value = whole + (rest >= 0.5F ? 1 : 0) - (rest <= -0.5F ? 1 : 0);
    to[n] = static_cast<std::int8_t>(value);
    offsets[n] += kQuantizedZero * value;
  }
}

}  // namespace

std::size_t input_bytes(Precision precision) {
  return dnnl::memory::data_type_size(onednn::product_types(precision).input);
}

struct PackedMatrix::Packed {
  dnnl::memory::desc layout;
  dnnl::memory memory;
  std::int64_t rows;
  std::int64_t columns;
  Precision precision;
};

PackedMatrix::PackedMatrix(const float* values, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride, Precision precision) {
  if (precision == Precision::int8 && rows > kMaxQuantizedRows) {
    throw RequestError("this model multiplies vectors of " + std::to_string(rows) +
                           " numbers, but int8 can add up " + std::to_string(kMaxQuantizedRows) +
                           " at most",
                       Remedy::compute_in_float32);
  }
  const onednn::ProductTypes types = onednn::product_types(precision);
  const dnnl::memory::desc layout = onednn::packed_layout(rows, columns, types);

  AlignedVector<std::int8_t> quantized;
  dnnl::memory source;
  if (precision == Precision::int8) {
    quantized.resize(static_cast<std::size_t>(rows * columns));
    offsets_.assign(static_cast<std::size_t>(columns), 0);
    scales_ = column_scales(values, rows, columns, stride);
    for (std::int64_t k = 0; k < rows; ++k) {
      quantize_row(values + k * stride, scales_.data(), columns, quantized.data() + k * columns,
                   offsets_.data());
    }
    source = dnnl::memory(row_major(rows, columns, Type::s8), onednn::engine(), quantized.data());
  } else {
    source = dnnl::memory({{rows, columns}, Type::f32, dnnl::memory::dims{stride, 1}},
                          onednn::engine(), const_cast<float*>(values));
  }

  const dnnl::memory packed = onednn::allocate(layout);
  onednn::reorder(source, packed);
  packed_ = std::make_unique<const Packed>(Packed{layout, packed, rows, columns, precision});
}

PackedMatrix::PackedMatrix() = default;
PackedMatrix::~PackedMatrix() = default;
PackedMatrix::PackedMatrix(PackedMatrix&&) noexcept = default;
PackedMatrix& PackedMatrix::operator=(PackedMatrix&&) noexcept = default;

std::int64_t PackedMatrix::rows() const { return packed_->rows; }
std::int64_t PackedMatrix::columns() const { return packed_->columns; }
Precision PackedMatrix::precision() const { return packed_->precision; }
std::size_t PackedMatrix::bytes() const { return packed_->layout.get_size(); }

struct GemmWorkspace::Cache {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, Precision, bool>;

  dnnl::stream stream{onednn::engine()};
  std::map<Key, onednn::Matmul> products;
  AlignedVector<std::byte> scratch;

  onednn::Matmul& at(const PackedMatrix::Packed& w, std::int64_t rows, bool accumulate) {
    const Key key{rows, w.rows, w.columns, w.precision, accumulate};
    const auto found = products.find(key);
    if (found != products.end()) return found->second;
    const onednn::ProductTypes types = onednn::product_types(w.precision);
    const onednn::Matmul product(row_major(rows, w.rows, types.input), w.layout,
                                 row_major(rows, w.columns, types.output), accumulate);
    scratch.resize(std::max(scratch.size(), product.scratch_bytes()));
    return products.emplace(key, product).first->second;
  }
};

GemmWorkspace::GemmWorkspace() : cache_(std::make_unique<Cache>()) {}
GemmWorkspace::~GemmWorkspace() = default;
GemmWorkspace::GemmWorkspace(GemmWorkspace&&) noexcept = default;
GemmWorkspace& GemmWorkspace::operator=(GemmWorkspace&&) noexcept = default;

std::int64_t GemmWorkspace::padded_rows(std::int64_t rows) {
  if (rows <= 4) return rows;
  const std::int64_t step = rows <= 32 ? 4 : 16;
  return (rows + step - 1) / step * step;
}

void GemmWorkspace::multiply(const void* a, const PackedMatrix& w, void* c, std::int64_t rows,
                             bool accumulate) {
  if (rows == 0) return;  // oneDNN divides by their number
  cache_->at(*w.packed_, padded_rows(rows), accumulate)
      .execute(cache_->stream, a, w.packed_->memory, c, cache_->scratch.data());
}

}  // namespace elmo
