#include "core/kernels/product.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <span>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/kernels/onednn.h"
#include "core/kernels/precision.h"
#include "core/matrix.h"

namespace elmo {

bool is_supported(Precision precision) {
  if (precision == Precision::float32) return true;
  using onednn::uses;
  if (precision == Precision::bfloat16) return uses(dnnl::cpu_isa::avx512_core_bf16);
  // oneDNN's AVX2 levels are a separate branch, with a VNNI level of their own.
  return uses(dnnl::cpu_isa::avx512_core_vnni) || uses(dnnl::cpu_isa::avx2_vnni);
}

void require_supported(Precision precision) {
  if (is_supported(precision)) return;
  throw RequestError(
      "this CPU has no instructions for " + std::string(kPrecisions.word(precision)) + " products",
      Remedy::compute_in_float32);
}

void multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k, float* c,
              std::int64_t stride, Result result) {
  // oneDNN does not accept null pointers, which empty matrices may have.
  if (m == 0 || n == 0) return;
  if (k == 0) {
    for (std::int64_t row = 0; row < m && result == Result::replaced; ++row) {
      std::fill_n(c + row * stride, n, 0.0F);
    }
    return;
  }
  // Checks once for free memory: the first product generates the code for all.
  static const bool ready = onednn::create([] { return true; });
  static_cast<void>(ready);
  const dnnl_status_t status =
      dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N', m, n, k, 1.0F, a.values,
                 a.stride, b.values, b.stride, result == Result::added ? 1.0F : 0.0F, c, stride);
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  dnnl::error::wrap_c_api(status, "could not multiply matrices");
}

void Operand::resize(std::int64_t rows, std::int64_t columns, Precision precision) {
  columns_ = columns;
  precision_ = precision;
  grow(values_, rows * columns);
  if (precision == Precision::bfloat16) grow(rounded_, rows * columns);
}

void Operand::round(std::int64_t first, std::int64_t count) {
  if (precision_ == Precision::float32) return;
  const auto size = static_cast<std::size_t>(count * columns_);
  const std::int64_t begin = first * columns_;
  to_bfloat16(std::span(values_.data() + begin, size), std::span(rounded_.data() + begin, size));
}

namespace {

using onednn::Tag;
using onednn::Type;

// oneDNN generates code for every shape, so shapes that change from step to step must be few.
// bfloat16 rounds them up to multiples of this.
constexpr std::int64_t kStep = 32;

std::int64_t rounded_up(std::int64_t size) { return (size + kStep - 1) / kStep * kStep; }

/// The layout [rows, columns] of a view whose rows in memory are `stride` apart.
dnnl::memory::desc layout_of(std::int64_t rows, std::int64_t columns, Type type, bool transposed,
                             std::int64_t stride) {
  using Dims = dnnl::memory::dims;
  return {{rows, columns}, type, transposed ? Dims{1, stride} : Dims{stride, 1}};
}

/// Rounds `rows` rows of `columns` values into `to` [to_rows, to_columns], padded with zeros.
void round_rows(const float* from, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                AlignedVector<std::uint16_t>& to, std::int64_t to_rows, std::int64_t to_columns) {
  grow(to, to_rows * to_columns);
  const auto span = [](auto* values, std::int64_t size) {
    return std::span(values, static_cast<std::size_t>(size));
  };
  if (stride == columns && to_columns == columns) {
    to_bfloat16(span(from, rows * columns), span(to.data(), rows * columns));
  } else {
    for (std::int64_t row = 0; row < rows; ++row) {
      std::uint16_t* at = to.data() + row * to_columns;
      to_bfloat16(span(from + row * stride, columns), span(at, columns));
      std::fill(at + columns, at + to_columns, std::uint16_t{0});
    }
  }
  std::fill(to.data() + rows * to_columns, to.data() + to_rows * to_columns, std::uint16_t{0});
}

/// Copies or adds rows without gaps to rows `stride` apart.
void put_rows(const float* from, std::int64_t rows, std::int64_t columns, float* to,
              std::int64_t stride, Result result) {
  for (std::int64_t row = 0; row < rows; ++row, from += columns, to += stride) {
    if (result == Result::replaced) {
      std::copy_n(from, columns, to);
    } else {
      std::transform(from, from + columns, to, to, [](float a, float b) { return a + b; });
    }
  }
}

}  // namespace

struct StepWeights::Packed {
  // The packing of weights of one shape.
  struct Packing {
    dnnl::memory plain;
    dnnl::memory packed;
    dnnl::reorder reorder;
    bool gains;  // oneDNN prefers a packed layout; else sgemm, which packs its operands itself, is
                 // faster
  };
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>;  // shape, stride

  explicit Packed(Precision of_products) : precision(of_products) {}

  Packing& of(const MatrixView& values, std::int64_t rows, std::int64_t columns) {
    const Key key{rows, columns, values.stride, values.transposed};
    const auto found = packings.find(key);
    if (found != packings.end()) return found->second;
    const Packing packing = onednn::create([&] {
      const auto memory = [](const dnnl::memory::desc& layout) {
        return dnnl::memory(layout, onednn::engine(), DNNL_MEMORY_NONE);
      };
      const dnnl::memory::desc layout =
          onednn::packed_layout(rows, columns, onednn::product_types(precision));
      const dnnl::memory plain =
          memory(layout_of(rows, columns, Type::f32, values.transposed, values.stride));
      const dnnl::memory packed = memory(layout);
      const bool gains = layout != layout_of(rows, columns, Type::f32, false, columns);
      return Packing{plain, packed, {plain, packed}, gains};
    });
    return packings.emplace(key, packing).first->second;
  }

  Precision precision;
  dnnl::stream stream{onednn::engine()};
  std::map<Key, Packing> packings;
  AlignedVector<std::byte> bytes;
  const dnnl::memory* weights = nullptr;  // of the last set(); null if packing gains nothing
};

StepWeights::StepWeights(Precision precision) : packed_(std::make_unique<Packed>(precision)) {}
StepWeights::~StepWeights() = default;
StepWeights::StepWeights(StepWeights&&) noexcept = default;
StepWeights& StepWeights::operator=(StepWeights&&) noexcept = default;

void StepWeights::set(MatrixView values, std::int64_t rows, std::int64_t columns) {
  Packed::Packing& packing = packed_->of(values, rows, columns);
  values_ = values;
  rows_ = rows;
  columns_ = columns;
  packed_->weights = packing.gains ? &packing.packed : nullptr;
  if (!packing.gains) return;
  grow(packed_->bytes, static_cast<std::int64_t>(packing.packed.get_desc().get_size()));
  packing.plain.set_data_handle(const_cast<float*>(values.values));
  packing.packed.set_data_handle(packed_->bytes.data());
  packing.reorder.execute(packed_->stream, packing.plain, packing.packed);
  packed_->stream.wait();
}

struct Products::Workspace {
  // m, n, k, whether a and b are transposed, whether to accumulate, and whether b is packed
  // weights.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool, bool, bool, bool>;

  dnnl::stream stream{onednn::engine()};
  std::map<Key, onednn::Matmul> products;
  AlignedVector<std::byte> scratch;
  AlignedVector<std::uint16_t> a;
  AlignedVector<std::uint16_t> b;
  AlignedVector<float> c;

  onednn::Matmul& at(const Key& key, const dnnl::memory::desc& a_layout,
                     const dnnl::memory::desc& b_layout, bool accumulate) {
    const auto found = products.find(key);
    if (found != products.end()) return found->second;
    const dnnl::memory::desc c_layout({std::get<0>(key), std::get<1>(key)}, Type::f32, Tag::ab);
    const onednn::Matmul product(a_layout, b_layout, c_layout, accumulate);
    scratch.resize(std::max(scratch.size(), product.scratch_bytes()));
    return products.emplace(key, product).first->second;
  }

  // Rounds the left operand [m, k] into `a`, transposed if it is, and returns its layout.
  dnnl::memory::desc round_left(const MatrixView& left, std::int64_t m, std::int64_t k,
                                std::int64_t padded_m, std::int64_t padded_k) {
    if (left.transposed) {
      round_rows(left.values, left.stride, k, m, a, padded_k, padded_m);
      return layout_of(padded_m, padded_k, Type::bf16, true, padded_m);
    }
    round_rows(left.values, left.stride, m, k, a, padded_m, padded_k);
    return layout_of(padded_m, padded_k, Type::bf16, false, padded_k);
  }

  void rounded_product(const MatrixView& left, const MatrixView& right, std::int64_t m,
                       std::int64_t n, std::int64_t k, float* to, std::int64_t stride,
                       Result result) {
    const std::int64_t padded_m = rounded_up(m);
    const std::int64_t padded_k = rounded_up(k);
    const dnnl::memory::desc a_layout = round_left(left, m, k, padded_m, padded_k);
    if (right.transposed) {
      round_rows(right.values, right.stride, n, k, b, n, padded_k);
    } else {
      round_rows(right.values, right.stride, k, n, b, padded_k, n);
    }
    // Writes directly to c if it has room for all rows and no gaps.
    const bool direct = m == padded_m && stride == n;
    const bool accumulate = direct && result == Result::added;
    const dnnl::memory::desc b_layout =
        layout_of(padded_k, n, Type::bf16, right.transposed, right.transposed ? padded_k : n);
    onednn::Matmul& product =
        at({padded_m, n, padded_k, left.transposed, right.transposed, accumulate, false}, a_layout,
           b_layout, accumulate);
    if (!direct) grow(c, padded_m * n);
    product.execute(stream, a.data(), {b_layout, onednn::engine(), b.data()},
                    direct ? to : c.data(), scratch.data());
    if (!direct) put_rows(c.data(), m, n, to, stride, result);
  }

  // Needs no padding, because the shapes of operands and c are the same in every step.
  void packed_product(const void* left, const dnnl::memory& weights, Type type, std::int64_t m,
                      float* to, Result result) {
    const dnnl::memory::desc layout = weights.get_desc();
    const auto shape = onednn::shape_of(layout);
    const std::int64_t k = shape[0];
    const std::int64_t n = shape[1];
    const bool accumulate = result == Result::added;
    onednn::Matmul& product = at({m, n, k, false, false, accumulate, true},
                                 layout_of(m, k, type, false, k), layout, accumulate);
    product.execute(stream, left, weights, to, scratch.data());
  }

  void transposed_product(const std::uint16_t* left, const std::uint16_t* right, std::int64_t m,
                          std::int64_t n, std::int64_t k, float* to, Result result) {
    const bool accumulate = result == Result::added;
    const dnnl::memory::desc right_layout = layout_of(k, n, Type::bf16, false, n);
    onednn::Matmul& product = at({m, n, k, true, false, accumulate, false},
                                 layout_of(m, k, Type::bf16, true, m), right_layout, accumulate);
    product.execute(stream, left,
                    {right_layout, onednn::engine(), const_cast<std::uint16_t*>(right)}, to,
                    scratch.data());
  }
};

Products::Products(Precision precision)
    : precision_(precision), workspace_(std::make_unique<Workspace>()) {
  if (precision == Precision::int8) {
    throw RequestError("int8 cannot hold gradients; expected float32 or bfloat16");
  }
  require_supported(precision);
}

Products::~Products() = default;
Products::Products(Products&&) noexcept = default;
Products& Products::operator=(Products&&) noexcept = default;

void Products::multiply(MatrixView a, MatrixView b, std::int64_t m, std::int64_t n, std::int64_t k,
                        float* c, std::int64_t stride, Result result) {
  if (precision_ == Precision::float32) {
    elmo::multiply(a, b, m, n, k, c, stride, result);
  } else {
    workspace_->rounded_product(a, b, m, n, k, c, stride, result);
  }
}

void Products::multiply(const Operand& a, std::int64_t first, std::int64_t m, const StepWeights& w,
                        float* c, Result result) {
  const dnnl::memory* packed = w.packed_->weights;
  if (packed == nullptr) {
    elmo::multiply({a.row(first), a.columns_}, w.values_, m, w.columns_, w.rows_, c, w.columns_,
                   result);
  } else if (precision_ == Precision::float32) {
    workspace_->packed_product(a.row(first), *packed, Type::f32, m, c, result);
  } else {
    workspace_->packed_product(a.rounded_.data() + first * a.columns_, *packed, Type::bf16, m, c,
                               result);
  }
}

void Products::weight_gradient(const Operand& inputs, const Operand& gradients, std::int64_t rows,
                               float* c, Result result) {
  const std::int64_t m = inputs.columns_;
  const std::int64_t n = gradients.columns_;
  if (precision_ == Precision::float32) {
    elmo::multiply({inputs.row(0), m, true}, {gradients.row(0), n}, m, n, rows, c, n, result);
  } else {
    workspace_->transposed_product(inputs.rounded_.data(), gradients.rounded_.data(), m, n, rows, c,
                                   result);
  }
}

}  // namespace elmo
