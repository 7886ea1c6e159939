// Stacked LSTM layers that alternate in direction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/highway_lstm.h"
#include "core/nn/layer.h"
#include "core/nn/time_order.h"
#include "core/parallel/workers.h"

namespace elmo {

/// The deep interleaved LSTM of Zhou and Xu 2015 with the highway connections and the recurrent
/// dropout of He et al. 2017: layer 1 goes forward, layer 2 backward over its outputs, and so on.
/// The caller computes the first layer's product x·W_x, so that sequences with common inputs can
/// share it. Not for two threads at once.
class AlternatingLstm {
 public:
  struct Options {
    std::int64_t cells = 0;
    std::int64_t layers = 1;
    float dropout = 0.0F;     ///< rate for each layer's outputs; one mask for all steps of a
                              ///< sequence
    std::uint32_t place = 0;  ///< mask id of the first layer; the next layers use the ids after it
  };

  /// Layers are named NAME_1, NAME_2, …
  AlternatingLstm(const std::string& name, const Options& options);

  std::int64_t sums() const { return 6 * cells_; }  ///< columns of x·W_x: i, j, f, o, r, carry
  std::int64_t outputs() const { return cells_; }
  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, cells]. `sums` [rows, 6·cells]: x·W_x of the first layer. `sequences` (at
  /// least one) divides the rows into sequences.
  void forward(const Matrix& sums, const Sequences& sequences, const PassOptions& options,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `sums_gradient` [rows, 6·cells].
  void backward(Matrix& gradient, Workers& workers, Matrix& sums_gradient);

 private:
  const TimeOrder& order_of(std::size_t layer) const {
    return orders_[layers_[layer].reversed() ? 1 : 0];
  }
  void draw_masks(std::span<const std::int64_t> sequences, const PassOptions& options);

  std::int64_t cells_;
  float dropout_;
  std::uint32_t place_;
  std::vector<HighwayLstm> layers_;
  std::array<TimeOrder, 2> orders_;          // forward, backward
  std::vector<AlignedVector<float>> masks_;  // of each layer [sequences, cells], longest sequence
                                             // first
};

}  // namespace elmo
