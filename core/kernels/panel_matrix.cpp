#include "core/kernels/panel_matrix.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/panel_matrix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kTileVectors = 4;
// The sums of a tile stay in registers: 16 vectors with 32 registers, else 8.
constexpr std::int64_t kTileRows = HWY_ARCH_X86 && HWY_TARGET > HWY_AVX3 ? 2 : 4;

// The first kVectors vectors of one row of a tile: load, add and store.
template <int kVectors>
HWY_INLINE void load_row(const float* from, Vec& sum0, Vec& sum1, Vec& sum2, Vec& sum3) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  sum0 = hn::LoadU(d, from);
  if constexpr (kVectors > 1) sum1 = hn::LoadU(d, from + lanes);
  if constexpr (kVectors > 2) sum2 = hn::LoadU(d, from + 2 * lanes);
  if constexpr (kVectors > 3) sum3 = hn::LoadU(d, from + 3 * lanes);
}

template <int kVectors>
HWY_INLINE void add_row(Vec factor, Vec b0, Vec b1, Vec b2, Vec b3, Vec& sum0, Vec& sum1, Vec& sum2,
                        Vec& sum3) {
  sum0 = hn::MulAdd(factor, b0, sum0);
  if constexpr (kVectors > 1) sum1 = hn::MulAdd(factor, b1, sum1);
  if constexpr (kVectors > 2) sum2 = hn::MulAdd(factor, b2, sum2);
  if constexpr (kVectors > 3) sum3 = hn::MulAdd(factor, b3, sum3);
}

template <int kVectors>
HWY_INLINE void store_row(Vec sum0, Vec sum1, Vec sum2, Vec sum3, float* to) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::StoreU(sum0, d, to);
  if constexpr (kVectors > 1) hn::StoreU(sum1, d, to + lanes);
  if constexpr (kVectors > 2) hn::StoreU(sum2, d, to + 2 * lanes);
  if constexpr (kVectors > 3) hn::StoreU(sum3, d, to + 3 * lanes);
}

// Computes kRows rows of c, with kVectors vectors each, from vector `first` of the panels on. Each
// sum runs over the depth in the same order for every tile size.
template <int kRows, int kVectors>
HWY_INLINE void add_tile(const PanelProduct& product, const float* a, std::int64_t first, float* c,
                         std::int64_t c_stride) {
  const Floats d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t per_panel = kPanelColumns / lanes;
  const auto panel = [&](std::int64_t vector) {
    const std::int64_t at = first + std::min<std::int64_t>(vector, kVectors - 1);
    return product.panels + at / per_panel * product.panel_size + at % per_panel * lanes;
  };
  const float* panel0 = panel(0);
  const float* panel1 = panel(1);
  const float* panel2 = panel(2);
  const float* panel3 = panel(3);
  const float* a1 = a + product.a_stride;
  const float* a2 = a1 + product.a_stride;
  const float* a3 = a2 + product.a_stride;
  Vec sum00 = hn::Zero(d), sum01 = sum00, sum02 = sum00, sum03 = sum00;
  Vec sum10 = sum00, sum11 = sum00, sum12 = sum00, sum13 = sum00;
  Vec sum20 = sum00, sum21 = sum00, sum22 = sum00, sum23 = sum00;
  Vec sum30 = sum00, sum31 = sum00, sum32 = sum00, sum33 = sum00;
  if (product.accumulate) {
    load_row<kVectors>(c, sum00, sum01, sum02, sum03);
    if constexpr (kRows > 1) load_row<kVectors>(c + c_stride, sum10, sum11, sum12, sum13);
    if constexpr (kRows > 2) load_row<kVectors>(c + 2 * c_stride, sum20, sum21, sum22, sum23);
    if constexpr (kRows > 3) load_row<kVectors>(c + 3 * c_stride, sum30, sum31, sum32, sum33);
  }
  const auto add = [&](std::int64_t k, Vec x0, Vec x1, Vec x2, Vec x3) HWY_ATTR {
    const Vec b0 = hn::LoadU(d, panel0 + k * kPanelColumns);
    const Vec b1 = hn::LoadU(d, panel1 + k * kPanelColumns);
    const Vec b2 = hn::LoadU(d, panel2 + k * kPanelColumns);
    const Vec b3 = hn::LoadU(d, panel3 + k * kPanelColumns);
    add_row<kVectors>(x0, b0, b1, b2, b3, sum00, sum01, sum02, sum03);
    if constexpr (kRows > 1) add_row<kVectors>(x1, b0, b1, b2, b3, sum10, sum11, sum12, sum13);
    if constexpr (kRows > 2) add_row<kVectors>(x2, b0, b1, b2, b3, sum20, sum21, sum22, sum23);
    if constexpr (kRows > 3) add_row<kVectors>(x3, b0, b1, b2, b3, sum30, sum31, sum32, sum33);
  };
  std::int64_t k = 0;
#if HWY_ARCH_ARM_A64
  // Products by a lane of another vector cost nothing extra, so one load serves four of them.
  const auto four = [&](const float* row, int rows)
                        HWY_ATTR { return hn::LoadDup128(d, kRows > rows ? row + k : a + k); };
  for (; k + 4 <= product.depth; k += 4) {
    const Vec x0 = four(a, 0), x1 = four(a1, 1), x2 = four(a2, 2), x3 = four(a3, 3);
    add(k, hn::Broadcast<0>(x0), hn::Broadcast<0>(x1), hn::Broadcast<0>(x2), hn::Broadcast<0>(x3));
    add(k + 1, hn::Broadcast<1>(x0), hn::Broadcast<1>(x1), hn::Broadcast<1>(x2),
        hn::Broadcast<1>(x3));
    add(k + 2, hn::Broadcast<2>(x0), hn::Broadcast<2>(x1), hn::Broadcast<2>(x2),
        hn::Broadcast<2>(x3));
    add(k + 3, hn::Broadcast<3>(x0), hn::Broadcast<3>(x1), hn::Broadcast<3>(x2),
        hn::Broadcast<3>(x3));
  }
#endif
  const auto one = [&](const float* row, int rows)
                       HWY_ATTR { return hn::Set(d, kRows > rows ? row[k] : 0.0F); };
  for (; k < product.depth; ++k) add(k, one(a, 0), one(a1, 1), one(a2, 2), one(a3, 3));
  store_row<kVectors>(sum00, sum01, sum02, sum03, c);
  if constexpr (kRows > 1) store_row<kVectors>(sum10, sum11, sum12, sum13, c + c_stride);
  if constexpr (kRows > 2) store_row<kVectors>(sum20, sum21, sum22, sum23, c + 2 * c_stride);
  if constexpr (kRows > 3) store_row<kVectors>(sum30, sum31, sum32, sum33, c + 3 * c_stride);
}

// Computes kRows rows from `row` on. If the columns end within the last vector, uses a copy padded
// to full vectors.
template <int kRows, int kVectors>
HWY_INLINE void add_rows(const PanelProduct& product, std::int64_t row, std::int64_t first) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const float* a = product.a + row * product.a_stride;
  float* c = product.c + row * product.c_stride + first * lanes;
  const std::int64_t columns = product.columns - first * lanes;
  if (columns >= kVectors * lanes) {
    add_tile<kRows, kVectors>(product, a, first, c, product.c_stride);
    return;
  }
  HWY_ALIGN float copy[kRows * kTileVectors * kPanelColumns] = {};
  constexpr std::int64_t kStride = kTileVectors * kPanelColumns;
  for (int r = 0; r < kRows && product.accumulate; ++r) {
    std::copy_n(c + r * product.c_stride, columns, copy + r * kStride);
  }
  add_tile<kRows, kVectors>(product, a, first, copy, kStride);
  for (int r = 0; r < kRows; ++r) {
    std::copy_n(copy + r * kStride, columns, c + r * product.c_stride);
  }
}

template <int kVectors>
void add_columns(const PanelProduct& product, std::int64_t first) {
  std::int64_t row = 0;
  if constexpr (kTileRows > 2) {
    for (; row + 4 <= product.m; row += 4) add_rows<4, kVectors>(product, row, first);
    if (row + 3 == product.m) {
      add_rows<3, kVectors>(product, row, first);
      return;
    }
  }
  for (; row + 2 <= product.m; row += 2) add_rows<2, kVectors>(product, row, first);
  if (row < product.m) add_rows<1, kVectors>(product, row, first);
}

void add_product(const PanelProduct& product) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
  const std::int64_t vectors = (product.columns + lanes - 1) / lanes;
  const std::int64_t tiles = (vectors + kTileVectors - 1) / kTileVectors;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t first = vectors * tile / tiles;
    switch (vectors * (tile + 1) / tiles - first) {
      case 1:
        add_columns<1>(product, first);
        break;
      case 2:
        add_columns<2>(product, first);
        break;
      case 3:
        add_columns<3>(product, first);
        break;
      default:
        add_columns<4>(product, first);
        break;
    }
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(add_product);

namespace {

// Number of panel rows multiplied at once, so that the rows of a tile stay in the L1 cache.
constexpr std::int64_t kPanelDepth = 128;

}  // namespace

void PanelMatrix::set(ConstFloatView b) {
  rows_ = b.rows;
  columns_ = b.columns;
  const std::int64_t panels = (columns_ + kPanelColumns - 1) / kPanelColumns;
  values_.resize(static_cast<std::size_t>(panels * rows_ * kPanelColumns));
  const std::int64_t row_step = b.is_transposed ? 1 : b.stride;
  const std::int64_t column_step = b.is_transposed ? b.stride : 1;
  for (std::int64_t first = 0; first < columns_; first += kPanelColumns) {
    const std::int64_t count = std::min(kPanelColumns, columns_ - first);
    float* panel = values_.data() + first * rows_;
    for (std::int64_t row = 0; row < rows_; ++row) {
      const float* from = b.values + row * row_step + first * column_step;
      float* to = panel + row * kPanelColumns;
      for (std::int64_t column = 0; column < count; ++column) {
        to[column] = from[column * column_step];
      }
      std::fill(to + count, to + kPanelColumns, 0.0F);
    }
  }
}

void PanelMatrix::multiply(ConstFloatView a, FloatView c, bool accumulate) const {
  for (std::int64_t first = 0; first < rows_; first += kPanelDepth) {
    HWY_DYNAMIC_DISPATCH(add_product)
    ({a.values + first, a.stride, a.rows, values_.data() + first * kPanelColumns,
      rows_ * kPanelColumns, std::min(kPanelDepth, rows_ - first), c.values, c.stride, columns_,
      accumulate || first > 0});
  }
}

}  // namespace elmo
#endif
