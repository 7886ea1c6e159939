#include "core/train/bilm/lstm_pass.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "core/model/bilm.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

constexpr std::int64_t kPassSteps = 6;
constexpr std::int64_t kPassLanes = 3;

TrainingBatch batch_of(std::int64_t steps) {
  TrainingBatch batch;
  batch.steps = steps;
  batch.lanes = kPassLanes;
  batch.resets.assign(static_cast<std::size_t>(steps * kPassLanes), 0);
  return batch;
}

AlignedVector<float> inputs_of(const ModelOptions& options) {
  AlignedVector<float> inputs(
      static_cast<std::size_t>(kPassSteps * kPassLanes * options.lstm.projection_dim));
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = std::sin(static_cast<float>(i));
  return inputs;
}

TrainedBilm model_of(const ModelOptions& options) {
  return {options, random_parameters(options, 3), small_softmax(options)};
}

LaneShare all_lanes(std::size_t direction) { return {direction, 0, {0, kPassLanes, kPassLanes}}; }

TEST_CASE("training and inference compute the same LSTM outputs") {
  for (const char* name : {"as published", "no LSTM projection", "no skip connections"}) {
    CAPTURE(name);
    const ModelOptions options = model_case(name);
    TrainedBilm trained = model_of(options);
    const Bilm model(options, random_parameters(options, 3), Precision::float32);
    const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
    const auto rows = static_cast<std::size_t>(options.activation_rows());
    for (const std::size_t direction : {0U, 1U}) {
      AlignedVector<float> outputs = inputs_of(options);
      const AlignedVector<float> inputs = outputs;
      LstmState state = LstmState::zero(options.lstm, kPassLanes);
      LstmPass pass(trained, all_lanes(direction), Precision::float32);
      pass.forward(batch_of(kPassSteps), {}, state, outputs);

      // Row t · lanes + lane of the pass is row lane · steps + t of a sentence per lane. The stack
      // of either direction reads these sentences in the order of training.
      AlignedVector<float> activations(inputs.size() * rows, 0.0F);
      std::vector<std::vector<SentenceRows>> lanes;
      const auto row_of = [&](std::int64_t t, std::int64_t lane) {
        const std::int64_t step = direction == 0 ? t : kPassSteps - 1 - t;
        return static_cast<std::size_t>(lane * kPassSteps + step) * rows * width;
      };
      for (std::int64_t lane = 0; lane < kPassLanes; ++lane) {
        lanes.push_back({{static_cast<std::uint32_t>(lane * kPassSteps),
                          static_cast<std::uint32_t>(kPassSteps)}});
        for (std::int64_t t = 0; t < kPassSteps; ++t) {
          std::copy_n(inputs.data() + static_cast<std::size_t>(t * kPassLanes + lane) * width,
                      width, activations.data() + row_of(t, lane));
        }
      }
      LstmWorkspace workspace;
      RunMonitor monitor;
      model.lstm(static_cast<int>(direction))
          .run(schedule_lanes(lanes, direction == 1, false), activations.data(),
               LstmState::zero(options.lstm, 1), nullptr, workspace, monitor);
      const std::size_t top = rows - 2 + direction;
      double largest = 0.0;
      for (std::int64_t lane = 0; lane < kPassLanes; ++lane) {
        for (std::int64_t t = 0; t < kPassSteps; ++t) {
          for (std::size_t p = 0; p < width; ++p) {
            const auto row = static_cast<std::size_t>(t * kPassLanes + lane);
            largest = std::max(largest,
                               std::fabs(double{outputs[row * width + p]} -
                                         double{activations[row_of(t, lane) + top * width + p]}));
          }
        }
      }
      CHECK(largest < kFloat32Tolerance);
    }
  }
}

TEST_CASE("a batch in two parts has the same outputs and end states as the whole") {
  const ModelOptions options = small_options();
  TrainedBilm model = model_of(options);
  LstmPass pass(model, all_lanes(0), Precision::float32);
  AlignedVector<float> whole = inputs_of(options);
  const auto half = static_cast<std::ptrdiff_t>(whole.size() / 2);
  AlignedVector<float> first(whole.begin(), whole.begin() + half);
  AlignedVector<float> second(whole.begin() + half, whole.end());
  LstmState at_once = LstmState::zero(options.lstm, kPassLanes);
  pass.forward(batch_of(kPassSteps), {}, at_once, whole);
  LstmState in_parts = LstmState::zero(options.lstm, kPassLanes);
  pass.forward(batch_of(kPassSteps / 2), {}, in_parts, first);
  pass.forward(batch_of(kPassSteps / 2), {}, in_parts, second);
  first.insert(first.end(), second.begin(), second.end());
  CHECK(first == whole);
  for (std::size_t layer = 0; layer < at_once.layers.size(); ++layer) {
    CHECK(at_once.layers[layer].h == in_parts.layers[layer].h);
    CHECK(at_once.layers[layer].c == in_parts.layers[layer].c);
  }
}

TEST_CASE("each gradient of a direction is reported once") {
  TrainedBilm model = model_of(small_options());
  LstmPass pass(model, all_lanes(1), Precision::float32);
  AlignedVector<float> activations = inputs_of(model.options);
  LstmState state = LstmState::zero(model.options.lstm, kPassLanes);
  const TrainingBatch batch = batch_of(kPassSteps);
  for (Parameter& parameter : model.parameters.all()) {
    parameter.gradient.resize(parameter.gradient_size());
  }
  pass.forward(batch, {}, state, activations);
  std::multiset<const Parameter*> reported;
  pass.backward(batch, {}, activations,
                [&](const Parameter& parameter) { reported.insert(&parameter); });
  std::multiset<const Parameter*> expected;
  for (const LstmIndex& layer : model.parameters.index().lstm[1]) {
    for (const std::size_t i : layer.all()) expected.insert(&model.parameters[i]);
  }
  CHECK(reported == expected);
}

}  // namespace
}  // namespace elmo
