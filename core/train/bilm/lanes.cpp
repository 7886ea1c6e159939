#include "core/train/bilm/lanes.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/kernels/random.h"

namespace elmo {
namespace {

/// floor(lane · sentences / lanes), computed without overflow.
std::uint64_t share_begin(std::uint64_t lane, std::uint64_t lanes, std::uint64_t sentences) {
  return lane * (sentences / lanes) + lane * (sentences % lanes) / lanes;
}

/// Inputs and targets of one step in both directions.
struct Step {
  std::uint32_t inputs[2];
  std::uint32_t targets[2];
};

Step step_of(std::span<const std::uint32_t> sentence, std::uint64_t step) {
  const std::uint64_t n = sentence.size();
  const bool first = step == 0;
  const bool last = step == n;
  return {{first ? kBeginSentenceType : sentence[step - 1],
           first ? kEndSentenceType : sentence[n - step]},
          {last ? kEndSentenceType : sentence[step],
           last ? kBeginSentenceType : sentence[n - 1 - step]}};
}

}  // namespace

LaneRange lanes_of_rank(std::int64_t all, int rank, int ranks) {
  const std::int64_t first = rank * all / ranks;
  return {first, (rank + 1) * all / ranks - first, all};
}

LaneStream::LaneStream(const Corpus& corpus, TrainingState state, const LaneRange& lanes,
                       std::int64_t steps, std::uint64_t seed)
    : corpus_(corpus),
      state_(state),
      lanes_(lanes),
      steps_(steps),
      seed_(seed),
      positions_(static_cast<std::size_t>(lanes.all)) {}

std::uint64_t LaneStream::share_size(std::int64_t lane) const {
  const auto index = static_cast<std::uint64_t>(lane);
  const std::uint64_t lanes = positions_.size();
  const std::uint64_t sentences = corpus_.sentence_count();
  const std::uint64_t size =
      share_begin(index + 1, lanes, sentences) - share_begin(index, lanes, sentences);
  return std::max<std::uint64_t>(1, size);  // fewer sentences than lanes: share them
}

std::uint64_t LaneStream::sentence_at(std::int64_t lane, const LanePosition& position) const {
  const std::uint64_t sentences = corpus_.sentence_count();
  const std::uint64_t index =
      share_begin(static_cast<std::uint64_t>(lane), positions_.size(), sentences) +
      position.sentence;
  if (state_ == TrainingState::carry) return index;
  return Permutation(sentences, random_key(seed_, RandomUse::shuffle, position.epoch))(index);
}

void LaneStream::next(TrainingBatch& batch) {
  const auto lanes = static_cast<std::size_t>(lanes_.count);
  const auto steps = static_cast<std::size_t>(steps_);
  batch.steps = steps_;
  batch.lanes = lanes_.count;
  batch.elsewhere.clear();
  batch.read_elsewhere.clear();
  batch.resets.resize(steps * lanes);
  std::vector<std::uint32_t> inputs[2];
  for (int direction = 0; direction < 2; ++direction) {
    inputs[direction].resize(steps * lanes);
    batch.targets[direction].resize(steps * lanes);
  }

  for (std::int64_t lane_number = 0; lane_number < lanes_.all; ++lane_number) {
    const std::int64_t column = lane_number - lanes_.first;  // of the batch
    const bool elsewhere = column < 0 || column >= lanes_.count;
    LanePosition& position = positions_[static_cast<std::size_t>(lane_number)];
    std::span<const std::uint32_t> sentence = corpus_.sentence(sentence_at(lane_number, position));
    for (std::size_t t = 0; t < steps; ++t) {
      const Step step = step_of(sentence, position.step);
      for (int direction = 0; direction < 2; ++direction) {
        const std::int32_t target = corpus_.targets[step.targets[direction]];
        if (elsewhere) {
          batch.elsewhere.push_back(target);
          batch.read_elsewhere.push_back(step.inputs[direction]);
          continue;
        }
        const std::size_t index = t * lanes + static_cast<std::size_t>(column);
        inputs[direction][index] = step.inputs[direction];
        batch.targets[direction][index] = target;
        batch.resets[index] = state_ == TrainingState::sentence && position.step == 0;
      }

      if (++position.step <= sentence.size()) continue;
      position.step = 0;
      if (++position.sentence == share_size(lane_number)) {
        position.sentence = 0;
        ++position.epoch;
      }
      sentence = corpus_.sentence(sentence_at(lane_number, position));
    }
  }

  batch.types = inputs[0];
  batch.types.insert(batch.types.end(), inputs[1].begin(), inputs[1].end());
  std::sort(batch.types.begin(), batch.types.end());
  batch.types.erase(std::unique(batch.types.begin(), batch.types.end()), batch.types.end());
  for (int direction = 0; direction < 2; ++direction) {
    batch.inputs[direction].resize(steps * lanes);
    std::transform(inputs[direction].begin(), inputs[direction].end(),
                   batch.inputs[direction].begin(), [&batch](std::uint32_t type) {
                     const auto at = std::lower_bound(batch.types.begin(), batch.types.end(), type);
                     return static_cast<std::int32_t>(at - batch.types.begin());
                   });
  }
}

void LaneStream::restore(std::vector<LanePosition> positions) {
  if (positions.size() != positions_.size()) {
    throw InputError("there are positions of " + std::to_string(positions.size()) +
                     " lanes; expected " + std::to_string(positions_.size()) +
                     ": continue with the same number of lanes");
  }
  for (std::size_t lane = 0; lane < positions.size(); ++lane) {
    const auto lane_number = static_cast<std::int64_t>(lane);
    const LanePosition& position = positions[lane];
    const auto refuse = [lane](const std::string& found, std::uint64_t limit) {
      throw InputError("lane " + std::to_string(lane) + " stands at " + found + " of " +
                       std::to_string(limit) + "; continue with the training corpus");
    };
    if (position.sentence >= share_size(lane_number)) {
      refuse("sentence " + std::to_string(position.sentence), share_size(lane_number));
    }
    const std::uint64_t steps = corpus_.sentence(sentence_at(lane_number, position)).size() + 1;
    if (position.step >= steps) refuse("step " + std::to_string(position.step), steps);
  }
  positions_ = std::move(positions);
}

RankStates::RankStates(Communicator& communicator, const ModelOptions& model,
                       const LaneRange& lanes)
    : communicator_(communicator),
      model_(model),
      lanes_(lanes),
      own_{LstmState::zero(model.lstm, lanes.count), LstmState::zero(model.lstm, lanes.count)} {}

LaneStates& RankStates::all() {
  if (is_alone()) return own_;
  if (all_[0].layers.empty()) all_.fill(LstmState::zero(model_.lstm, lanes_.all));
  return all_;
}

void RankStates::gather() {
  if (is_alone()) return;
  for (std::size_t direction = 0; direction < own_.size(); ++direction) {
    for (std::size_t layer = 0; layer < own_[direction].layers.size(); ++layer) {
      LstmState::Layer none;
      LstmState::Layer& to = communicator_.rank() == 0 ? all()[direction].layers[layer] : none;
      communicator_.gather(own_[direction].layers[layer].h, to.h);
      communicator_.gather(own_[direction].layers[layer].c, to.c);
    }
  }
}

void RankStates::share() {
  if (is_alone()) return;
  const auto share = [&](AlignedVector<float>& from, AlignedVector<float>& to) {
    broadcast(communicator_, std::span<float>(from));
    const auto width = static_cast<std::int64_t>(from.size()) / lanes_.all;
    std::copy_n(from.begin() + lanes_.first * width, lanes_.count * width, to.begin());
  };
  for (std::size_t direction = 0; direction < own_.size(); ++direction) {
    for (std::size_t layer = 0; layer < own_[direction].layers.size(); ++layer) {
      share(all()[direction].layers[layer].h, own_[direction].layers[layer].h);
      share(all()[direction].layers[layer].c, own_[direction].layers[layer].c);
    }
  }
  if (communicator_.rank() > 0) all_ = {};
}

}  // namespace elmo
