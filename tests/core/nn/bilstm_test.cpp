#include "core/nn/bilstm.h"

#include <doctest/doctest.h>

#include "tests/core/nn/packed.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

std::vector<std::int64_t> rows_in(const TimeOrder& order) {
  std::vector<std::int64_t> rows;
  for (std::int64_t n = 0; n < order.size(); ++n) rows.push_back(order.row(n));
  return rows;
}

TEST_CASE("rows are ordered by step, longest sequence first") {
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

TEST_CASE("rows are gathered into time order and scattered back") {
  const Sequences sequences = sequences_of({2, 1});
  Matrix rows = normal_matrix(3, 3, 1);
  TimeOrder order;
  order.set(sequences, longest_first(sequences), true);
  AlignedVector<float> gathered(6);
  order.gather(rows.view().column_range(1, 2), 0, 3, gathered.data());
  CHECK(gathered == AlignedVector<float>{rows.row(1)[1], rows.row(1)[2], rows.row(2)[1],
                                         rows.row(2)[2], rows.row(0)[1], rows.row(0)[2]});
  AlignedVector<float> whole(9);
  order.gather(rows.view(), 0, 1, whole.data());
  order.gather(rows.view(), 1, 3, whole.data());
  CHECK(whole[3] == rows.row(2)[0]);
  Matrix back(3, 3);
  order.scatter(whole.data(), 0, 2, back);
  CHECK(back.row(0)[0] == 0.0F);
  order.scatter(whole.data(), 2, 3, back);
  CHECK(back.values == rows.values);
}

DoubleNumbers reference_bilstm(const ReferenceValues& values, const std::string& name,
                               const DoubleNumbers& input, std::int64_t columns,
                               const Sequences& sequences) {
  DoubleNumbers outputs;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    const ReferenceRows rows = rows_of(input, columns, sequences, b);
    const auto direction = [&](const std::string& part, bool reversed) {
      return reference_lstm(rows, values.at(name + part + "/W_x"), values.at(name + part + "/W_h"),
                            values.at(name + part + "/b"), reversed);
    };
    const ReferenceRows forward = direction("/forward", false);
    const ReferenceRows backward = direction("/backward", true);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      append(outputs, forward[t]);
      append(outputs, backward[t]);
    }
  }
  return outputs;
}

TEST_CASE("biLSTM over packed sequences") {
  constexpr std::int64_t kInputs = 5;
  constexpr std::int64_t kCells = 19;
  Workers workers(2);
  BiLstm lstm("lstm", kInputs, kCells);
  ReferenceValues values = randomize(lstm.parameters(), 1);
  // Results of a second batch must not depend on the first.
  for (const std::vector<std::int64_t>& lengths :
       {std::vector<std::int64_t>{3, 1, 7, 3}, {1, 1}, {2, 9}}) {
    CAPTURE(lengths.size());
    const Sequences sequences = sequences_of(lengths);
    const Matrix input = normal_matrix(sequences.rows(), kInputs, 7);
    for (Parameter* parameter : lstm.parameters()) parameter->clear_gradient();
    Matrix output;
    lstm.forward(input, sequences, workers, output);
    DoubleNumbers in = widened(input);
    check_outputs(output.values, reference_bilstm(values, "lstm", in, kInputs, sequences));

    const Matrix gradient = normal_matrix(output.rows, output.columns, 8);
    const auto loss = [&] {
      return weighted(reference_bilstm(values, "lstm", in, kInputs, sequences), gradient);
    };
    Matrix input_gradient;
    lstm.backward(gradient, workers, &input_gradient);
    check_gradient(input_gradient.values, in, loss);
    check_gradients(lstm.parameters(), values, loss);
  }
}

TEST_CASE("biLSTM does not depend on the workers") {
  const Sequences sequences = sequences_of({4, 2, 6});
  const Matrix input = normal_matrix(sequences.rows(), 3, 7);
  std::vector<AlignedVector<float>> outputs;
  for (const int count : {1, 2, 3}) {
    Workers workers(count);
    BiLstm lstm("lstm", 3, 8);
    lstm.initialize(5);
    Matrix output;
    lstm.forward(input, sequences, workers, output);
    outputs.push_back(output.values);
  }
  CHECK(outputs[0] == outputs[1]);
  CHECK(outputs[0] == outputs[2]);
}

}  // namespace

}  // namespace elmo
