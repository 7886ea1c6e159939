#include "core/nn/layer.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/core/kernels/numbers.h"

namespace elmo {
namespace {

TEST_CASE("shares are summed in their order, by any number of workers") {
  constexpr std::int64_t kSize = 200'000;
  std::vector<FloatNumbers> parts;
  for (std::uint32_t seed = 0; seed < 3; ++seed) {
    parts.push_back(normal_numbers(kSize, 1.0F, seed));
  }
  for (const int count : {1, 2, 5}) {
    CAPTURE(count);
    Workers workers(count);
    Parameter large("large", {kSize});
    Parameter alone("alone", {2});
    std::vector<GradientShare> shares{GradientShare(true), GradientShare(false),
                                      GradientShare(false)};
    for (std::size_t i = 0; i < shares.size(); ++i) {
      shares[i].of(large).assign(parts[i].begin(), parts[i].end());
    }
    shares[0].of(alone).assign({1.0F, 2.0F});
    sum_shares(std::vector<Parameter*>{&large, &alone},
               std::vector<const GradientShare*>{&shares[0], &shares[1], &shares[2]}, workers);
    bool equal = true;
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
      equal = equal && large.gradient[i] == (parts[0][i] + parts[1][i]) + parts[2][i];
    }
    CHECK(equal);
    CHECK(alone.gradient[0] == 1.0F);
    CHECK(alone.gradient[1] == 2.0F);
  }
}

}  // namespace
}  // namespace elmo
