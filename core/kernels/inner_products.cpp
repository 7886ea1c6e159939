#include "core/kernels/inner_products.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/inner_products.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

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

HWY_EXPORT(products_of_floats);
HWY_EXPORT(products_of_halves);

void row_products(std::span<const float> vector, const float* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales) {
  HWY_DYNAMIC_DISPATCH(products_of_floats)
  (vector.data(), static_cast<std::int64_t>(vector.size()), values, stride, products.data(),
   scales.data(), static_cast<std::int64_t>(products.size()));
}

void row_products(std::span<const float> vector, const std::uint16_t* values, std::int64_t stride,
                  std::span<float> products, std::span<float> scales) {
  HWY_DYNAMIC_DISPATCH(products_of_halves)
  (vector.data(), static_cast<std::int64_t>(vector.size()), values, stride, products.data(),
   scales.data(), static_cast<std::int64_t>(products.size()));
}

}  // namespace elmo
#endif
