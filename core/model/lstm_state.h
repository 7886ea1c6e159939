// The state of stacked LSTMs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/options.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// Output h and cell state c of every layer, for a number of lanes.
struct LstmState {
  struct Layer {
    AlignedVector<float> h;  ///< [lanes, P]
    AlignedVector<float> c;  ///< [lanes, D]
  };
  std::vector<Layer> layers;  ///< [L]
  std::int64_t lanes = 0;

  /// The zero state.
  static LstmState zero(const LstmOptions& options, std::int64_t lanes);

  /// Returns `count` lanes, each a copy of this state's one lane.
  LstmState repeated(std::int64_t count) const;

  /// Returns the lanes of this state followed by those of `others`.
  LstmState followed_by(const LstmState& others) const;
};

}  // namespace elmo
