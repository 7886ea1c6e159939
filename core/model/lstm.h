// The LSTMs of a biLM for inference: the stacked layers of one direction, with packed weights.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/kernels/packed_matrix.h"
#include "core/kernels/precision.h"
#include "core/matrix.h"
#include "core/model/lane_schedule.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"

namespace elmo {

/// Maximum number of rows per input product.
inline constexpr std::int64_t kLstmRows = 256;

/// Output h and cell state c of every layer, for a number of lanes.
struct LstmState {
  struct Layer {
    AlignedVector<float> h;  ///< [lanes, P]
    AlignedVector<float> c;  ///< [lanes, D]
  };
  std::vector<Layer> layers;  ///< [L]

  /// The zero state.
  static LstmState zero(const LstmOptions& options, std::int64_t lanes);

  /// Returns `count` lanes, each a copy of this state's one lane.
  LstmState repeated(std::int64_t count) const;
};

/// One thread's memory for running layers. Grows as needed and is kept. Any layer may use it. Not
/// for two threads at once.
struct LstmWorkspace {
  GemmWorkspace gemm;
  AlignedVector<std::byte> inputs;          // x of a chunk of steps, in the products' input format
  AlignedVector<float> input_scales;        // int8
  AlignedVector<std::byte> sums;            // gate sums from x and h; int8: from x
  AlignedVector<std::byte> recurrent_sums;  // int8: gate sums from h
  AlignedVector<float> h;
  AlignedVector<std::byte> recurrent;     // h in the products' input format, if not float
  AlignedVector<float> recurrent_scales;  // int8
  AlignedVector<float> c;
  AlignedVector<std::byte> hidden;  // sigmoid(o)·tanh(c), float or bfloat16
  FloatProduct projection;          // int8
};

/// Progress and stop requests of a run; shared between threads.
struct RunMonitor {
  std::atomic<bool> stop = false;             ///< runs end early; their results are invalid
  std::atomic<std::uint64_t> lane_steps = 0;  ///< sum over completed steps of their lanes
};

/// An LSTM with projection (Sak et al. 2014) and packed weights:
///
///   z_t = x_t·W_x + h_{t−1}·W_h + B        gates i, j, f, o of D units each
///   c_t = clip(sigmoid(f + forget_offset)·c_{t−1} + sigmoid(i)·tanh(j), ±cell_clip)
///   h_t = clip((sigmoid(o)·tanh(c_t))·W_P, ±proj_clip)
///   y_t = h_t (+ x_t with skip connections, from the second layer on)
///
/// The columns of W_x and W_h are regrouped into blocks of units, each with its four gates side by
/// side, so that a block's sums stay in the cache between the products and the gates.
///
/// Immutable, so threads may share it.
class LstmLayer {
 public:
  /// Packs the parameters of one layer (0-based) of one direction (0 forward, 1 backward) and
  /// releases them.
  LstmLayer(const LstmOptions& options, StoredParameters& parameters, int direction,
            std::int64_t layer, Precision precision);

  /// Runs the layer over the schedule. Row r reads x [P] at from + r · row_stride and writes y [P]
  /// to to + r · row_stride. `start` and `carried` are as in LstmStack::run.
  void run(const LaneSchedule& schedule, const float* from, float* to, std::int64_t row_stride,
           const LstmState::Layer& start, LstmState::Layer* carried, LstmWorkspace& ws,
           RunMonitor& monitor) const;

 private:
  struct Block {
    PackedMatrix input;      // [P, 4·units]
    PackedMatrix recurrent;  // [P, 4·units]
    AlignedVector<float> bias;
    std::int64_t units = 0;
    std::int64_t first = 0;  // index of its first unit in the layer
  };

  // Consecutive steps whose input product is computed at once.
  struct Chunk {
    std::size_t first_step = 0;
    std::size_t last_step = 0;  // one past
    std::int64_t rows = 0;      // rows, padded for each step's product
  };

  Chunk next_chunk(const LaneSchedule& schedule, std::size_t first_step) const;
  void reserve(const LaneSchedule& schedule, LstmWorkspace& ws) const;
  void gather_inputs(const LaneSchedule& schedule, const Chunk& chunk, std::size_t first_entry,
                     const float* from, std::int64_t row_stride, LstmWorkspace& ws) const;
  void step(std::int64_t lanes, std::int64_t first_row, bool stepwise, std::int64_t chunk_rows,
            LstmWorkspace& ws) const;
  void project(std::int64_t lanes, LstmWorkspace& ws) const;

  std::int64_t units_;         // D
  std::int64_t padded_units_;  // D, rounded up to whole groups
  std::int64_t projection_;    // P
  float cell_clip_;
  float proj_clip_;
  bool skip_;
  Precision precision_;
  std::vector<Block> blocks_;
  PackedMatrix projection_weights_;  // [padded D, P], see LstmOptions
  bool has_projection_;
};

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

 private:
  LstmOptions options_;
  int direction_;
  std::vector<LstmLayer> layers_;
};

}  // namespace elmo
