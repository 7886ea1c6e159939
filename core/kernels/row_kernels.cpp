#include "core/kernels/row_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void join(const FoundRows& found, float* to) {
  const Floats d;
  const std::int64_t columns = found.columns;
  const float* h = found.h;
  for (std::int64_t row = 0; row < found.rows; ++row) {
    const float* c = found.c + row * columns;
    const float* a = found.a + row * columns;
    for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec own = part.load(d, c + at);
      const Vec other = part.load(d, a + at);
      part.store(own, d, to + at);
      part.store(other, d, to + columns + at);
      part.store(hn::Mul(own, other), d, to + 2 * columns + at);
      if (h != nullptr) {
        part.store(hn::Mul(own, part.load(d, h + at)), d, to + 3 * columns + at);
      }
    });
    to += (h != nullptr ? 4 : 3) * columns;
  }
}

void join_backward(const FoundRows& found, const float* gradient, float* to_c, float* to_a,
                   float* to_h) {
  const Floats d;
  const std::int64_t columns = found.columns;
  const float* h = found.h;
  for (std::int64_t row = 0; row < found.rows; ++row) {
    const float* c = found.c + row * columns;
    const float* a = found.a + row * columns;
    for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const Vec own = part.load(d, c + at);
      const Vec of_both = part.load(d, gradient + 2 * columns + at);
      Vec of_c = hn::MulAdd(of_both, part.load(d, a + at), part.load(d, gradient + at));
      const Vec of_a = hn::MulAdd(of_both, own, part.load(d, gradient + columns + at));
      if (h != nullptr) {
        const Vec of_shared = part.load(d, gradient + 3 * columns + at);
        of_c = hn::MulAdd(of_shared, part.load(d, h + at), of_c);
        part.store(hn::MulAdd(of_shared, own, part.load(d, to_h + at)), d, to_h + at);
      }
      part.store(of_c, d, to_c + at);
      part.store(of_a, d, to_a + at);
    });
    gradient += (h != nullptr ? 4 : 3) * columns;
    to_c += columns;
    to_a += columns;
  }
}

void weigh(const float* c, std::int64_t rows, std::int64_t columns, const float* w2,
           const float* w3, float* to) {
  const Floats d;
  for (std::int64_t row = 0; row < rows; ++row, c += columns, to += columns) {
    for_each_vector(columns, [&](auto part, std::int64_t at) HWY_ATTR {
      part.store(hn::MulAdd(part.load(d, w3 + at), part.load(d, c + at), part.load(d, w2 + at)), d,
                 to + at);
    });
  }
}

void weigh_backward(const WeighedRowsGradient& given) {
  const Floats d;
  const WeighedRowsGradient task = given;
  for (std::int64_t row = 0; row < task.rows; ++row) {
    const float* c = task.c + row * task.columns;
    const float* gradient = task.gradient + row * task.columns;
    float* to_c = task.to_c + row * task.columns;
    const Vec sum = hn::Set(d, task.sums == nullptr ? 0.0F : task.sums[row]);
    for_each_vector(task.columns, [&](auto part, std::int64_t at) HWY_ATTR {
      const auto add = [&](Vec a, Vec b, float* to)
                           HWY_ATTR { part.store(hn::MulAdd(a, b, part.load(d, to)), d, to); };
      const Vec own = part.load(d, c + at);
      const Vec of_row = part.load(d, gradient + at);
      part.store(hn::Add(part.load(d, task.to_w2 + at), of_row), d, task.to_w2 + at);
      add(of_row, own, task.to_w3 + at);
      add(of_row, part.load(d, task.w3 + at), to_c + at);
      if (task.sums == nullptr) return;
      add(sum, own, task.to_w1 + at);
      add(sum, part.load(d, task.w1 + at), to_c + at);
    });
  }
}

// Processes all pairs for a few columns at a time, so that the sums of a and c stay in registers.
void pair_backward(const RowPairGradient& gradient) {
  const Floats d;
  const RowPairGradient g = gradient;
  const std::int64_t size = g.pairs.size;
  for_each_vector(size, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec a = part.load(d, g.pairs.a + at);
    const Vec c = part.load(d, g.c + at);
    Vec a_sum = part.load(d, g.a_gradient + at);
    Vec c_sum = part.load(d, g.c_gradient + at);
    for (std::int64_t n = 0; n < g.pairs.count; ++n) {
      const std::int64_t row = g.pairs.others[n] * size + at;
      const Vec b = part.load(d, g.pairs.rows + row);
      const Vec product = part.load(d, g.product_gradient + n * size + at);
      const Vec slope = hn::Set(d, g.slopes[n]);
      a_sum = hn::MulAdd(product, b, a_sum);
      c_sum = hn::MulAdd(slope, b, c_sum);
      const Vec b_sum = hn::MulAdd(slope, c, part.load(d, g.row_gradient + row));
      part.store(hn::MulAdd(product, a, b_sum), d, g.row_gradient + row);
    }
    part.store(a_sum, d, g.a_gradient + at);
    part.store(c_sum, d, g.c_gradient + at);
  });
}

template <typename Part>
HWY_INLINE Vec load_floats(Part part, const float* from) {
  return part.load(Floats(), from);
}

template <typename Part>
HWY_INLINE Vec load_floats(Part part, const std::uint16_t* from) {
  return widened(part.load(hn::Rebind<std::uint16_t, Floats>(), from));
}

// Computes both sums of a row in one pass, each as two partial sums, so that additions do not wait
// for each other.
template <typename Value>
HWY_INLINE void products_of(const float* vector, std::int64_t width, const Value* values,
                            std::int64_t stride, float* products, float* scales,
                            std::int64_t rows) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t row = 0; row < rows; ++row, values += stride) {
    Vec product = hn::Zero(d);
    Vec other_product = hn::Zero(d);
    Vec square = hn::Zero(d);
    Vec other_square = hn::Zero(d);
    std::int64_t at = 0;
    for (; at + 2 * lanes <= width; at += 2 * lanes) {
      const Vec a = load_floats(WholeVector(), values + at);
      const Vec b = load_floats(WholeVector(), values + at + lanes);
      product = hn::MulAdd(a, hn::LoadU(d, vector + at), product);
      other_product = hn::MulAdd(b, hn::LoadU(d, vector + at + lanes), other_product);
      square = hn::MulAdd(a, a, square);
      other_square = hn::MulAdd(b, b, other_square);
    }
    for_each_vector(width - at, [&](auto part, std::int64_t from) HWY_ATTR {
      const Vec a = load_floats(part, values + at + from);
      product = hn::MulAdd(a, part.load(d, vector + at + from), product);
      square = hn::MulAdd(a, a, square);
    });
    products[row] = hn::GetLane(hn::SumOfLanes(d, hn::Add(product, other_product)));
    scales[row] = hn::GetLane(hn::SumOfLanes(d, hn::Add(square, other_square)));
  }
  for_each_vector(rows, [&](auto part, std::int64_t at) HWY_ATTR {
    const Vec squares = part.load(d, scales + at);
    const Vec scale = hn::Div(hn::Set(d, 1.0F), hn::Sqrt(squares));
    part.store(hn::IfThenElseZero(hn::Gt(squares, hn::Zero(d)), scale), d, scales + at);
  });
}

void products_of_floats(const float* vector, std::int64_t width, const float* values,
                        std::int64_t stride, float* products, float* scales, std::int64_t rows) {
  products_of(vector, width, values, stride, products, scales, rows);
}

void products_of_halves(const float* vector, std::int64_t width, const std::uint16_t* values,
                        std::int64_t stride, float* products, float* scales, std::int64_t rows) {
  products_of(vector, width, values, stride, products, scales, rows);
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(join);
HWY_EXPORT(join_backward);
HWY_EXPORT(weigh);
HWY_EXPORT(weigh_backward);
HWY_EXPORT(pair_backward);
HWY_EXPORT(products_of_floats);
HWY_EXPORT(products_of_halves);

void join_found(const FoundRows& found, float* to) { HWY_DYNAMIC_DISPATCH(join)(found, to); }

void join_found_backward(const FoundRows& found, const float* gradient, float* to_c, float* to_a,
                         float* to_h) {
  HWY_DYNAMIC_DISPATCH(join_backward)(found, gradient, to_c, to_a, to_h);
}

void weigh_rows(const float* c, std::int64_t rows, std::int64_t columns, const float* w2,
                const float* w3, float* to) {
  HWY_DYNAMIC_DISPATCH(weigh)(c, rows, columns, w2, w3, to);
}

void weigh_rows_backward(const WeighedRowsGradient& task) {
  HWY_DYNAMIC_DISPATCH(weigh_backward)(task);
}

void row_pair_backward(const RowPairGradient& gradient) {
  HWY_DYNAMIC_DISPATCH(pair_backward)(gradient);
}

void inner_products(std::span<const float> vector, const float* values, std::int64_t stride,
                    std::span<float> products, std::span<float> scales) {
  HWY_DYNAMIC_DISPATCH(products_of_floats)
  (vector.data(), static_cast<std::int64_t>(vector.size()), values, stride, products.data(),
   scales.data(), static_cast<std::int64_t>(products.size()));
}

void inner_products(std::span<const float> vector, const std::uint16_t* values, std::int64_t stride,
                    std::span<float> products, std::span<float> scales) {
  HWY_DYNAMIC_DISPATCH(products_of_halves)
  (vector.data(), static_cast<std::int64_t>(vector.size()), values, stride, products.data(),
   scales.data(), static_cast<std::int64_t>(products.size()));
}

}  // namespace elmo
#endif
