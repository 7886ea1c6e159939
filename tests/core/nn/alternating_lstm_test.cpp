#include "core/nn/alternating_lstm.h"

#include <doctest/doctest.h>

#include "core/kernels/random.h"
#include "tests/core/nn/parameters.h"
#include "tests/reference/task_layers.h"

namespace elmo {
namespace {

constexpr std::uint32_t kMaskPlace = 16;

AlternatingLstm::Options alternating(std::int64_t cells, std::int64_t layers, float dropout) {
  AlternatingLstm::Options options;
  options.cells = cells;
  options.layers = layers;
  options.dropout = dropout;
  options.mask_id = kMaskPlace;
  return options;
}

PassOptions training_pass() {
  PassOptions pass;
  pass.training = true;
  pass.seed = 3;
  pass.step = 5;
  return pass;
}

/// Returns the mask of a sequence, from its number.
ReferenceRow mask_of(const AlternatingLstm::Options& options, std::int64_t layer,
                     std::int64_t sequence) {
  AlignedVector<float> mask(static_cast<std::size_t>(options.cells), 1.0F);
  const PassOptions pass = training_pass();
  dropout({pass.seed, pass.step, options.mask_id + static_cast<std::uint32_t>(layer)},
          options.dropout, sequence * options.cells, mask.data(), options.cells, mask.data());
  return {mask.begin(), mask.end()};
}

DoubleNumbers reference_alternating(const AlternatingLstm::Options& options,
                                    const ReferenceValues& values, const DoubleNumbers& sums,
                                    const Sequences& sequences) {
  DoubleNumbers outputs;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    ReferenceRows rows = rows_of(sums, 6 * options.cells, sequences, b);
    for (std::int64_t layer = 0; layer < options.layers; ++layer) {
      const std::string name = "lstm_" + std::to_string(layer + 1);
      if (layer > 0) {
        rows = reference_linear(rows, values.at(name + "/W_x"),
                                ReferenceRow(static_cast<std::size_t>(6 * options.cells), 0.0));
      }
      rows = reference_highway_lstm(rows, values.at(name + "/W_h"), values.at(name + "/b"),
                                    mask_of(options, layer, b), layer % 2 == 1);
    }
    append(outputs, rows);
  }
  return outputs;
}

TEST_CASE("LSTM layers that alternate in direction") {
  for (const auto& [layers, rate] : {std::pair(1, 0.0F), std::pair(3, 0.0F), std::pair(3, 0.25F)}) {
    CAPTURE(layers);
    CAPTURE(rate);
    const AlternatingLstm::Options options = alternating(5, layers, rate);
    Workers workers(2);
    AlternatingLstm lstm("lstm", options);
    ReferenceValues values = randomize(lstm.parameters(), 1);
    // Results of a second batch must not depend on the first; some batches have fewer sequences
    // than shares.
    for (const std::vector<std::int64_t>& lengths :
         {std::vector<std::int64_t>{3, 1, 6, 3, 4, 2}, {1, 1}, {2, 5, 1}}) {
      CAPTURE(lengths.size());
      const Sequences sequences = sequences_of(lengths);
      const Matrix sums = normal_matrix(sequences.rows(), lstm.sums(), 7);
      for (Parameter* parameter : lstm.parameters()) parameter->clear_gradient();
      Matrix output;
      lstm.forward(sums, sequences, training_pass(), workers, output);
      DoubleNumbers in = widened(sums);
      const auto reference = [&] { return reference_alternating(options, values, in, sequences); };
      check_outputs(output.values, reference());

      Matrix gradient = normal_matrix(output.rows, output.columns, 8);
      const Matrix weights = gradient;
      const auto loss = [&] { return weighted(reference(), weights); };
      Matrix sums_gradient;
      lstm.backward(gradient, workers, sums_gradient);
      check_gradient(sums_gradient.values, in, loss);
      check_gradients(lstm.parameters(), values, loss);
    }
  }
}

TEST_CASE("masks of alternating layers are for training only") {
  const Sequences sequences = sequences_of({4, 2});
  Workers workers(1);
  AlternatingLstm lstm("lstm", alternating(8, 2, 0.5F));
  lstm.initialize(1);
  const Matrix sums = normal_matrix(sequences.rows(), lstm.sums(), 7);
  Matrix output;
  lstm.forward(sums, sequences, {}, workers, output);
  CHECK(std::ranges::count(output.values, 0.0F) == 0);
  lstm.forward(sums, sequences, training_pass(), workers, output);
  // A cell of the last layer is dropped for a whole sequence or not at all.
  std::int64_t dropped = 0;
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    for (std::int64_t c = 0; c < output.columns; ++c) {
      std::int64_t zeros = 0;
      for (std::int64_t row = sequences.begin(b); row < sequences.begin(b + 1); ++row) {
        if (output.row(row)[c] == 0.0F) ++zeros;
      }
      CHECK((zeros == 0 || zeros == sequences.length(b)));
      if (zeros > 0) ++dropped;
    }
  }
  CHECK(dropped > 0);
}

TEST_CASE("alternating layers depend neither on the workers nor on other sequences") {
  const Sequences sequences = sequences_of({4, 2, 6, 1, 3, 5, 4});
  const Matrix sums = normal_matrix(sequences.rows(), 6 * 24, 7);
  const Matrix weights = normal_matrix(sequences.rows(), 24, 8);
  std::vector<std::vector<AlignedVector<float>>> results;
  for (const int count : {1, 2, 3}) {
    Workers workers(count);
    AlternatingLstm lstm("lstm", alternating(24, 3, 0.1F));
    lstm.initialize(5);
    for (Parameter* parameter : lstm.parameters()) parameter->clear_gradient();
    Matrix output;
    lstm.forward(sums, sequences, training_pass(), workers, output);
    Matrix gradient = weights;
    Matrix sums_gradient;
    lstm.backward(gradient, workers, sums_gradient);
    std::vector<AlignedVector<float>>& result = results.emplace_back();
    result = {output.values, sums_gradient.values};
    for (const Parameter* parameter : lstm.parameters()) result.push_back(parameter->gradient);
  }
  CHECK(results[0] == results[1]);
  CHECK(results[0] == results[2]);

  Workers workers(1);
  AlternatingLstm lstm("lstm", alternating(24, 3, 0.0F));
  lstm.initialize(5);
  Matrix together;
  lstm.forward(sums, sequences, {}, workers, together);
  for (std::int64_t b = 0; b < sequences.count(); ++b) {
    Matrix own(sequences.length(b), sums.columns);
    std::copy_n(sums.row(sequences.begin(b)), own.values.size(), own.values.data());
    Matrix alone;
    lstm.forward(own, sequences_of({sequences.length(b)}), {}, workers, alone);
    for (std::size_t i = 0; i < alone.values.size(); ++i) {
      CHECK(std::fabs(alone.values[i] - together.row(sequences.begin(b))[i]) < 1e-6);
    }
  }
}

}  // namespace
}  // namespace elmo
