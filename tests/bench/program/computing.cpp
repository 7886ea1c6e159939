#include "tests/bench/program/computing.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "core/inference/embed.h"
#include "core/model/bilm.h"
#include "core/model/lane_schedule.h"
#include "core/model/lstm.h"
#include "core/model/token_encoder.h"
#include "tests/bench/limits/fused_lstm.h"
#include "tests/bench/limits/read_bandwidth.h"
#include "tests/bench/program/random_values.h"

namespace elmo {
namespace {

constexpr auto kLanes = static_cast<std::uint32_t>(kMaxLanes);
constexpr std::uint32_t kSteps = 12;
constexpr std::uint32_t kSentenceTokens = 20;
constexpr std::size_t kTokensPerEncoderJob = 256;

/// Size of the LSTM weights that a step of both directions reads.
std::size_t recurrent_bytes(const LstmOptions& lstm, Precision precision) {
  const std::int64_t gates = 4 * lstm.dim * lstm.projection_dim;
  const std::int64_t projection = lstm.has_projection() ? lstm.dim * lstm.projection_dim : 0;
  const std::int64_t bytes = precision == Precision::float32    ? 4
                             : precision == Precision::bfloat16 ? 2
                                                                : 1;
  return static_cast<std::size_t>(2 * lstm.n_layers * (gates + projection) * bytes);
}

}  // namespace

const std::uint64_t kLstmTokens = std::uint64_t{kSteps} * kLanes;

std::size_t row_values(const Bilm& model) {
  return static_cast<std::size_t>(model.options().activation_rows() *
                                  model.options().lstm.projection_dim);
}

double fused_lstm_seconds(const Measuring& measuring, Team& team, const LstmOptions& lstm,
                          Precision precision) {
  measuring.begin("oneDNN's lstm_forward");
  // The same layer and direction on every thread. All layers take the same time, so one is enough.
  const auto cells = static_cast<std::size_t>(lstm.dim);
  const auto width = static_cast<std::size_t>(lstm.projection_dim);
  const auto threads = static_cast<std::size_t>(team.threads());
  const AlignedVector<float> weights = random_values(2 * width * 4 * cells, 0.05F);
  const AlignedVector<float> bias(4 * cells, 0.0F);
  const AlignedVector<float> from = random_values(std::size_t{kSteps} * kLanes * width);

  std::vector<std::unique_ptr<FusedLstm>> layers(threads);
  std::vector<AlignedVector<float>> outputs(threads, from);
  std::vector<Team::Job> make;
  std::vector<Team::Job> run;
  for (std::size_t i = 0; i < threads; ++i) {
    // Constructed on a thread of the team, with one thread for oneDNN.
    make.emplace_back([&, i](Workspace&) {
      layers[i] = std::make_unique<FusedLstm>(
          FusedLstm::Weights{weights.data(), bias.data(), weights.data()}, lstm.dim,
          lstm.projection_dim, kSteps, kLanes, precision);
    });
    run.emplace_back([&, i](Workspace&) { layers[i]->run(from.data(), outputs[i].data()); });
  }
  team.run(make);
  return measuring.median_seconds([&] { team.run(run); }) * 2.0 *
         static_cast<double>(lstm.n_layers);
}

double lstm_seconds(const Measuring& measuring, Team& team, const Bilm& model) {
  measuring.begin("the LSTMs");
  std::vector<SentenceRows> sentences;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    sentences.push_back({lane * kSteps, kSteps});
  }
  const auto lanes = pack_lanes(sentences, kLanes);
  const std::array schedules{schedule_lanes(lanes, false, false),
                             schedule_lanes(lanes, true, false)};
  const StartStates start = zero_states(model);
  const AlignedVector<float> values =
      random_values(std::size_t{kLanes} * kSteps * row_values(model));
  std::vector<AlignedVector<float>> activations(static_cast<std::size_t>(team.threads()), values);
  RunMonitor monitor;
  std::vector<Team::Job> jobs;
  for (AlignedVector<float>& buffer : activations) {
    for (const std::size_t direction : {0U, 1U}) {
      jobs.emplace_back([&, direction](Workspace& workspace) {
        model.lstm(static_cast<int>(direction))
            .run(schedules[direction], buffer.data(), start[direction], nullptr, workspace.lstm,
                 monitor);
      });
    }
  }
  return measuring.median_seconds([&] { team.run(jobs); });
}

double encoder_seconds(const Measuring& measuring, Team& team, const Bilm& model,
                       std::span<const std::string> distinct) {
  measuring.begin("the character encoder");
  const auto width = static_cast<std::size_t>(model.options().lstm.projection_dim);
  const std::vector<std::string_view> tokens(distinct.begin(), distinct.end());
  AlignedVector<float> vectors(tokens.size() * width);
  std::vector<Team::Job> jobs;
  for (std::size_t first = 0; first < tokens.size(); first += kTokensPerEncoderJob) {
    jobs.emplace_back([&, first](Workspace& workspace) {
      const std::size_t count = std::min(kTokensPerEncoderJob, tokens.size() - first);
      model.encoder().encode(std::span(tokens).subspan(first, count),
                             vectors.data() + first * width, workspace.encoder);
    });
  }
  return measuring.median_seconds([&] { team.run(jobs); });
}

SentenceTimes sentence_times(const Measuring& measuring, Team& team, const Bilm& model,
                             std::span<const std::string> distinct, int threads) {
  measuring.begin("one sentence");
  const auto width = static_cast<std::size_t>(model.options().lstm.projection_dim);
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < kSentenceTokens; ++i) {
    tokens.emplace_back(distinct[i % distinct.size()]);
  }
  const std::vector<std::vector<SentenceRows>> lane{{{0, kSentenceTokens}}};
  const std::array schedules{schedule_lanes(lane, false, false), schedule_lanes(lane, true, false)};
  const StartStates start = zero_states(model);
  AlignedVector<float> vectors(kSentenceTokens * width);
  AlignedVector<float> activations(kSentenceTokens * row_values(model));
  RunMonitor monitor;
  const std::array<Team::Job, 1> encode{[&](Workspace& workspace) {
    model.encoder().encode(tokens, vectors.data(), workspace.encoder);
    for (std::size_t i = 0; i < kSentenceTokens; ++i) {
      std::copy_n(vectors.data() + i * width, width, activations.data() + i * row_values(model));
    }
  }};
  const auto read = [&](std::size_t direction) {
    return [&, direction](Workspace& workspace) {
      model.lstm(static_cast<int>(direction))
          .run(schedules[direction], activations.data(), start[direction], nullptr, workspace.lstm,
               monitor);
    };
  };
  const std::array<Team::Job, 2> directions{read(0), read(1)};
  SentenceTimes times;
  times.tokens = kSentenceTokens;
  times.encoder_seconds = measuring.median_seconds([&] { team.run(encode); });
  times.seconds = measuring.median_seconds([&] {
    team.run(encode);
    team.run(directions);
  });

  const std::size_t bytes = recurrent_bytes(model.options().lstm, model.precision());
  times.read_bytes_per_second = measure_read_bandwidth(bytes, threads);
  times.stream_seconds = kSentenceTokens * static_cast<double>(bytes) / times.read_bytes_per_second;
  return times;
}

}  // namespace elmo
