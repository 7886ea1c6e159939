#include "core/inference/lstm_stage.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/model/bilm.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

TEST_CASE("a first step that sentences share is run once and changes nothing") {
  const ModelOptions options = small_options();
  const Bilm model(options, random_parameters(options, 2), Precision::float32);
  // Rows of five sentences; the numbers are tokens.
  const std::vector<std::uint32_t> tokens{0, 1, 2, /**/ 0, 2, /**/ 3, 1, 2, /**/ 0, /**/ 4, 4};
  const std::vector<SentenceRows> sentences{{0, 3}, {3, 2}, {5, 3}, {8, 1}, {9, 2}};
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  const auto row_values = static_cast<std::size_t>(options.activation_rows()) * width;
  AlignedVector<float> alone(tokens.size() * row_values, 0.0F);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    for (std::size_t p = 0; p < width; ++p) {
      alone[row * row_values + p] = std::sin(static_cast<float>(tokens[row] * 10 + p));
    }
  }
  AlignedVector<float> shared = alone;

  for (const bool backward : {false, true}) {
    CAPTURE(backward);
    const LstmStack& stack = model.lstm(backward ? 1 : 0);
    const LstmState start = LstmState::zero(options.lstm, 1);
    LstmWorkspace workspace;
    RunMonitor apart;
    stack.run(schedule_lanes(pack_lanes(sentences, 3), backward, false), alone.data(), start,
              nullptr, workspace, apart);

    RunMonitor together;
    const RemainingSteps remaining = share_first_steps(stack, backward, sentences, tokens,
                                                       shared.data(), start, workspace, together);
    stack.run(schedule_lanes(pack_lanes(remaining.sentences, 3), backward, false), shared.data(),
              remaining.starts, nullptr, workspace, together);

    // Three sentences begin with 0, three end with 2: two of three steps are saved in each layer.
    CHECK(apart.lane_steps == 2 * tokens.size());
    CHECK(together.lane_steps == 2 * (tokens.size() - 2));
  }
  CHECK(alone == shared);
}

}  // namespace
}  // namespace elmo
