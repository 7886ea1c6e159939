#include "core/kernels/product.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/kernels/onednn.h"
#include "core/kernels/panel_matrix.h"

namespace elmo {

bool is_supported(Precision precision) { return backend(precision) != Backend::none; }

void require_supported(Precision precision) {
  if (is_supported(precision)) return;
  const char* const needed = precision == Precision::bfloat16
                                 ? "AVX-512 BF16 or AMX"
                                 : "AVX-512 VNNI, AVX-VNNI, AMX or arm64's dot products";
  throw RequestError("this CPU lacks the instructions for " +
                         std::string(kPrecisions.word(precision)) + " products: " + needed,
                     Remedy{"compute_in_float32"});
}

namespace {

void require_shapes(const ConstFloatView& a, const ConstFloatView& b, const FloatView& c) {
  if (a.rows == c.rows && a.columns == b.rows && b.columns == c.columns && !c.is_transposed) return;
  throw std::logic_error("matrices whose shapes do not match are multiplied");
}

/// Computes a product of empty matrices, which oneDNN does not accept. Returns false for others.
bool multiply_empty(const ConstFloatView& a, const FloatView& c, Beta beta) {
  if (c.rows == 0 || c.columns == 0) return true;
  if (a.columns > 0) return false;
  for (std::int64_t row = 0; row < c.rows && beta == Beta::zero; ++row) {
    std::fill_n(c.values + row * c.stride, c.columns, 0.0F);
  }
  return true;
}

/// Computes c = a · w + beta · c.
void multiply_panels(ConstFloatView a, const PanelMatrix& w, FloatView c, Beta beta) {
  Matrix copy;
  if (a.is_transposed) {
    copy.set_shape(a.rows, a.columns);
    for (std::int64_t row = 0; row < a.rows; ++row) {
      for (std::int64_t column = 0; column < a.columns; ++column) {
        copy.row(row)[column] = a.values[column * a.stride + row];
      }
    }
    a = {copy.values.data(), a.rows, a.columns};
  }
  if (beta == Beta::one) {
    w.multiply_add(a, c);
  } else {
    w.multiply(a, c);
  }
}

}  // namespace

void multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta) {
  require_shapes(a, b, c);
  if (multiply_empty(a, c, beta)) return;
  if (backend(Precision::float32) == Backend::panels) {
    PanelMatrix panels;
    panels.set(b);
    multiply_panels(a, panels, c, beta);
    return;
  }
  // The first product generates code that serves all shapes. create() makes sure that there is
  // memory for it.
  static const bool ready = onednn::create([] { return true; });
  static_cast<void>(ready);
  const dnnl_status_t status = dnnl_sgemm(
      a.is_transposed ? 'T' : 'N', b.is_transposed ? 'T' : 'N', c.rows, c.columns, a.columns, 1.0F,
      a.values, a.stride, b.values, b.stride, beta == Beta::one ? 1.0F : 0.0F, c.values, c.stride);
  if (status == dnnl_out_of_memory) throw std::bad_alloc();
  dnnl::error::wrap_c_api(status, "could not multiply matrices");
}

void multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta, Workers& workers) {
  for_row_pieces(c.rows, workers, [&](std::int64_t first, std::int64_t end) {
    multiply(a.row_range(first, end - first), b, c.row_range(first, end - first), beta);
  });
}

void Operand::resize(std::int64_t rows, std::int64_t columns, Precision precision) {
  columns_ = columns;
  stride_ = precision == Precision::float32 ? onednn::spaced(columns) : columns;
  precision_ = precision;
  grow(values_, rows * stride_);
  if (precision == Precision::bfloat16) grow(rounded_, rows * columns);
}

Operand::Rows Operand::rows(std::int64_t first, std::int64_t count) const {
  const bool is_rounded = precision_ == Precision::bfloat16;
  return {{row(first), count, columns_, stride_},
          is_rounded ? rounded_.data() + first * columns_ : nullptr};
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

dnnl::memory::desc layout_of(const ConstFloatView& view, Type type) {
  return layout_of(view.rows, view.columns, type, view.is_transposed, view.stride);
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
              std::int64_t stride, Beta beta) {
  for (std::int64_t row = 0; row < rows; ++row, from += columns, to += stride) {
    if (beta == Beta::zero) {
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
  };
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>;  // shape, stride

  explicit Packed(Precision of_products) : precision(of_products) {}

  Packing& of(const ConstFloatView& values) {
    const Key key{values.rows, values.columns, values.stride, values.is_transposed};
    const auto found = packings.find(key);
    if (found != packings.end()) return found->second;
    const Packing packing = onednn::create([&] {
      const auto memory = [](const dnnl::memory::desc& layout) {
        return dnnl::memory(layout, onednn::engine(), DNNL_MEMORY_NONE);
      };
      const dnnl::memory::desc layout =
          onednn::packed_layout(values.rows, values.columns, onednn::product_types(precision));
      const dnnl::memory plain = memory(layout_of(values, Type::f32));
      const dnnl::memory packed = memory(layout);
      return Packing{plain, packed, {plain, packed}};
    });
    return packings.emplace(key, packing).first->second;
  }

  Precision precision;
  dnnl::stream stream{onednn::engine()};
  std::map<Key, Packing> packings;
  AlignedVector<std::byte> bytes;
  const dnnl::memory* weights = nullptr;  // weights of the last set()
  PanelMatrix panels;                     // used instead if the backend is panels
};

StepWeights::StepWeights(Precision precision) : packed_(std::make_shared<Packed>(precision)) {}

void StepWeights::set(ConstFloatView values) {
  if (backend(packed_->precision) == Backend::panels) {
    packed_->panels.set(values);
    return;
  }
  Packed::Packing& packing = packed_->of(values);
  packed_->weights = &packing.packed;
  grow(packed_->bytes, static_cast<std::int64_t>(packing.packed.get_desc().get_size()));
  packing.plain.set_data_handle(const_cast<float*>(values.values));
  packing.packed.set_data_handle(packed_->bytes.data());
  packing.reorder.execute(packed_->stream, packing.plain, packing.packed);
  packed_->stream.wait();
}

struct Products::Workspace {
  // m, n, k, the stride of c, whether a and b are transposed, whether to accumulate, and whether b
  // is packed weights.
  using Key =
      std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool, bool, bool, bool>;

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
    const dnnl::memory::desc c_layout =
        layout_of(std::get<0>(key), std::get<1>(key), Type::f32, false, std::get<3>(key));
    const onednn::Matmul product(a_layout, b_layout, c_layout, accumulate);
    scratch.resize(std::max(scratch.size(), product.scratch_bytes()));
    return products.emplace(key, product).first->second;
  }

  // Rounds an operand into `to` [rows, columns], padded with zeros and transposed if the operand
  // is, and returns its layout.
  static dnnl::memory::desc round_operand(const ConstFloatView& from,
                                          AlignedVector<std::uint16_t>& to, std::int64_t rows,
                                          std::int64_t columns) {
    if (from.is_transposed) {
      round_rows(from.values, from.stride, from.columns, from.rows, to, columns, rows);
      return layout_of(rows, columns, Type::bf16, true, rows);
    }
    round_rows(from.values, from.stride, from.rows, from.columns, to, rows, columns);
    return layout_of(rows, columns, Type::bf16, false, columns);
  }

  void rounded_product(const ConstFloatView& left, const ConstFloatView& right, const FloatView& to,
                       Beta beta) {
    const std::int64_t m = to.rows;
    const std::int64_t n = to.columns;
    const std::int64_t padded_m = rounded_up(m);
    const std::int64_t padded_k = rounded_up(left.columns);
    const dnnl::memory::desc a_layout = round_operand(left, a, padded_m, padded_k);
    const dnnl::memory::desc b_layout = round_operand(right, b, padded_k, n);
    // Writes directly to the result if it has room for all rows and no gaps.
    const bool direct = m == padded_m && to.stride == n;
    const bool accumulate = direct && beta == Beta::one;
    onednn::Matmul& product =
        at({padded_m, n, padded_k, n, left.is_transposed, right.is_transposed, accumulate, false},
           a_layout, b_layout, accumulate);
    if (!direct) grow(c, padded_m * n);
    product.execute(stream, a.data(), {b_layout, onednn::engine(), b.data()},
                    direct ? to.values : c.data(), scratch.data());
    if (!direct) put_rows(c.data(), m, n, to.values, to.stride, beta);
  }

  // Reads operands that are rounded or packed already: the left one [m, k], and either packed
  // weights or, if the left one is transposed, rows without gaps on the right. Needs no padding,
  // because the shapes of operands and result are the same in every step.
  void exact_product(const void* left, const dnnl::memory::desc& left_layout, bool transposed,
                     const dnnl::memory& right, const FloatView& to, Beta beta) {
    const bool accumulate = beta == Beta::one;
    const std::int64_t k = onednn::shape_of(left_layout)[1];
    onednn::Matmul& product =
        at({to.rows, to.columns, k, to.stride, transposed, false, accumulate, !transposed},
           left_layout, right.get_desc(), accumulate);
    product.execute(stream, left, right, to.values, scratch.data());
  }
};

Products::Products(Precision precision)
    : precision_(precision), workspace_(std::make_shared<Workspace>()) {
  if (precision == Precision::int8) {
    throw RequestError("int8 cannot hold gradients; expected float32 or bfloat16");
  }
  require_supported(precision);
}

void Products::multiply(ConstFloatView a, ConstFloatView b, FloatView c, Beta beta) {
  if (precision_ == Precision::float32) {
    elmo::multiply(a, b, c, beta);
  } else {
    require_shapes(a, b, c);
    if (!multiply_empty(a, c, beta)) workspace_->rounded_product(a, b, c, beta);
  }
}

void Products::multiply(const Operand::Rows& a, const StepWeights& w, FloatView c, Beta beta) {
  if (backend(precision_) == Backend::panels) {
    const PanelMatrix& panels = w.packed_->panels;
    require_shapes(a.values, {nullptr, panels.rows(), panels.columns()}, c);
    multiply_panels(a.values, panels, c, beta);
    return;
  }
  const dnnl::memory& packed = *w.packed_->weights;
  const dnnl::memory::dims shape = onednn::shape_of(packed.get_desc());
  require_shapes(a.values, {nullptr, shape[0], shape[1]}, c);
  const bool is_rounded = precision_ == Precision::bfloat16;
  const void* left = is_rounded ? static_cast<const void*>(a.rounded) : a.values.values;
  const dnnl::memory::desc layout = layout_of(a.values, is_rounded ? Type::bf16 : Type::f32);
  workspace_->exact_product(left, layout, false, packed, c, beta);
}

void Products::weight_gradient(const Operand::Rows& inputs, const Operand::Rows& gradients,
                               FloatView c, Beta beta) {
  const ConstFloatView left = inputs.values.transposed();
  if (precision_ == Precision::float32) {
    elmo::multiply(left, gradients.values, c, beta);
  } else {
    require_shapes(left, gradients.values, c);
    const dnnl::memory right(layout_of(gradients.values, Type::bf16), onednn::engine(),
                             const_cast<std::uint16_t*>(gradients.rounded));
    workspace_->exact_product(inputs.rounded, layout_of(left, Type::bf16), true, right, c, beta);
  }
}

}  // namespace elmo
