#include "core/kernels/byte_panels.h"

// GCC and clang 16 declare these intrinsics for functions with a target attribute.
#if defined(__aarch64__) && defined(__linux__) && (!defined(__clang__) || __clang_major__ >= 16)
#define ELMO_HAS_BYTE_PRODUCTS 1
#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#else
#define ELMO_HAS_BYTE_PRODUCTS 0
#endif

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace elmo {
namespace {

constexpr std::int64_t kPanel = 16;  // columns
constexpr std::int64_t kStep = 16;   // values of a row multiplied together
constexpr std::int64_t kTileRows = 4;

// Rows are stored in whole steps; those past the last are 0.
std::int64_t padded(std::int64_t rows) { return (rows + kStep - 1) / kStep * kStep; }

// A few rows times a panel.
struct Tile {
  const std::uint8_t* a = nullptr;  // row r at a + r · a_stride
  std::int64_t a_stride = 0;
  const std::int8_t* panel = nullptr;
  std::int64_t steps = 0;
  std::int32_t* sums = nullptr;  // [rows, kPanel]: initial values, to which the products are added
};

#if ELMO_HAS_BYTE_PRODUCTS

// 8-bit matrix products (usmmla). Armv8.6 processors such as Graviton 3 have them together with
// mixed dot products.
bool has_matrix_products() {
  static const bool has = (::getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
  return has;
}

// Dot products of four bytes (sdot), which Armv8.4 and most Armv8.2 processors have.
bool has_dot_products() {
  static const bool has = (::getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
  return has;
}

// sdot multiplies signed bytes only. Flipping a byte's highest bit subtracts 128 and makes it
// signed. Sums begin with the offsets, 128 times the sums of the weights, to compensate.
template <int kRows>
__attribute__((target("arch=armv8.2-a+dotprod"))) void add_dot_products(const Tile& tile) {
  int32x4_t sums[kRows][4];
  for (int row = 0; row < kRows; ++row) {
    for (int part = 0; part < 4; ++part) {
      sums[row][part] = vld1q_s32(tile.sums + row * kPanel + 4 * part);
    }
  }
  const int8_t* b = tile.panel;
  const uint8x16_t sign = vdupq_n_u8(0x80);
  for (std::int64_t step = 0; step < tile.steps; ++step, b += kStep * kPanel) {
    int8x16_t a[kRows];
    for (int row = 0; row < kRows; ++row) {
      const uint8x16_t bytes = vld1q_u8(tile.a + row * tile.a_stride + step * kStep);
      a[row] = vreinterpretq_s8_u8(veorq_u8(bytes, sign));
    }
    for (int part = 0; part < 4; ++part) {
      const int8x16_t b0 = vld1q_s8(b + 16 * part);
      const int8x16_t b1 = vld1q_s8(b + 16 * part + 64);
      const int8x16_t b2 = vld1q_s8(b + 16 * part + 128);
      const int8x16_t b3 = vld1q_s8(b + 16 * part + 192);
      for (int row = 0; row < kRows; ++row) {
        int32x4_t& sum = sums[row][part];
        sum = vdotq_laneq_s32(sum, b0, a[row], 0);
        sum = vdotq_laneq_s32(sum, b1, a[row], 1);
        sum = vdotq_laneq_s32(sum, b2, a[row], 2);
        sum = vdotq_laneq_s32(sum, b3, a[row], 3);
      }
    }
  }
  for (int row = 0; row < kRows; ++row) {
    for (int part = 0; part < 4; ++part) {
      vst1q_s32(tile.sums + row * kPanel + 4 * part, sums[row][part]);
    }
  }
}

// usmmla multiplies two rows of eight unsigned bytes with two columns of eight signed ones, and
// adds the four sums to [row 0 column 0, row 0 column 1, row 1 column 0, row 1 column 1].
template <int kRows>
__attribute__((target("arch=armv8.2-a+i8mm"))) void add_matrix_products(const Tile& tile) {
  constexpr int kPairs = (kRows + 1) / 2;
  int32x4_t sums[kPairs][8];
  for (int pair = 0; pair < kPairs; ++pair) {
    const std::int32_t* first = tile.sums + 2 * pair * kPanel;
    const std::int32_t* second = 2 * pair + 1 < kRows ? first + kPanel : first;
    for (int part = 0; part < 8; ++part) {
      sums[pair][part] = vcombine_s32(vld1_s32(first + 2 * part), vld1_s32(second + 2 * part));
    }
  }
  const int8_t* b = tile.panel;
  for (std::int64_t step = 0; step < tile.steps; ++step, b += kStep * kPanel) {
    uint8x16_t low[kPairs];
    uint8x16_t high[kPairs];
    for (int pair = 0; pair < kPairs; ++pair) {
      const std::uint8_t* first = tile.a + 2 * pair * tile.a_stride + step * kStep;
      const uint64x2_t upper = vreinterpretq_u64_u8(vld1q_u8(first));
      const uint64x2_t lower =
          vreinterpretq_u64_u8(vld1q_u8(2 * pair + 1 < kRows ? first + tile.a_stride : first));
      low[pair] = vreinterpretq_u8_u64(vzip1q_u64(upper, lower));
      high[pair] = vreinterpretq_u8_u64(vzip2q_u64(upper, lower));
    }
    for (int part = 0; part < 8; ++part) {
      const int8x16_t b0 = vld1q_s8(b + 16 * part);
      const int8x16_t b1 = vld1q_s8(b + 16 * part + 128);
      for (int pair = 0; pair < kPairs; ++pair) {
        int32x4_t& sum = sums[pair][part];
        sum = vusmmlaq_s32(sum, low[pair], b0);
        sum = vusmmlaq_s32(sum, high[pair], b1);
      }
    }
  }
  for (int pair = 0; pair < kPairs; ++pair) {
    std::int32_t* first = tile.sums + 2 * pair * kPanel;
    for (int part = 0; part < 8; ++part) {
      vst1_s32(first + 2 * part, vget_low_s32(sums[pair][part]));
      if (2 * pair + 1 < kRows) {
        vst1_s32(first + kPanel + 2 * part, vget_high_s32(sums[pair][part]));
      }
    }
  }
}

template <int kRows>
void add_products(const Tile& tile) {
  if (has_matrix_products()) {
    add_matrix_products<kRows>(tile);
  } else {
    add_dot_products<kRows>(tile);
  }
}

void add_products(const Tile& tile, std::int64_t rows) {
  switch (rows) {
    case 1:
      return add_products<1>(tile);
    case 2:
      return add_products<2>(tile);
    case 3:
      return add_products<3>(tile);
    default:
      return add_products<4>(tile);
  }
}

#else

bool has_matrix_products() { return false; }
bool has_dot_products() { return false; }

void add_products(const Tile& /*tile*/, std::int64_t /*rows*/) {
  throw std::logic_error("this processor multiplies no bytes");
}

#endif

// Number of values of a row that one instruction multiplies with as many of a column.
std::int64_t group_size() { return has_matrix_products() ? 8 : 4; }

}  // namespace

bool BytePanels::is_supported() { return has_matrix_products() || has_dot_products(); }

BytePanels::BytePanels(const std::int8_t* values, std::int64_t rows, std::int64_t columns,
                       std::span<const std::int32_t> offsets)
    : rows_(rows), columns_(columns) {
  const std::int64_t panels = (columns + kPanel - 1) / kPanel;
  const std::int64_t group = group_size();
  values_.resize(static_cast<std::size_t>(panels * kPanel * padded(rows)), 0);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t panel = column / kPanel * kPanel * padded(rows);
      const std::int64_t at = (row / group * kPanel + column % kPanel) * group + row % group;
      values_[static_cast<std::size_t>(panel + at)] = values[row * columns + column];
    }
  }
  if (!has_matrix_products()) offsets_.assign(offsets.begin(), offsets.end());
}

void BytePanels::multiply(const std::uint8_t* a, std::int64_t rows, std::int32_t* c,
                          bool accumulate) const {
  const std::int64_t depth = padded(rows_);
  AlignedVector<std::uint8_t> copy;
  if (depth != rows_) {
    copy.resize(static_cast<std::size_t>(rows * depth), 0);
    for (std::int64_t row = 0; row < rows; ++row) {
      std::copy_n(a + row * rows_, rows_, copy.data() + row * depth);
    }
    a = copy.data();
  }
  for (std::int64_t first = 0; first < columns_; first += kPanel) {
    const std::int64_t width = std::min(kPanel, columns_ - first);
    for (std::int64_t row = 0; row < rows; row += kTileRows) {
      const std::int64_t count = std::min(kTileRows, rows - row);
      std::int32_t sums[kTileRows * kPanel] = {};
      std::int32_t* to = c + row * columns_ + first;
      for (std::int64_t r = 0; r < count; ++r) {
        std::int32_t* begin = sums + r * kPanel;
        if (accumulate) std::copy_n(to + r * columns_, width, begin);
        if (offsets_.empty()) continue;
        std::transform(begin, begin + width, offsets_.data() + first, begin, std::plus<>());
      }
      add_products({a + row * depth, depth, values_.data() + first * depth, depth / kStep, sums},
                   count);
      for (std::int64_t r = 0; r < count; ++r) {
        std::copy_n(sums + r * kPanel, width, to + r * columns_);
      }
    }
  }
}

}  // namespace elmo
