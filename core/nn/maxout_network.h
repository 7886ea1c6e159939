// A maxout network, from the vector of a text to its label scores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/linear.h"
#include "core/nn/maxout.h"
#include "core/parallel/workers.h"

namespace elmo {

/// Stacked maxout layers (Goodfellow et al. 2013), with dropout after all but the last. Not for two
/// threads at once.
class MaxoutNetwork {
 public:
  struct Options {
    std::int64_t inputs = 0;
    std::vector<std::int64_t> outputs;  ///< of each layer
    std::int64_t pool = 4;              ///< number of sums per output
    float dropout = 0.0F;
    std::uint32_t place = 0;  ///< mask id of the first layer's dropout; the next layers use the ids
                              ///< after it
  };

  /// Layers are named NAME_1, NAME_2, …
  MaxoutNetwork(const std::string& name, const Options& options);

  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, outputs of the last layer]. `input` [rows, inputs] must not change until
  /// backward.
  void forward(const Matrix& input, const PassOptions& options, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  struct Layer {
    Linear linear;
    Maxout maxout;
    Matrix outputs;  // of all layers but the last, after dropout
  };

  std::uint32_t place_behind(std::size_t layer) const;

  float dropout_;
  std::uint32_t place_;
  std::vector<Layer> layers_;
  Matrix sums_;  // of the current layer, and their gradient
};

}  // namespace elmo
