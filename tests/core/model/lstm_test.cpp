#include "core/model/lstm.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/model/bilm.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

/// Activations [rows, 2L+1, P] with token vectors only.
AlignedVector<float> token_vectors(const ModelOptions& options, std::size_t rows) {
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  const auto row_values = static_cast<std::size_t>(options.activation_rows()) * width;
  AlignedVector<float> activations(rows * row_values, 0.0F);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t p = 0; p < width; ++p) {
      activations[row * row_values + p] = std::sin(static_cast<float>(row * 7 + p));
    }
  }
  return activations;
}

TEST_CASE("the state of a lane is repeated") {
  const LstmOptions options = small_options().lstm;
  LstmState one = LstmState::zero(options, 1);
  for (LstmState::Layer& layer : one.layers) {
    layer.h.back() = 1.0F;
    layer.c.back() = 2.0F;
  }
  const LstmState three = one.repeated(3);
  REQUIRE(three.layers.size() == static_cast<std::size_t>(options.n_layers));
  for (const LstmState::Layer& layer : three.layers) {
    const auto width = static_cast<std::size_t>(options.projection_dim);
    REQUIRE(layer.h.size() == 3 * width);
    REQUIRE(layer.c.size() == static_cast<std::size_t>(3 * options.dim));
    CHECK(layer.h[width - 2] == 0.0F);
    CHECK(layer.h[width - 1] == 1.0F);
    CHECK(layer.h.back() == 1.0F);
    CHECK(layer.c.back() == 2.0F);
  }
}

TEST_CASE("a lane that carries its state continues where it ended") {
  for (const char* name : {"small", "three layers"}) {
    CAPTURE(name);
    const ModelOptions options =
        name == std::string("small") ? small_options() : model_case("three layers");
    const Bilm model(options, random_parameters(options, 6), Precision::float32);
    constexpr std::uint32_t kRows = 40;
    const LstmState start = LstmState::zero(options.lstm, 1);
    LstmWorkspace workspace;
    RunMonitor monitor;
    for (const int direction : {0, 1}) {
      const bool backward = direction == 1;
      const LstmStack& stack = model.lstm(direction);
      AlignedVector<float> whole = token_vectors(options, kRows);
      AlignedVector<float> parts = whole;
      stack.run(schedule_lanes({{{0, kRows}}}, backward, false), whole.data(), start, nullptr,
                workspace, monitor);
      // Runs two parts, first the one that the direction reads first.
      LstmState carried = start;
      const SentenceRows low{0, 15};
      const SentenceRows high{15, kRows - 15};
      for (const SentenceRows& rows : {backward ? high : low, backward ? low : high}) {
        stack.run(schedule_lanes({{rows}}, backward, true), parts.data(), start, &carried,
                  workspace, monitor);
      }
      CHECK(whole == parts);
    }
    CHECK(monitor.lane_steps == static_cast<std::uint64_t>(4 * kRows * options.lstm.n_layers));
  }
}

TEST_CASE("a direction's outputs are copied, and a stopped run ends at once") {
  const ModelOptions options = small_options();
  const Bilm model(options, random_parameters(options, 6), Precision::float32);
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  AlignedVector<float> activations(2 * static_cast<std::size_t>(options.activation_rows()) * width);
  for (std::size_t i = 0; i < activations.size(); ++i) activations[i] = static_cast<float>(i);
  const AlignedVector<float> before = activations;
  model.lstm(1).copy_outputs(activations.data(), 0, 1);
  const auto rows = static_cast<std::size_t>(options.activation_rows());
  for (std::size_t row = 0; row < rows; ++row) {
    const bool is_backward = row > 0 && row % 2 == 0;
    CHECK(activations[(rows + row) * width] == before[(is_backward ? row : rows + row) * width]);
  }

  LstmWorkspace workspace;
  RunMonitor monitor;
  monitor.stop = true;
  model.lstm(0).run(schedule_lanes({{{0, 2}}}, false, false), activations.data(),
                    LstmState::zero(options.lstm, 1), nullptr, workspace, monitor);
  CHECK(monitor.lane_steps == 0);
}

}  // namespace
}  // namespace elmo
