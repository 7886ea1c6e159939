#include "core/kernels/gemm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

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
    scales_.assign(static_cast<std::size_t>(columns), 0.0F);
    offsets_.assign(static_cast<std::size_t>(columns), 0);
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t n = 0; n < columns; ++n) {
        float& largest = scales_[static_cast<std::size_t>(n)];
        const float magnitude = std::fabs(values[k * stride + n]);
        largest = std::isnan(magnitude) ? magnitude : std::max(largest, magnitude);
      }
    }
    for (float& scale : scales_) scale = scale == 0.0F ? 1.0F : scale / 127.0F;
    quantized.resize(static_cast<std::size_t>(rows * columns));
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t n = 0; n < columns; ++n) {
        const auto column = static_cast<std::size_t>(n);
        const auto value = static_cast<std::int8_t>(
            std::lround(std::clamp(values[k * stride + n] / scales_[column], -127.0F, 127.0F)));
        quantized[static_cast<std::size_t>(k * columns + n)] = value;
        offsets_[column] += kQuantizedZero * value;
      }
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
