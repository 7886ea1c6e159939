// The stacked LSTMs of one direction.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/kernels/gemm.h"
#include "core/kernels/precision.h"
#include "core/model/lane_schedule.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
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

  /// `count` lanes, each with the state of the one lane of this.
  LstmState repeated(std::int64_t count) const;

  /// The lanes of this, then those of `others`.
  LstmState followed_by(const LstmState& others) const;
};

/// One thread's memory for running stacks: grows to what is needed and is kept. Not for two threads
/// at once; any stack may use it.
struct LstmWorkspace {
  GemmWorkspace gemm;
  AlignedVector<std::byte> inputs;          // x of a chunk of steps, as the products take it
  AlignedVector<float> input_scales;        // int8
  AlignedVector<std::byte> sums;            // gate sums from x and h; int8: from x
  AlignedVector<std::byte> recurrent_sums;  // int8: gate sums from h
  AlignedVector<float> h;
  AlignedVector<std::byte> recurrent;     // h as the products take it, where that is not float
  AlignedVector<float> recurrent_scales;  // int8
  AlignedVector<float> c;
  AlignedVector<std::byte> hidden;        // sigmoid(o)·tanh(c), float or bfloat16
  AlignedVector<std::byte> quantized;     // int8: hidden as the projection takes it
  AlignedVector<float> hidden_scales;     // int8
  AlignedVector<std::int32_t> projected;  // int8: sums of the projection
};

/// What a run tells and is told while it goes on; shared between threads.
struct RunMonitor {
  std::atomic<bool> stop = false;             ///< runs end early, their results being worthless
  std::atomic<std::uint64_t> lane_steps = 0;  ///< steps done, times the lanes of each
};

/// All layers of one direction, weights packed. Immutable, so threads may share it.
class LstmStack {
 public:
  /// Packs the parameters of `direction` (0 forward, 1 backward) and empties them.
  LstmStack(const LstmOptions& options, Parameters& parameters, int direction, Precision precision);
  ~LstmStack();
  LstmStack(LstmStack&&) noexcept;
  LstmStack& operator=(LstmStack&&) noexcept;

  /// Runs all layers over the schedule. `activations` is [rows, 2L+1, P]: row 0 of a token (x) is
  /// read, and the outputs of this direction are written to rows 1 + 2·layer + direction. A
  /// sentence starts from `start` (one lane). Where `carried` is given, lane i begins with carried
  /// lane schedule.carried[i] and leaves its last state there.
  void run(const LaneSchedule& schedule, float* activations, const LstmState& start,
           LstmState* carried, LstmWorkspace& workspace, RunMonitor& monitor) const;

  /// Copies the outputs of this direction from one row of `activations` to another.
  void copy_outputs(float* activations, std::size_t from_row, std::size_t to_row) const;

  std::size_t bytes() const;  ///< memory of the packed weights
  std::size_t recurrent_bytes()
      const;  ///< of these, what every step reads: recurrent and projection

 private:
  class Layer;
  LstmOptions options_;
  int direction_;
  std::vector<std::unique_ptr<const Layer>> layers_;
};

}  // namespace elmo
