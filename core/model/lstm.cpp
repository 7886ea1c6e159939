#include "core/model/lstm.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/lstm_step.h"

namespace elmo {

LstmState LstmState::zero(const LstmOptions& options, std::int64_t lanes) {
  LstmState state;
  state.layers.resize(static_cast<std::size_t>(options.n_layers));
  for (Layer& layer : state.layers) {
    layer.h.assign(static_cast<std::size_t>(lanes * options.projection_dim), 0.0F);
    layer.c.assign(static_cast<std::size_t>(lanes * options.dim), 0.0F);
  }
  return state;
}

LstmState LstmState::repeated(std::int64_t count) const {
  LstmState result;
  for (const Layer& layer : layers) {
    Layer& copies = result.layers.emplace_back();
    for (std::int64_t lane = 0; lane < count; ++lane) {
      copies.h.insert(copies.h.end(), layer.h.begin(), layer.h.end());
      copies.c.insert(copies.c.end(), layer.c.begin(), layer.c.end());
    }
  }
  return result;
}

namespace {

// Number of hidden units per block. The gate sums of a block for a step of 384 lanes then take at
// most 768 KiB, and are still in the L2 cache when the gates are computed.
constexpr std::int64_t kBlockUnits = 128;

// With this many lanes or more, the input product is computed step by step, so that its sums stay
// in the cache. With fewer lanes, the input weights are read once for many steps instead.
constexpr std::int64_t kStepwiseLanes = 64;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return (value + step - 1) / step * step;
}

// Number of rows to prefetch ahead, because the rows of a step are far apart in memory.
constexpr std::int64_t kRowsAhead = 8;

void prefetch(const float* row, std::int64_t size) {
  constexpr std::int64_t kLine = kCacheLine / sizeof(float);
  for (std::int64_t at = 0; at < size; at += kLine) __builtin_prefetch(row + at);
}

}  // namespace

LstmLayer::LstmLayer(const LstmOptions& options, StoredParameters& parameters, int direction,
                     std::int64_t layer, Precision precision)
    : units_(options.dim),
      padded_units_(round_up(options.dim, kHiddenGroup)),
      projection_(options.projection_dim),
      cell_clip_(options.cell_clip.value_or(kNoClip)),
      proj_clip_(options.proj_clip.value_or(kNoClip)),
      skip_(options.use_skip_connections && layer > 0),
      precision_(precision),
      has_projection_(options.has_projection()) {
  const LstmIndex& index =
      parameters.index().lstm[static_cast<std::size_t>(direction)][static_cast<std::size_t>(layer)];
  WeightMemory& memory = parameters.packed_memory();
  AlignedVector<float> gathered;
  for (std::int64_t first = 0; first < padded_units_; first += kBlockUnits) {
    Block block;
    block.first = first;
    block.units = std::min(kBlockUnits, padded_units_ - first);
    const std::int64_t real = std::min(block.units, units_ - first);
    const std::int64_t columns = 4 * block.units;
    const auto gather = [&](std::size_t parameter, std::int64_t row, float* to) {  // 4·units of 4D
      for (std::int64_t gate = 0; gate < 4; ++gate) {
        parameters.copy(parameter, static_cast<std::size_t>((4 * row + gate) * units_ + first),
                        {to + gate * block.units, static_cast<std::size_t>(real)});
      }
    };
    const auto pack = [&](std::int64_t first_row) {
      gathered.resize(static_cast<std::size_t>(projection_ * columns));
      if (real < block.units) std::fill(gathered.begin(), gathered.end(), 0.0F);
      for (std::int64_t k = 0; k < projection_; ++k) {
        gather(index.gates.weights, first_row + k, gathered.data() + k * columns);
      }
      return PackedMatrix(gathered.data(), projection_, columns, columns, precision_, memory);
    };
    block.input = pack(0);
    block.recurrent = pack(projection_);
    block.bias.assign(static_cast<std::size_t>(columns), 0.0F);
    gather(index.gates.bias, 0, block.bias.data());
    for (std::int64_t unit = 0; unit < real; ++unit) {
      block.bias[static_cast<std::size_t>(2 * block.units + unit)] += options.forget_offset;
    }
    blocks_.push_back(std::move(block));
  }
  parameters.release(index.gates.weights);
  parameters.release(index.gates.bias);

  if (index.projection && padded_units_ == units_) {
    projection_weights_ = parameters.pack(*index.projection, precision_, gathered);
  } else if (index.projection) {
    AlignedVector<float> projection = parameters.take(*index.projection);
    projection.resize(static_cast<std::size_t>(padded_units_ * projection_), 0.0F);
    projection_weights_ = PackedMatrix(projection.data(), padded_units_, projection_, projection_,
                                       precision_, memory);
  }
}

LstmLayer::Chunk LstmLayer::next_chunk(const LaneSchedule& schedule, std::size_t first_step) const {
  Chunk chunk{first_step, first_step, 0};
  do {
    chunk.rows += GemmWorkspace::padded_rows(schedule.lanes_at[chunk.last_step]);
    ++chunk.last_step;
  } while (schedule.lanes_at[first_step] < kStepwiseLanes &&
           chunk.last_step < schedule.lanes_at.size() &&
           chunk.rows + GemmWorkspace::padded_rows(schedule.lanes_at[chunk.last_step]) <=
               kLstmRows);
  return chunk;
}

void LstmLayer::reserve(const LaneSchedule& schedule, LstmWorkspace& ws) const {
  const std::int64_t lanes = GemmWorkspace::padded_rows(schedule.lanes());
  // Any schedule may end in steps of few lanes, which are computed in chunks. A short schedule may
  // fit in one chunk.
  std::int64_t all_rows = 0;
  for (std::size_t t = 0; t < schedule.lanes_at.size() && all_rows < kLstmRows; ++t) {
    all_rows += GemmWorkspace::padded_rows(schedule.lanes_at[t]);
  }
  const std::int64_t chunk_rows = std::min(GemmWorkspace::padded_rows(all_rows), kLstmRows);
  const std::int64_t rows = std::max(lanes, chunk_rows);
  const std::int64_t units = blocks_.front().units;
  const auto input_size = static_cast<std::int64_t>(input_bytes(precision_));
  constexpr std::int64_t kSumBytes = 4;
  grow(ws.inputs, rows * projection_ * input_size);
  grow(ws.sums, 4 * std::max(lanes * units, chunk_rows * padded_units_) * kSumBytes);
  grow(ws.h, lanes * projection_);
  grow(ws.c, lanes * padded_units_);
  grow(ws.hidden, lanes * padded_units_ * kSumBytes);
  if (precision_ != Precision::float32) grow(ws.recurrent, lanes * projection_ * input_size);
  if (precision_ == Precision::int8) {
    grow(ws.input_scales, rows);
    grow(ws.recurrent_sums, 4 * lanes * units * kSumBytes);
    grow(ws.recurrent_scales, lanes);
  }
}

void LstmLayer::gather_inputs(const LaneSchedule& schedule, const Chunk& chunk,
                              std::size_t first_entry, const float* from, std::int64_t row_stride,
                              LstmWorkspace& ws) const {
  std::size_t entry = first_entry;
  std::int64_t step_row = 0;
  const auto row_bytes = projection_ * static_cast<std::int64_t>(input_bytes(precision_));
  for (std::size_t t = chunk.first_step; t < chunk.last_step; ++t) {
    const std::int64_t lanes = schedule.lanes_at[t];
    for (std::int64_t lane = 0; lane < lanes; ++lane, ++entry) {
      if (lane + kRowsAhead < lanes) {
        prefetch(from + schedule.rows[entry + kRowsAhead] * row_stride, projection_);
      }
      const std::int64_t row = step_row + lane;
      convert_rows(from + schedule.rows[entry] * row_stride, 1, projection_, projection_,
                   precision_, ws.inputs.data() + row * row_bytes,
                   precision_ == Precision::int8 ? ws.input_scales.data() + row : nullptr);
    }
    step_row += GemmWorkspace::padded_rows(lanes);
  }
}

// Computes one step, block by block: gate sums, then cell state and hidden output, then the
// projection.
void LstmLayer::step(std::int64_t lanes, std::int64_t first_row, bool stepwise,
                     std::int64_t chunk_rows, LstmWorkspace& ws) const {
  const void* recurrent = ws.h.data();
  if (precision_ != Precision::float32) {
    convert_rows(ws.h.data(), lanes, projection_, projection_, precision_, ws.recurrent.data(),
                 ws.recurrent_scales.data());
    recurrent = ws.recurrent.data();
  }
  for (const Block& block : blocks_) {
    const std::int64_t columns = 4 * block.units;
    // In chunks, sums are stored block by block; stepwise, only for one block at a time.
    const std::int64_t block_offset = stepwise ? 0 : 4 * block.first * chunk_rows;
    std::byte* sums = ws.sums.data() + (block_offset + first_row * columns) * 4;
    if (stepwise) ws.gemm.multiply(ws.inputs.data(), block.input, sums, lanes, false);

    GateBlock gates;
    gates.rows = lanes;
    gates.hidden = block.units;
    gates.bias = block.bias.data();
    gates.cell = ws.c.data() + block.first;
    gates.cell_stride = padded_units_;
    gates.cell_clip = cell_clip_;
    gates.output_stride = padded_units_;
    if (precision_ == Precision::int8) {
      auto* recurrent_sums = reinterpret_cast<std::int32_t*>(ws.recurrent_sums.data());
      ws.gemm.multiply(recurrent, block.recurrent, recurrent_sums, lanes, false);
      QuantizedSums z;
      z.input_sums = reinterpret_cast<const std::int32_t*>(sums);
      z.input_scales = ws.input_scales.data() + first_row;
      z.input_column_scales = block.input.scales().data();
      z.input_offsets = block.input.offsets().data();
      z.recurrent_sums = recurrent_sums;
      z.recurrent_scales = ws.recurrent_scales.data();
      z.recurrent_column_scales = block.recurrent.scales().data();
      z.recurrent_offsets = block.recurrent.offsets().data();
      gates.output = reinterpret_cast<float*>(ws.hidden.data()) + block.first;
      lstm_gates(z, gates);
    } else {
      ws.gemm.multiply(recurrent, block.recurrent, sums, lanes, true);
      gates.bfloat16_output = precision_ == Precision::bfloat16 && has_projection_;
      gates.output = ws.hidden.data() + block.first * (gates.bfloat16_output ? 2 : 4);
      lstm_gates(FloatSums{reinterpret_cast<const float*>(sums)}, gates);
    }
  }
  project(lanes, ws);
}

void LstmLayer::project(std::int64_t lanes, LstmWorkspace& ws) const {
  if (!has_projection_) {
    const auto* hidden = reinterpret_cast<const float*>(ws.hidden.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      std::copy_n(hidden + lane * padded_units_, projection_, ws.h.data() + lane * projection_);
    }
    return;
  }
  if (precision_ == Precision::int8) {
    ws.projection.set_input(reinterpret_cast<const float*>(ws.hidden.data()), lanes, padded_units_,
                            precision_);
    ws.projection.multiply(projection_weights_, ws.h.data(), ws.gemm);
  } else {
    ws.gemm.multiply(ws.hidden.data(), projection_weights_, ws.h.data(), lanes, false);
  }
  float* h = ws.h.data();
  // With this order of arguments, NaN stays NaN.
  for (std::int64_t i = 0; i < lanes * projection_; ++i) {
    h[i] = std::max(std::min(h[i], proj_clip_), -proj_clip_);
  }
}

void LstmLayer::run(const LaneSchedule& schedule, const float* from, float* to,
                    std::int64_t row_stride, const LstmState::Layer& start,
                    LstmState::Layer* carried, LstmWorkspace& ws, RunMonitor& monitor) const {
  reserve(schedule, ws);
  const auto load = [&](std::int64_t lane, const LstmState::Layer& state, std::int64_t number) {
    std::copy_n(state.h.data() + number * projection_, projection_,
                ws.h.data() + lane * projection_);
    std::copy_n(state.c.data() + number * units_, units_, ws.c.data() + lane * padded_units_);
    std::fill_n(ws.c.data() + lane * padded_units_ + units_, padded_units_ - units_, 0.0F);
  };
  const auto keep = [&](std::int64_t lane) {
    const std::int64_t number = schedule.carried[static_cast<std::size_t>(lane)];
    std::copy_n(ws.h.data() + lane * projection_, projection_,
                carried->h.data() + number * projection_);
    std::copy_n(ws.c.data() + lane * padded_units_, units_, carried->c.data() + number * units_);
  };
  if (carried != nullptr) {
    for (std::int64_t lane = 0; lane < schedule.lanes(); ++lane) {
      load(lane, *carried, schedule.carried[static_cast<std::size_t>(lane)]);
    }
  }

  std::size_t entry = 0;
  for (std::size_t t = 0; t < schedule.lanes_at.size() && !monitor.stop;) {
    const Chunk chunk = next_chunk(schedule, t);
    const bool stepwise = schedule.lanes_at[t] >= kStepwiseLanes;
    gather_inputs(schedule, chunk, entry, from, row_stride, ws);
    if (!stepwise) {
      for (const Block& block : blocks_) {
        ws.gemm.multiply(ws.inputs.data(), block.input,
                         ws.sums.data() + 4 * block.first * chunk.rows * 4, chunk.rows, false);
      }
    }
    std::int64_t first_row = 0;
    for (; t < chunk.last_step; ++t) {
      const std::int64_t lanes = schedule.lanes_at[t];
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int32_t number = schedule.starts[entry + static_cast<std::size_t>(lane)];
        if (number != LaneSchedule::kContinue) load(lane, start, number);
      }
      step(lanes, stepwise ? 0 : first_row, stepwise, chunk.rows, ws);
      for (std::int64_t lane = 0; lane < lanes; ++lane, ++entry) {
        const float* h = ws.h.data() + lane * projection_;
        const std::int64_t offset = schedule.rows[entry] * row_stride;
        const float* input = from + offset;
        float* output = to + offset;
        for (std::int64_t p = 0; p < projection_; ++p) {
          output[p] = skip_ ? h[p] + input[p] : h[p];
        }
      }
      first_row += GemmWorkspace::padded_rows(lanes);
      monitor.lane_steps += static_cast<std::uint64_t>(lanes);
      if (carried != nullptr) {
        const std::int64_t next = t + 1 < schedule.lanes_at.size() ? schedule.lanes_at[t + 1] : 0;
        for (std::int64_t lane = next; lane < lanes; ++lane) keep(lane);
      }
    }
  }
}

void LstmStack::run(const LaneSchedule& schedule, float* activations, const LstmState& start,
                    LstmState* carried, LstmWorkspace& workspace, RunMonitor& monitor) const {
  if (schedule.lanes_at.empty()) return;  // without tokens, `activations` may be null
  const std::int64_t projection = options_.projection_dim;
  const std::int64_t row_stride = (2 * options_.n_layers + 1) * projection;
  const float* from = activations;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    float* to = activations + (1 + 2 * static_cast<std::int64_t>(layer) + direction_) * projection;
    layers_[layer].run(schedule, from, to, row_stride, start.layers[layer],
                       carried != nullptr ? &carried->layers[layer] : nullptr, workspace, monitor);
    from = to;
  }
}

void LstmStack::copy_outputs(float* activations, std::size_t from_row, std::size_t to_row) const {
  const auto width = static_cast<std::size_t>(options_.projection_dim);
  const std::size_t rows = 2 * static_cast<std::size_t>(options_.n_layers) + 1;
  for (auto row = 1 + static_cast<std::size_t>(direction_); row < rows; row += 2) {
    std::copy_n(activations + (from_row * rows + row) * width, width,
                activations + (to_row * rows + row) * width);
  }
}

}  // namespace elmo
