// Recurrent states of lanes in training, and the division of lanes among workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/model/options.h"
#include "core/tensor/aligned.h"
#include "core/train/bilm/lane_stream.h"

namespace elmo {

/// State of one LSTM layer for all lanes, kept from batch to batch.
struct LaneState {
  AlignedVector<float> output;  ///< h [B, P], before any skip connection
  AlignedVector<float> cell;    ///< c [B, D]
};

/// [direction][layer]; direction 0 is forward.
using LaneStates = std::vector<std::vector<LaneState>>;

/// Zero states for `lanes` lanes.
LaneStates zero_lane_states(const ModelOptions& model, std::int64_t lanes);

/// Lanes of one direction that one worker computes together.
struct LaneShare {
  std::size_t direction = 0;  ///< 0 forward, 1 backward
  std::int64_t first = 0;     ///< lane of the batch
  LaneRange lanes;            ///< the same b lanes, counted among all trained lanes

  bool is_first() const { return direction == 0 && is_first_of_direction(); }
  bool is_first_of_direction() const { return first == 0; }
};

}  // namespace elmo
