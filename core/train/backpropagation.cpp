#include "core/train/backpropagation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/kernels/optimizer_kernels.h"
#include "core/parallel/workers.h"
#include "core/train/direction_pass.h"
#include "core/train/encoder_pass.h"
#include "core/train/word_pass.h"

namespace elmo {

namespace {

// Fewer lanes than these are not worth a worker of their own: products of few rows are slow.
constexpr std::int64_t kMinLanes = 16;

/// Both directions' shares of the lanes, one or more for each worker. Up to two threads they are
/// the directions: sums over shares then are taken in the same order.
std::vector<LaneShare> lane_shares(const LaneRange& lanes, int threads) {
  const std::int64_t parts =
      std::clamp<std::int64_t>(threads / 2, 1, std::max<std::int64_t>(1, lanes.count / kMinLanes));
  std::vector<LaneShare> shares;
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = part * lanes.count / parts;
    const std::int64_t count = (part + 1) * lanes.count / parts - first;
    for (const std::size_t direction : {0U, 1U}) {
      shares.push_back({direction, first, {lanes.first + first, count, lanes.all}});
    }
  }
  return shares;
}

// Rows of the softmax that the step touches, in this batch or in other lanes.
std::vector<std::int32_t> touched_rows(const TrainingBatch& batch, const NegativeSample& sample) {
  std::vector<std::int32_t> rows = sample.ids;
  rows.insert(rows.end(), batch.elsewhere.begin(), batch.elsewhere.end());
  for (const std::vector<std::int32_t>& targets : batch.targets) {
    rows.insert(rows.end(), targets.begin(), targets.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// Parameters of all LSTMs.
std::vector<std::size_t> lstm_parameters(const ParameterIndex& index) {
  std::vector<std::size_t> all;
  for (const std::vector<LstmIndex>& direction : index.lstm) {
    for (const LstmIndex& layer : direction) {
      const std::vector<std::size_t> some = parameters_of(layer);
      all.insert(all.end(), some.begin(), some.end());
    }
  }
  return all;
}

void add_to(const AlignedVector<float>& from, AlignedVector<float>& to) {
  add(from.data(), static_cast<std::int64_t>(from.size()), to.data());
}

}  // namespace

struct Backpropagation::Parts {
  Parts(const ModelOptions& options, const Corpus& corpus, const LaneRange& range, int threads,
        Precision precision)
      : Parts(options, corpus, range, lane_shares(range, threads), threads, precision) {}

  Parts(const ModelOptions& options, const Corpus& corpus, const LaneRange& range,
        const std::vector<LaneShare>& shares, int threads, Precision precision)
      : model(options),
        lanes(range),
        workers(std::min(threads, static_cast<int>(shares.size())),
                std::max(1, threads / static_cast<int>(shares.size()))),
        encoder_gradients(shares.size()),
        lstm_gradients(shares.size()) {
    for (const LaneShare& share : shares) {
      if (model.char_cnn) encoders.emplace_back(model, corpus.types, precision);
      directions.emplace_back(model, share, precision);
    }
    if (!model.char_cnn) words.emplace(model.lstm.projection_dim, corpus.rows);
  }

  /// Room for all gradients. The first share of each direction, and the first of the encoder's,
  /// write theirs to where the sums are to be.
  void prepare(const Parameters& parameters, Gradients& gradients) {
    const std::size_t count = parameters.all().size();
    const auto reserve = [&](std::size_t index, std::vector<AlignedVector<float>>& to) {
      to.resize(count);
      to[index].resize(parameters[index].values.size());
    };
    gradients.parameters.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != parameters.index().word_embedding) reserve(i, gradients.parameters);
    }
    for (std::size_t share = 1; share < encoders.size(); ++share) {
      for (const std::size_t i : parameters.index().char_cnn->all()) {
        reserve(i, encoder_gradients[share]);
      }
    }
    for (std::size_t share = 2; share < directions.size(); ++share) {
      for (const LstmIndex& layer : parameters.index().lstm[directions[share].share().direction]) {
        for (const std::size_t i : parameters_of(layer)) reserve(i, lstm_gradients[share]);
      }
    }
  }

  /// The vectors of the batch's distinct tokens.
  void encode(const Parameters& parameters, const TrainingBatch& batch) {
    const auto types = static_cast<std::int64_t>(batch.types.size());
    grow(token_vectors, types * model.lstm.projection_dim);
    if (words) return words->forward(parameters, batch, token_vectors.data());
    workers.run(encoders.size(), [&](std::size_t share) {
      std::vector<std::int64_t> rows;
      for (auto row = static_cast<std::int64_t>(share); row < types;
           row += static_cast<std::int64_t>(encoders.size())) {
        rows.push_back(row);
      }
      encoders[share].forward(parameters, batch.types, std::move(rows), token_vectors.data());
    });
  }

  /// The gradients that come of those of these vectors.
  void encode_backward(const Parameters& parameters, const TrainingBatch& batch,
                       const AlignedVector<float>& token_gradient, Gradients& gradients,
                       const GradientReady& ready) {
    if (words) {
      const std::size_t table = *parameters.index().word_embedding;
      words->backward(batch, token_gradient.data(), gradients.word_rows,
                      gradients.parameters[table]);
      if (ready) ready(table);
      return;
    }
    workers.run(encoders.size(), [&](std::size_t share) {
      encoders[share].backward(parameters, token_gradient.data(),
                               share == 0 ? gradients.parameters : encoder_gradients[share]);
    });
    add_shares(encoder_gradients, parameters.index().char_cnn->all(), gradients, ready);
  }

  /// Whether one share computes all of a direction.
  bool one_share_each() const { return directions.size() == 2; }

  /// Adds the other shares' gradients of the parameters `which` to the first's, in their order.
  void add_shares(const std::vector<std::vector<AlignedVector<float>>>& shares,
                  const std::vector<std::size_t>& which, Gradients& gradients,
                  const GradientReady& ready) {
    workers.run(which.size(), [&](std::size_t place) {
      const std::size_t i = which[place];
      for (const std::vector<AlignedVector<float>>& share : shares) {
        if (i < share.size() && !share[i].empty()) add_to(share[i], gradients.parameters[i]);
      }
      if (ready) ready(i);
    });
  }

  ModelOptions model;
  LaneRange lanes;
  Workers workers;
  std::vector<EncoderPass> encoders;      // of n, each takes every n-th token
  std::optional<WordPass> words;          // instead of them, in a word-level model
  std::vector<DirectionPass> directions;  // forward, backward, forward, backward, …
  AlignedVector<float> token_vectors;     // [types, P]
  // Of each share, in the order of Parameters::all(); empty where it writes to the sums.
  std::vector<std::vector<AlignedVector<float>>> encoder_gradients;
  std::vector<std::vector<AlignedVector<float>>> lstm_gradients;
};

Backpropagation::Backpropagation(const ModelOptions& model, const Corpus& corpus,
                                 const LaneRange& lanes, int threads, Precision precision)
    : parts_(std::make_unique<Parts>(model, corpus, lanes, threads, precision)) {}

Backpropagation::~Backpropagation() = default;

BatchLoss Backpropagation::run(const Parameters& parameters, const SoftmaxLayer& softmax,
                               const TrainingBatch& batch, const NegativeSampler& sampler,
                               const NegativeSample& sample, const StepOptions& options,
                               LaneStates& states, Gradients& gradients,
                               const GradientReady& ready) {
  Parts& p = *parts_;
  const auto predictions = static_cast<double>(batch.steps * p.lanes.all);
  p.prepare(parameters, gradients);
  const std::vector<std::int32_t> touched = touched_rows(batch, sample);

  if (p.words) gradients.word_rows = p.words->touched_rows(batch);
  p.encode(parameters, batch);
  p.workers.run(p.directions.size(), [&](std::size_t share) {
    DirectionPass& direction = p.directions[share];
    direction.run(parameters, softmax, batch, sampler, sample, options,
                  static_cast<float>(0.5 / predictions), p.token_vectors, touched,
                  states[direction.share().direction],
                  share < 2 ? gradients.parameters : p.lstm_gradients[share],
                  p.one_share_each() ? ready : GradientReady{});
  });
  double loss[2] = {0.0, 0.0};
  for (const DirectionPass& direction : p.directions) {
    loss[direction.share().direction] += direction.loss();
  }
  std::swap(gradients.softmax, p.directions[0].softmax_gradient());
  for (std::size_t share = 1; share < p.directions.size(); ++share) {
    add_to(p.directions[share].softmax_gradient().weights, gradients.softmax.weights);
    add_to(p.directions[share].softmax_gradient().bias, gradients.softmax.bias);
  }
  if (ready) ready(parameters.all().size());

  if (options.softmax_only) {
    if (p.words) {
      gradients.parameters[*parameters.index().word_embedding].resize(
          gradients.word_rows.size() * static_cast<std::size_t>(p.model.lstm.projection_dim));
    }
    for (AlignedVector<float>& values : gradients.parameters) {
      std::fill(values.begin(), values.end(), 0.0F);
    }
  } else {
    if (!p.one_share_each()) {
      p.add_shares(p.lstm_gradients, lstm_parameters(parameters.index()), gradients, ready);
    }
    AlignedVector<float>& token_gradient = p.directions[0].token_gradient();
    for (std::size_t share = 1; share < p.directions.size(); ++share) {
      add_to(p.directions[share].token_gradient(), token_gradient);
    }
    p.encode_backward(parameters, batch, token_gradient, gradients, ready);
  }
  return {loss[0] / predictions, loss[1] / predictions};
}

LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes) {
  const auto outputs = static_cast<std::size_t>(lanes * model.lstm.projection_dim);
  const auto cells = static_cast<std::size_t>(lanes * model.lstm.dim);
  const LaneState zero{AlignedVector<float>(outputs, 0.0F), AlignedVector<float>(cells, 0.0F)};
  return LaneStates(2, std::vector<LaneState>(static_cast<std::size_t>(model.lstm.n_layers), zero));
}

}  // namespace elmo
