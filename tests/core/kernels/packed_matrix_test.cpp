#include "core/kernels/packed_matrix.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/resources.h"
#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

constexpr std::int64_t kExtraColumns = 3;  // columns in a row of weights beyond the packed ones

float widen(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

// Weights [k, n + kExtraColumns], n columns of which are packed, and inputs [rows, k].
struct ProductTask {
  ProductTask(std::int64_t row_count, std::int64_t inner, std::int64_t columns)
      : rows(row_count),
        k(inner),
        n(columns),
        weights(normal_numbers(inner * (columns + kExtraColumns), 0.1F, 1)),
        inputs(normal_numbers(row_count * inner, 1.0F, 2)) {}

  PackedMatrix pack(Precision precision) const {
    WeightMemory memory;
    return {weights.data(), k, n, n + kExtraColumns, precision, memory};
  }
  float weight(std::int64_t at, std::int64_t column) const {
    return weights[static_cast<std::size_t>(at * (n + kExtraColumns) + column)];
  }

  // Σ_k input(row, k) · weight(k, n), in double precision.
  template <typename Input, typename Weight>
  DoubleNumbers product(Input input, Weight weight_at) const {
    DoubleNumbers sums;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < n; ++column) {
        double sum = 0;
        for (std::int64_t at = 0; at < k; ++at) sum += input(row * k + at) * weight_at(at, column);
        sums.push_back(sum);
      }
    }
    return sums;
  }

  std::int64_t rows;
  std::int64_t k;
  std::int64_t n;
  FloatNumbers weights;
  FloatNumbers inputs;
};

template <typename Body>
void for_each_shape(Body body) {
  for (const std::int64_t rows : {0, 1, 2, 5, 17, 33, 100}) {
    for (const auto& [k, n] :
         {std::pair{1, 1}, std::pair{8, 3}, std::pair{64, 48}, std::pair{37, 130}}) {
      CAPTURE(rows);
      CAPTURE(k);
      CAPTURE(n);
      body(ProductTask(rows, k, n));
    }
  }
}

// Returns the workspace's product of inputs of some type. Inputs are padded as the workspace
// requires. The padding of `c`, and all of `c` if results are added, first hold `before`.
template <typename Output, typename Input>
std::vector<Output> workspace_product(const ProductTask& task, const PackedMatrix& packed,
                                      const std::vector<Input>& inputs, bool accumulate,
                                      Output before) {
  const std::int64_t padded = GemmWorkspace::padded_rows(task.rows);
  AlignedVector<Input> a(static_cast<std::size_t>(padded * task.k), Input{});
  std::copy(inputs.begin(), inputs.end(), a.begin());
  AlignedVector<Output> c(static_cast<std::size_t>(padded * task.n), before);
  GemmWorkspace workspace;
  workspace.multiply(a.data(), packed, c.data(), task.rows, accumulate);
  return {c.begin(), c.begin() + task.rows * task.n};
}

TEST_CASE("products in float32, alone and accumulated") {
  for_each_shape([](const ProductTask& task) {
    const PackedMatrix packed = task.pack(Precision::float32);
    CHECK(packed.rows() == task.k);
    CHECK(packed.columns() == task.n);
    DoubleNumbers expected = task.product(
        [&](std::int64_t at) { return double{task.inputs[static_cast<std::size_t>(at)]}; },
        [&](std::int64_t at, std::int64_t column) { return double{task.weight(at, column)}; });
    CHECK(largest_difference(workspace_product(task, packed, task.inputs, false, 7.0F), expected) <
          1e-5);
    for (double& value : expected) value += 7.0;
    CHECK(largest_difference(workspace_product(task, packed, task.inputs, true, 7.0F), expected) <
          1e-5);
  });
}

TEST_CASE("products in bfloat16 match those of the rounded numbers") {
  if (!is_supported(Precision::bfloat16)) return;
  for_each_shape([](const ProductTask& task) {
    const auto round = [](const FloatNumbers& values) {
      std::vector<std::uint16_t> bits(values.size());
      to_bfloat16(values, bits);
      return bits;
    };
    const std::vector<std::uint16_t> inputs = round(task.inputs);
    const std::vector<std::uint16_t> weights = round(task.weights);
    const DoubleNumbers expected = task.product(
        [&](std::int64_t at) { return double{widen(inputs[static_cast<std::size_t>(at)])}; },
        [&](std::int64_t at, std::int64_t column) {
          return double{
              widen(weights[static_cast<std::size_t>(at * (task.n + kExtraColumns) + column)])};
        });
    CHECK(largest_difference(
              workspace_product(task, task.pack(Precision::bfloat16), inputs, false, 7.0F),
              expected) < 1e-4);
  });
}

TEST_CASE("products in int8 are exact sums of the quantized numbers") {
  if (!is_supported(Precision::int8)) return;
  for_each_shape([](const ProductTask& task) {
    const PackedMatrix packed = task.pack(Precision::int8);
    REQUIRE(packed.scales().size() == static_cast<std::size_t>(task.n));
    std::vector<std::uint8_t> inputs;
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      inputs.push_back(static_cast<std::uint8_t>(i * 37 % 256));
    }
    // Column scales are as documented: the largest weight of a column becomes 127.
    std::vector<std::int32_t> quantized;
    std::vector<std::int32_t> offsets(static_cast<std::size_t>(task.n), 0);
    for (std::int64_t column = 0; column < task.n; ++column) {
      float largest = 0;
      for (std::int64_t at = 0; at < task.k; ++at) {
        largest = std::max(largest, std::fabs(task.weight(at, column)));
      }
      CHECK(packed.scales()[static_cast<std::size_t>(column)] == largest / 127.0F);
    }
    for (std::int64_t at = 0; at < task.k; ++at) {
      for (std::int64_t column = 0; column < task.n; ++column) {
        const float scale = packed.scales()[static_cast<std::size_t>(column)];
        quantized.push_back(
            static_cast<std::int32_t>(std::lround(task.weight(at, column) / scale)));
        offsets[static_cast<std::size_t>(column)] += 128 * quantized.back();
      }
    }
    CHECK(std::equal(offsets.begin(), offsets.end(), packed.offsets().begin()));
    const DoubleNumbers expected =
        task.product([&](std::int64_t at) { return double(inputs[static_cast<std::size_t>(at)]); },
                     [&](std::int64_t at, std::int64_t column) {
                       return double(quantized[static_cast<std::size_t>(at * task.n + column)]);
                     });
    const std::vector<std::int32_t> found =
        workspace_product(task, packed, inputs, false, std::int32_t{7});
    CHECK(DoubleNumbers(found.begin(), found.end()) == expected);
  });
}

TEST_CASE("a row's result does not depend on the padding") {
  const ProductTask task(5, 40, 24);
  const PackedMatrix packed = task.pack(Precision::float32);
  const std::int64_t padded = GemmWorkspace::padded_rows(task.rows);
  REQUIRE(padded > task.rows);
  GemmWorkspace workspace;
  std::vector<FloatNumbers> results;
  for (const float padding : {0.0F, 1e30F}) {
    AlignedVector<float> a(static_cast<std::size_t>(padded * task.k), padding);
    std::copy(task.inputs.begin(), task.inputs.end(), a.begin());
    AlignedVector<float> c(static_cast<std::size_t>(padded * task.n));
    workspace.multiply(a.data(), packed, c.data(), task.rows, false);
    results.emplace_back(c.begin(), c.begin() + task.rows * task.n);
  }
  CHECK(results[0] == results[1]);
}

// Checks that a row's result among `count` rows has the same bits as among `task.rows`. The numbers
// of rows in packed_matrix.cpp rely on this. If it fails for a version of oneDNN or a CPU, choose
// them again.
template <typename Output, typename Input>
void check_company(const ProductTask& task, Precision precision, const std::vector<Input>& inputs) {
  const PackedMatrix packed = task.pack(precision);
  for (const bool accumulate : {false, true}) {
    const auto all = workspace_product(task, packed, inputs, accumulate, Output{7});
    for (const std::int64_t first : {0, 1, 5, 47}) {
      for (const std::int64_t count : {1,  2,  3,  4,  5,  6,  7,  11, 12, 13, 16,  17,  24,
                                       25, 31, 32, 33, 47, 48, 49, 60, 64, 65, 100, 192, 250}) {
        ProductTask fewer(0, task.k, 0);
        fewer.rows = count;
        fewer.n = task.n;
        CAPTURE(first);
        CAPTURE(count);
        CAPTURE(accumulate);
        const auto begin = inputs.begin() + first * task.k;
        const auto found =
            workspace_product(fewer, packed, std::vector<Input>(begin, begin + count * task.k),
                              accumulate, Output{7});
        CHECK(std::equal(found.begin(), found.end(), all.begin() + first * task.n));
      }
    }
  }
}

// `inner` and `columns` are those of the weights.
void check_company_of_all_precisions(std::int64_t inner, std::int64_t columns) {
  CAPTURE(inner);
  CAPTURE(columns);
  const ProductTask task(300, inner, columns);
  check_company<float>(task, Precision::float32, task.inputs);
  if (is_supported(Precision::bfloat16)) {
    std::vector<std::uint16_t> bits(task.inputs.size());
    to_bfloat16(task.inputs, bits);
    check_company<float>(task, Precision::bfloat16, bits);
  }
  if (is_supported(Precision::int8)) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < task.inputs.size(); ++i) {
      bytes.push_back(static_cast<std::uint8_t>(i * 37 % 256));
    }
    check_company<std::int32_t>(task, Precision::int8, bytes);
  }
}

TEST_CASE("a row's result does not depend on the number of rows") {
  for (const auto& [inner, columns] : {std::pair{64, 32}, std::pair{100, 37}, std::pair{16, 128}}) {
    check_company_of_all_precisions(inner, columns);
  }
}

TEST_CASE("a row's result does not depend on the number of rows, large matrices") {
  for (const auto& [inner, columns] :
       {std::pair{512, 256}, std::pair{256, 1024}, std::pair{1600, 160}, std::pair{4096, 64}}) {
    check_company_of_all_precisions(inner, columns);
  }
}

TEST_CASE("a row's result does not depend on the number of rows, for any number of columns") {
  constexpr std::int64_t kRows = 60;
  for (const std::int64_t inner : {5, 21, 128}) {
    for (const std::int64_t columns : {1, 2, 3, 5, 8, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80}) {
      for (unsigned seed = 0; seed < 20; ++seed) {
        CAPTURE(inner);
        CAPTURE(columns);
        CAPTURE(seed);
        const FloatNumbers weights = normal_numbers(inner * columns, 0.1F, seed);
        const FloatNumbers inputs = normal_numbers(kRows * inner, 1.0F, 100 + seed);
        WeightMemory memory;
        const PackedMatrix packed(weights.data(), inner, columns, columns, Precision::float32,
                                  memory);
        GemmWorkspace workspace;
        const auto rows_of = [&](std::int64_t first, std::int64_t rows) {
          const std::int64_t padded = GemmWorkspace::padded_rows(rows);
          FloatNumbers some(static_cast<std::size_t>(padded * inner));
          std::copy_n(inputs.begin() + first * inner, rows * inner, some.begin());
          FloatNumbers sums(static_cast<std::size_t>(padded * columns));
          workspace.multiply(some.data(), packed, sums.data(), rows, false);
          sums.resize(static_cast<std::size_t>(rows * columns));
          return sums;
        };
        const FloatNumbers all = rows_of(0, kRows);
        for (const std::int64_t rows : {1, 2, 4, 5, 6, 7, 13, 29}) {
          for (std::int64_t first = 0; first + rows <= kRows; first += rows) {
            const FloatNumbers some = rows_of(first, rows);
            REQUIRE(std::equal(some.begin(), some.end(), all.begin() + first * columns));
          }
        }
      }
    }
  }
}

TEST_CASE("zero weights do not decide how few rows of other weights are summed") {
  const ProductTask task(100, 1600, 64);
  const PackedMatrix packed = task.pack(Precision::float32);
  GemmWorkspace workspace;
  const auto rows_of = [&](const PackedMatrix& weights, std::int64_t rows) {
    std::vector<float> sums(static_cast<std::size_t>(rows * task.n));
    workspace.multiply(task.inputs.data(), weights, sums.data(), rows, false);
    return sums;
  };
  const std::vector<float> nothing(static_cast<std::size_t>(task.k * task.n), 0.0F);
  WeightMemory memory;
  rows_of(PackedMatrix(nothing.data(), task.k, task.n, task.n, Precision::float32, memory), 1);
  const std::vector<float> among = rows_of(packed, 96);
  const std::vector<float> alone = rows_of(packed, 1);
  CHECK(std::equal(alone.begin(), alone.end(), among.begin()));
}

TEST_CASE("products of every precision match plain sums, row by row") {
  std::mt19937 generator(7);
  std::normal_distribution<float> normal;
  const std::int64_t inner = 96;
  const std::int64_t columns = 64;
  std::vector<float> weights(static_cast<std::size_t>(inner * columns));
  for (float& value : weights) value = normal(generator) * 0.1F;
  GemmWorkspace workspace;
  for (const std::int64_t rows : {1, 3, 7, 33, 130}) {
    const std::int64_t padded = GemmWorkspace::padded_rows(rows);
    REQUIRE(padded >= rows);
    AlignedVector<float> a(static_cast<std::size_t>(padded * inner), 0.0F);
    for (std::int64_t i = 0; i < rows * inner; ++i)
      a[static_cast<std::size_t>(i)] = normal(generator);
    std::vector<double> expected(static_cast<std::size_t>(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t n = 0; n < columns; ++n) {
        double& sum = expected[static_cast<std::size_t>(row * columns + n)];
        for (std::int64_t k = 0; k < inner; ++k) {
          sum += double{a[static_cast<std::size_t>(row * inner + k)]} *
                 double{weights[static_cast<std::size_t>(k * columns + n)]};
        }
      }
    }
    const auto largest_error = [&](const float* found) {
      double largest = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::fabs(expected[i] - double{found[i]}));
      }
      return largest;
    };

    WeightMemory memory;
    const PackedMatrix packed(weights.data(), inner, columns, columns, Precision::float32, memory);
    AlignedVector<float> c(static_cast<std::size_t>(padded * columns));
    workspace.multiply(a.data(), packed, c.data(), rows, false);
    CHECK(largest_error(c.data()) < 1e-5);
    workspace.multiply(a.data(), packed, c.data(), rows, true);
    for (float& value : c) value /= 2;
    CHECK(largest_error(c.data()) < 1e-5);

    if (is_supported(Precision::int8)) {
      const PackedMatrix quantized(weights.data(), inner, columns, columns, Precision::int8,
                                   memory);
      AlignedVector<std::uint8_t> bytes(a.size(), 0);
      std::vector<float> scales(static_cast<std::size_t>(padded), 0.0F);
      quantize_rows(a.data(), rows, inner, inner, bytes.data(), scales.data());
      AlignedVector<std::int32_t> sums(c.size());
      workspace.multiply(bytes.data(), quantized, sums.data(), rows, false);
      dequantize_sums(sums.data(), scales.data(), quantized.scales().data(),
                      quantized.offsets().data(), rows, columns, c.data());
      CHECK(largest_error(c.data()) < 0.05);
    }
  }
}

TEST_CASE("weights are packed side by side and outlive the object that allocated them") {
  auto memory = std::make_unique<WeightMemory>();
  const std::shared_ptr<std::byte> first = memory->allocate(100);
  const std::shared_ptr<std::byte> second = memory->allocate(1);
  CHECK(reinterpret_cast<std::uintptr_t>(first.get()) % kHugePage == 0);
  CHECK(second.get() == first.get() + 128);
  const std::shared_ptr<std::byte> large = memory->allocate(100 * kHugePage);
  memory.reset();
  std::fill_n(first.get(), 100, std::byte{1});
  std::fill_n(large.get(), 100 * kHugePage, std::byte{2});
  CHECK(first.get()[99] == std::byte{1});
}

TEST_CASE("only the first weights of a large model are in huge pages") {
  WeightMemory memory;
  std::vector<std::shared_ptr<std::byte>> parts;
  const auto give = [&](std::size_t bytes) { return parts.emplace_back(memory.allocate(bytes)); };
  constexpr std::size_t kPart = kHugePage / 4;
  for (std::size_t given = 0; given < WeightMemory::kHugeWeights; given += kPart) give(kPart);
  // Parts that follow each other in a buffer are adjacent, those with one of their own are not.
  CHECK(parts[1].get() == parts[0].get() + kPart);
  const std::shared_ptr<std::byte> first = give(kPart);
  const std::shared_ptr<std::byte> second = give(kPart);
  CHECK(second.get() != first.get() + kPart);
}

TEST_CASE("a matrix larger than a buffer does not end the buffer of the small ones") {
  WeightMemory memory;
  const std::shared_ptr<std::byte> first = memory.allocate(64);
  const std::shared_ptr<std::byte> large = memory.allocate(100 * kHugePage);
  CHECK(memory.allocate(64).get() == first.get() + 64);
}

TEST_CASE("an int8 matrix whose sums could exceed 32 bits is refused") {
  if (!is_supported(Precision::int8)) return;
  AlignedVector<float> weights(static_cast<std::size_t>(kMaxQuantizedRows + 1), 1.0F);
  WeightMemory memory;
  CHECK_THROWS_AS(
      PackedMatrix(weights.data(), kMaxQuantizedRows + 1, 1, 1, Precision::int8, memory),
      RequestError);

  // The largest sum that fits: all inputs 255, all weights 127.
  const PackedMatrix packed(weights.data(), kMaxQuantizedRows, 1, 1, Precision::int8, memory);
  const AlignedVector<std::uint8_t> a(static_cast<std::size_t>(kMaxQuantizedRows), 255);
  std::int32_t sum = 0;
  GemmWorkspace workspace;
  workspace.multiply(a.data(), packed, &sum, 1, false);
  CHECK(sum == kMaxQuantizedRows * 255 * 127);
}

}  // namespace
}  // namespace elmo
