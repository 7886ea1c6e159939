#include "core/kernels/row_pairs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/row_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

void pair_products(const RowPairs& pairs, float* to) {
  const Floats d;
  for (std::int64_t n = 0; n < pairs.count; ++n) {
    const float* a = pairs.a;
    const float* b = pairs.rows + pairs.others[n] * pairs.size;
    float* product = to + n * pairs.size;
    for_each_vector(pairs.size, [&](auto part, std::int64_t at) HWY_ATTR {
      part.store(hn::Mul(part.load(d, a + at), part.load(d, b + at)), d, product + at);
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

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(pair_products);
HWY_EXPORT(pair_backward);

void row_pair_products(const RowPairs& pairs, float* to) {
  HWY_DYNAMIC_DISPATCH(pair_products)(pairs, to);
}

void row_pair_backward(const RowPairGradient& gradient) {
  HWY_DYNAMIC_DISPATCH(pair_backward)(gradient);
}

}  // namespace elmo
#endif
