// Input of the deep LSTM of semantic role labeling: the tokens of a sentence, once for each of its
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
  std::int64_t sentence = 0;   ///< index of the sentence in the batch
  std::int64_t predicate = 0;  ///< token of the predicate in the sentence
};

/// [x_t; e]·W for each token of each frame. e is one of two indicator vectors: one for the
/// predicate, one for all other tokens (He et al. 2017, section 2.1). The product with x is
/// computed once per sentence. Not for two threads at once.
class FrameInput {
 public:
  /// Parameters NAME/indicator [2, indicator] and NAME/W [inputs + indicator, outputs], all zero.
  FrameInput(const std::string& name, std::int64_t inputs, std::int64_t indicator,
             std::int64_t outputs);

  std::vector<Parameter*> parameters() { return {&indicator_.parameter(), &weights_}; }

  /// Initializes W uniformly in ±√(6 / (inputs + indicator + cells)), for the gates of `cells`
  /// cells.
  void initialize(std::uint64_t seed, std::int64_t cells);

  /// Replaces `to` [tokens of all frames, outputs], one frame after another. `input` [tokens,
  /// inputs] has the rows of `sentences`. `input`, `sentences` and `frames` must stay unchanged
  /// until backward. Requires at least one frame.
  void forward(const Matrix& input, const Sequences& sentences, std::span<const Frame> frames,
               Workers& workers, Matrix& to);

  /// `gradient` has the shape of `to` in forward. Replaces `input_gradient` [tokens, inputs].
  void backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient);

 private:
  std::int64_t inputs() const { return weights_.shape[0] - indicator_.columns(); }
  std::int64_t outputs() const { return weights_.shape[1]; }
  void sum_frames(const Matrix& gradient, Workers& workers);

  Embedding indicator_;
  Parameter weights_;

  // Of the current batch.
  const Matrix* input_ = nullptr;
  const Sequences* sentences_ = nullptr;
  std::span<const Frame> frames_;
  std::vector<std::int64_t> frame_begins_;  // first row of each frame
  Matrix token_sums_;      // [tokens, outputs], without any predicate; backward: gradients
  Matrix indicators_;      // [2, indicator]; backward: their gradients
  Matrix indicator_sums_;  // [2, outputs], the second minus the first; backward: gradients
};

}  // namespace elmo
