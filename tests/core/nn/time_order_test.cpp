#include "core/nn/time_order.h"

#include <doctest/doctest.h>

#include "tests/core/nn/packed.h"

namespace elmo {
namespace {

std::vector<std::int64_t> rows_in(const TimeOrder& order) {
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n < order.size(); ++n) rows.push_back(order.row(n));
  return rows;
}

TEST_CASE("rows come step by step, those of the longest sequence first") {
  const Sequences sequences = sequences_of({2, 3, 1, 3});  // rows 0-1, 2-4, 5, 6-8
  const std::vector<std::int64_t> all = longest_first(sequences);
  CHECK(all == std::vector<std::int64_t>{1, 3, 0, 2});
  TimeOrder order;
  order.set(sequences, all, false);
  CHECK(rows_in(order) == std::vector<std::int64_t>{2, 6, 0, 5, 3, 7, 1, 4, 8});
  REQUIRE(order.steps() == 3);
  CHECK(order.begin(1) == 4);
  CHECK(order.lanes(0) == 4);
  CHECK(order.lanes(1) == 3);
  CHECK(order.lanes(2) == 2);
  order.set(sequences, all, true);
  CHECK(rows_in(order) == std::vector<std::int64_t>{4, 8, 1, 5, 3, 7, 0, 2, 6});
  order.set(sequences, std::vector<std::int64_t>{3, 2}, false);
  CHECK(rows_in(order) == std::vector<std::int64_t>{6, 5, 7, 8});
  order.set(sequences, {}, false);
  CHECK(order.size() == 0);
  CHECK(order.steps() == 0);
}

TEST_CASE("rows are brought into the order of time and back") {
  const Sequences sequences = sequences_of({2, 1});
  Matrix rows = normal_matrix(3, 3, 1);
  TimeOrder order;
  order.set(sequences, longest_first(sequences), true);
  AlignedVector<float> gathered(6);
  order.gather(rows, 1, 2, gathered.data());
  CHECK(gathered == AlignedVector<float>{rows.row(1)[1], rows.row(1)[2], rows.row(2)[1],
                                         rows.row(2)[2], rows.row(0)[1], rows.row(0)[2]});
  AlignedVector<float> whole(9);
  order.gather_part(rows, 0, 1, whole.data());
  order.gather_part(rows, 1, 3, whole.data());
  CHECK(whole[3] == rows.row(2)[0]);
  Matrix back(3, 3);
  order.scatter_part(whole.data(), 0, 2, back);
  CHECK(back.row(0)[0] == 0.0F);
  order.scatter_part(whole.data(), 2, 3, back);
  CHECK(back.values == rows.values);
}

}  // namespace
}  // namespace elmo
