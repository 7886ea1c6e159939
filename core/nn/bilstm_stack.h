// Stacked biLSTMs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/bilstm.h"

namespace elmo {

/// Each layer reads the outputs of the layer below, with dropout between them. Not for two threads
/// at once.
class BiLstmStack {
 public:
  struct Options {
    std::int64_t inputs = 0;
    std::int64_t cells = 0;  ///< per direction
    std::int64_t layers = 1;
    float dropout = 0.0F;     ///< between layers
    std::uint32_t place = 0;  ///< mask id of the dropout after the first layer; the next layers use
                              ///< the ids after it
  };

  /// Layers are named NAME_1, NAME_2, …
  BiLstmStack(const std::string& name, const Options& options);

  std::int64_t outputs() const { return lstms_.back().outputs(); }
  std::vector<Parameter*> parameters();
  void initialize(std::uint64_t seed);

  /// Replaces `to` [rows, outputs()]. `input` [rows, inputs] must not change until backward.
  void forward(const Matrix& input, const Sequences& sequences, const PassOptions& options,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  std::uint32_t place_behind(std::size_t layer) const;

  float dropout_;
  std::uint32_t place_;
  std::vector<BiLstm> lstms_;
  std::vector<Matrix> between_;  // outputs of each layer but the last, after dropout
};

}  // namespace elmo
