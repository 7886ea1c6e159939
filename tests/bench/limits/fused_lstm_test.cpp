#include "tests/bench/limits/fused_lstm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/model/lane_schedule.h"
#include "core/model/lstm.h"
#include "core/model/stored_parameters.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

constexpr std::uint32_t kFusedSteps = 7;
constexpr std::uint32_t kFusedLanes = 5;

// The largest difference between the fused layer in float32 and the composed one in `precision`,
// for the forward direction of a model of one layer without clips.
double difference(ModelOptions options, Precision precision) {
  options.lstm.n_layers = 1;
  options.lstm.cell_clip.reset();
  options.lstm.proj_clip.reset();
  Parameters parameters = random_parameters(options, 11);
  const std::string prefix = lstm_prefix(0, 0);
  const bool projected = options.lstm.dim != options.lstm.projection_dim;
  const FusedLstm::Weights weights{
      parameters.at(prefix + "W_0").values.data(), parameters.at(prefix + "B").values.data(),
      projected ? parameters.at(prefix + "W_P_0").values.data() : nullptr,
      options.lstm.forget_offset};
  FusedLstm fused(weights, options.lstm.dim, options.lstm.projection_dim, kFusedSteps, kFusedLanes,
                  Precision::float32);
  StoredParameters stored(std::move(parameters));
  std::vector<LstmLayer> layers;
  layers.emplace_back(options.lstm, stored, 0, 0, precision);
  const LstmStack stack(options.lstm, 0, std::move(layers));

  // Lane b reads rows b·T … b·T + T − 1 of [rows, 3, P]; the fused layer reads [T, B, P].
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  AlignedVector<float> activations(kFusedLanes * kFusedSteps * 3 * width, 0.0F);
  AlignedVector<float> from(kFusedSteps * kFusedLanes * width);
  std::mt19937 generator(12);
  std::normal_distribution<float> normal;
  std::vector<SentenceRows> sentences;
  for (std::uint32_t lane = 0; lane < kFusedLanes; ++lane) {
    sentences.push_back({lane * kFusedSteps, kFusedSteps});
    for (std::uint32_t step = 0; step < kFusedSteps; ++step) {
      for (std::size_t p = 0; p < width; ++p) {
        const float value = normal(generator);
        activations[(lane * kFusedSteps + step) * 3 * width + p] = value;
        from[(step * kFusedLanes + lane) * width + p] = value;
      }
    }
  }
  AlignedVector<float> to(from.size());
  fused.run(from.data(), to.data());
  LstmWorkspace workspace;
  RunMonitor monitor;
  stack.run(schedule_lanes(pack_lanes(sentences, kFusedLanes), false, false), activations.data(),
            LstmState::zero(options.lstm, 1), nullptr, workspace, monitor);

  double largest = 0;
  double largest_value = 0;
  for (std::uint32_t lane = 0; lane < kFusedLanes; ++lane) {
    for (std::uint32_t step = 0; step < kFusedSteps; ++step) {
      for (std::size_t p = 0; p < width; ++p) {
        const double ours = activations[((lane * kFusedSteps + step) * 3 + 1) * width + p];
        const double theirs = to[(step * kFusedLanes + lane) * width + p];
        largest = std::max(largest, std::fabs(ours - theirs));
        largest_value = std::max(largest_value, std::fabs(ours));
      }
    }
  }
  CHECK(largest_value > 0.1);
  return largest;
}

TEST_CASE("fused and composed layers agree in float32 without clips") {
  CHECK(difference(small_options(), Precision::float32) < kFloat32Tolerance);
}

TEST_CASE("fused and composed layers agree without a projection") {
  ModelOptions options = small_options();
  options.lstm.projection_dim = options.lstm.dim;
  CHECK(difference(options, Precision::float32) < kFloat32Tolerance);
}

TEST_CASE("the composed layer agrees with the float32 one in lower precisions, within tolerance") {
  if (is_supported(Precision::bfloat16)) {
    CHECK(difference(small_options(), Precision::bfloat16) < 0.01);
  }
  if (is_supported(Precision::int8)) {
    CHECK(difference(small_options(), Precision::int8) < 0.05);
  }
}

}  // namespace
}  // namespace elmo
