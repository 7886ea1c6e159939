// What the deep LSTM of semantic role labeling reads: the tokens of a sentence once for each of its
// predicates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/embedding.h"
#include "core/nn/layer.h"
#include "core/parallel/workers.h"

namespace elmo {

/// One predicate of a sentence.
struct Frame {
  std::int64_t sentence = 0;   ///< its number in the batch
  std::int64_t predicate = 0;  ///< its token
};

/// [x_t; e]·W for each token of each frame, where e is one of two vectors: that of the predicate,
/// or that of all other tokens (He et al. 2017, section 2.1). The product with x is made once a
/// sentence. Not for two threads at once.
class FrameInput {
 public:
  /// Parameters NAME/indicator [2, indicator], NAME/W [inputs + indicator, outputs], all zero.
  FrameInput(const std::string& name, std::int64_t inputs, std::int64_t indicator,
             std::int64_t outputs);

  std::vector<Parameter*> parameters() { return {&indicator_.parameter(), &weights_}; }

  /// Weights uniform on ±√(6 / (inputs + indicator + cells)), for the gates of so many cells.
  void initialize(std::uint64_t seed, std::int64_t cells);

  /// `to` [tokens of all frames, outputs] is replaced: frame after frame. `input` [tokens, inputs]
  /// has the rows of `sentences`, and has to stay as it is until backward, as have the others. At
  /// least one frame.
  void forward(const Matrix& input, const Sequences& sentences, std::span<const Frame> frames,
               Workers& workers, Matrix& to);

  /// `gradient` as `to` in forward. Replaces `input_gradient` [tokens, inputs].
  void backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient);

 private:
  std::int64_t inputs() const { return weights_.shape[0] - indicator_.columns(); }
  std::int64_t outputs() const { return weights_.shape[1]; }
  void sum_frames(const Matrix& gradient, Workers& workers);

  Embedding indicator_;
  Parameter weights_;

  // Of the batch at hand.
  const Matrix* input_ = nullptr;
  const Sequences* sentences_ = nullptr;
  std::span<const Frame> frames_;
  std::vector<std::int64_t> frame_begins_;  // rows of the frames
  Matrix token_sums_;      // [tokens, outputs], as if none were a predicate; backward: gradients
  Matrix indicators_;      // [2, indicator]; backward: their gradients
  Matrix indicator_sums_;  // [2, outputs], the second less the first; backward: gradients
};

}  // namespace elmo
