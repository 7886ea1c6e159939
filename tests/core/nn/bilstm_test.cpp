#include "core/nn/bilstm.h"

#include <doctest/doctest.h>

#include "core/nn/linear.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

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
  // A second batch must not see anything of the first.
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

TEST_CASE("linear map") {
  Linear linear("linear", 6, 4);
  ReferenceValues values = randomize(linear.parameters(), 1);
  const Matrix input = normal_matrix(5, 6, 2);
  Matrix output;
  linear.forward(input, output);
  DoubleNumbers in = widened(input);
  const auto reference = [&] {
    DoubleNumbers outputs;
    append(outputs,
           reference_linear(rows_of(in, 6, 0, 5), values.at("linear/W"), values.at("linear/b")));
    return outputs;
  };
  check_outputs(output.values, reference());
  const Matrix gradient = normal_matrix(5, 4, 3);
  Matrix input_gradient;
  linear.backward(gradient, &input_gradient);
  const auto loss = [&] { return weighted(reference(), gradient); };
  check_gradient(input_gradient.values, in, loss);
  check_gradients(linear.parameters(), values, loss);
}

}  // namespace
}  // namespace elmo
