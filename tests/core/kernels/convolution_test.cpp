#include "core/kernels/convolution.h"

#include <doctest/doctest.h>

#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("convolutions match plain sums, for several banks and lengths in one workspace") {
  constexpr std::int64_t kDim = 5;
  ConvolutionWorkspace workspace;
  for (const auto& [width, filters] : {std::pair{1, 4}, std::pair{3, 17}, std::pair{7, 32}}) {
    const FloatNumbers weights = normal_numbers(width * kDim * filters, 1.0F, 1);
    const FloatNumbers bias = normal_numbers(filters, 1.0F, 2);
    const Convolution bank(weights.data(), bias.data(), width, kDim, filters);
    CHECK(bank.width() == width);
    CHECK(bank.filters() == filters);
    for (const std::int64_t length :
         {std::int64_t{7}, std::int64_t{16}, std::int64_t{50}, std::int64_t{7}}) {
      CAPTURE(width);
      CAPTURE(length);
      const std::int64_t positions = length - width + 1;
      const FloatNumbers from = normal_numbers(kConvolutionTokens * length * kDim, 1.0F, 3);
      DoubleNumbers expected;
      for (std::int64_t token = 0; token < kConvolutionTokens; ++token) {
        for (std::int64_t p = 0; p < positions; ++p) {
          for (std::int64_t f = 0; f < filters; ++f) {
            double sum{bias[static_cast<std::size_t>(f)]};
            for (std::int64_t i = 0; i < width * kDim; ++i) {
              sum += double{from[static_cast<std::size_t>((token * length + p) * kDim + i)]} *
                     double{weights[static_cast<std::size_t>(i * filters + f)]};
            }
            expected.push_back(sum);
          }
        }
      }
      FloatNumbers to(expected.size());
      workspace.convolve(from.data(), bank, length, to.data());
      CHECK(largest_difference(to, expected) < 1e-5);
    }
  }
}

TEST_CASE("a bank is not mistaken for an earlier one at the same address") {
  // Each value most likely has the position of the one before it.
  ConvolutionWorkspace workspace;
  const FloatNumbers from(kConvolutionTokens * 2, 1.0F);
  for (int i = 1; i <= 20; ++i) {
    const float weight = static_cast<float>(i);
    const float bias = 0.5F;
    const Convolution bank(&weight, &bias, 1, 1, 1);
    FloatNumbers to(kConvolutionTokens * 2);
    workspace.convolve(from.data(), bank, 2, to.data());
    CHECK(to.front() == weight + bias);
  }
}

}  // namespace
}  // namespace elmo
