// The stacked LSTMs of one direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/model/lstm_layer.h"

namespace elmo {

/// All layers of one direction, with packed weights. Immutable, so threads may share it.
class LstmStack {
 public:
  /// `layers`: all layers of `direction` (0 forward, 1 backward).
  LstmStack(const LstmOptions& options, int direction, std::vector<LstmLayer> layers)
      : options_(options), direction_(direction), layers_(std::move(layers)) {}

  /// Runs all layers over the schedule. `activations` is [rows, 2L+1, P]. Reads row 0 of a token
  /// (x) and writes this direction's outputs to rows 1 + 2·layer + direction. A sentence starts
  /// from the lane of `start` that the schedule gives. If `carried` is not null, lane i starts from
  /// carried lane schedule.carried[i] and stores its last state there.
  void run(const LaneSchedule& schedule, float* activations, const LstmState& start,
           LstmState* carried, LstmWorkspace& workspace, RunMonitor& monitor) const;

  /// Copies the outputs of this direction from one row of `activations` to another.
  void copy_outputs(float* activations, std::size_t from_row, std::size_t to_row) const;

  std::size_t bytes() const;            ///< memory of the packed weights
  std::size_t recurrent_bytes() const;  ///< of these, the weights that every step reads

 private:
  LstmOptions options_;
  int direction_;
  std::vector<LstmLayer> layers_;
};

}  // namespace elmo
