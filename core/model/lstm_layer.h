// One LSTM layer of one direction.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/float_product.h"
#include "core/kernels/gemm.h"
#include "core/kernels/precision.h"
#include "core/model/lane_schedule.h"
#include "core/model/lstm_state.h"
#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// One thread's memory for running layers: grows to what is needed and is kept. Not for two threads
/// at once; any layer may use it.
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
  AlignedVector<std::byte> hidden;  // sigmoid(o)·tanh(c), float or bfloat16
  FloatProduct projection;          // int8
};

/// Progress and stop requests of a run; shared between threads.
struct RunMonitor {
  std::atomic<bool> stop = false;             ///< runs end early, their results being worthless
  std::atomic<std::uint64_t> lane_steps = 0;  ///< steps done, times the lanes of each
};

/// An LSTM with projection (Sak et al. 2014), weights packed:
///
///   z_t = x_t·W_x + h_{t−1}·W_h + B        gates i, j, f, o of D units each
///   c_t = clip(sigmoid(f + forget_offset)·c_{t−1} + sigmoid(i)·tanh(j), ±cell_clip)
///   h_t = clip((sigmoid(o)·tanh(c_t))·W_P, ±proj_clip)
///   y_t = h_t (+ x_t with skip connections, from the second layer on)
///
/// The columns of W_x and W_h are regrouped into blocks of units, each block's four gates side by
/// side, so that a block's sums go from the products to the gates without leaving the cache.
///
/// Immutable, so threads may share it.
class LstmLayer {
 public:
  /// Packs the parameters of one layer (0-based) of one direction (0 forward, 1 backward) and
  /// releases them.
  LstmLayer(const LstmOptions& options, StoredParameters& parameters, int direction,
            std::int64_t layer, Precision precision);

  /// Runs the layer over the schedule: row r reads x at from + r · row_stride [P] and writes y to
  /// to + r · row_stride [P]. `start` and `carried` as in LstmStack::run.
  void run(const LaneSchedule& schedule, const float* from, float* to, std::int64_t row_stride,
           const LstmState::Layer& start, LstmState::Layer* carried, LstmWorkspace& ws,
           RunMonitor& monitor) const;

  std::size_t bytes() const;            ///< memory of the packed weights
  std::size_t recurrent_bytes() const;  ///< of these, what every step reads

 private:
  struct Block {
    PackedMatrix input;      // [P, 4·units]
    PackedMatrix recurrent;  // [P, 4·units]
    AlignedVector<float> bias;
    std::int64_t units = 0;
    std::int64_t first = 0;  // its first unit in the layer
  };

  // Rows of consecutive steps whose input product is taken at once.
  struct Chunk {
    std::size_t first_step = 0;
    std::size_t last_step = 0;  // one past
    std::int64_t rows = 0;      // with each step padded as its product is
  };

  Chunk next_chunk(const LaneSchedule& schedule, std::size_t first_step) const;
  void reserve(const LaneSchedule& schedule, LstmWorkspace& ws) const;
  void gather_inputs(const LaneSchedule& schedule, const Chunk& chunk, std::size_t first_entry,
                     const float* from, std::int64_t row_stride, LstmWorkspace& ws) const;
  void step(std::int64_t lanes, std::int64_t first_row, bool stepwise, std::int64_t chunk_rows,
            LstmWorkspace& ws) const;
  void project(std::int64_t lanes, LstmWorkspace& ws) const;

  std::int64_t units_;         // D
  std::int64_t padded_units_;  // D in whole groups
  std::int64_t projection_;    // P
  float cell_clip_;
  float proj_clip_;
  bool skip_;
  Precision precision_;
  std::vector<Block> blocks_;
  PackedMatrix projection_weights_;  // [padded D, P], see LstmOptions
  bool has_projection_;
};

}  // namespace elmo
