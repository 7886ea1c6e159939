#include "tests/bench/limits/read_bandwidth.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "core/matrix.h"
#include "tests/bench/limits/rate.h"

namespace elmo {

double measure_read_bandwidth(std::size_t bytes, int threads) {
  const auto parts = static_cast<std::size_t>(threads);
  const std::size_t words = std::max<std::size_t>(1, bytes / sizeof(std::uint64_t) / parts);
  const AlignedVector<std::uint64_t> memory(words * parts, 1);
  std::vector<std::uint64_t> sums(parts);
  std::vector<std::function<void()>> work;
  for (std::size_t part = 0; part < parts; ++part) {
    work.emplace_back([&, part] {
      const auto* begin = memory.data() + part * words;
      // Each run adds to the result of the previous one, so the compiler cannot omit any.
      sums[part] = std::accumulate(begin, begin + words, sums[part]);
    });
  }
  return side_by_side_rate(work, static_cast<double>(words * sizeof(std::uint64_t)), 1);
}

}  // namespace elmo
