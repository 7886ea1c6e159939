// Feed-forward networks: maxout layers, and scores on top of precomputed sums.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/nn/affine.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

/// Maxout (Goodfellow et al. 2013) over the sums of a linear layer: out[r, c] is the largest of
/// in[r, c·pool] … in[r, c·pool + pool − 1]. Of equal values, the first gets the gradient. Not for
/// two threads at once.
class Maxout {
 public:
  explicit Maxout(std::int64_t pool) : pool_(pool) {}

  /// Replaces `out` [N, D]. `in` is [N, pool · D].
  void forward(const Matrix& in, Matrix& out);

  /// Replaces `in_gradient` [N, pool · D].
  void backward(const Matrix& out_gradient, Matrix& in_gradient) const;

 private:
  std::int64_t pool_;
  std::vector<std::int64_t> where_;  // [N, D], indices of the largest values in `in`
};

/// Stacked maxout layers (Goodfellow et al. 2013), with dropout after all but the last. Not for two
/// threads at once.
class MaxoutNetwork {
 public:
  struct Options {
    std::int64_t inputs = 0;
    std::vector<std::int64_t> outputs;  ///< outputs of each layer
    std::int64_t pool = 4;              ///< number of sums per output
    float dropout = 0.0F;
    std::uint32_t mask_id = 0;  ///< mask id of the first layer's dropout; the next layers use the
                                ///< ids after it
  };

  /// Layers are named NAME_1, NAME_2, …
  MaxoutNetwork(const std::string& name, const Options& options);

  std::vector<Parameter*> parameters() { return parameters_of(layers_); }
  void initialize(std::uint64_t seed) { initialize_layers(seed, layers_); }

  /// Replaces `to` [rows, outputs of the last layer]. `input` [rows, inputs] must not change until
  /// backward.
  void forward(const Matrix& input, const PassOptions& options, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  struct Layer {
    Affine linear;
    Maxout maxout;
    Matrix outputs;  // of all layers but the last, after dropout

    std::vector<Parameter*> parameters() { return linear.parameters(); }
    void initialize(std::uint64_t seed) { linear.initialize(seed); }
  };

  std::uint32_t mask_id_after(std::size_t layer) const;

  float dropout_;
  std::uint32_t mask_id_;
  std::vector<Layer> layers_;
  Matrix sums_;  // of the current layer, and their gradient
};

/// w · max(max(z, 0)·W + b, 0) + c for the sums z of each row, with dropout after both ReLU layers:
/// the networks with two hidden layers of Lee et al. 2017 (section 4). The caller computes the
/// first layer's sums z, because many rows may share parts of its inputs. Not for two threads at
/// once.
class ScoreNetwork {
 public:
  /// Parameters NAME/hidden/W [columns, columns], NAME/hidden/b [columns], NAME/score/W [columns]
  /// and NAME/score/b [1], all zero. `mask_id` and `mask_id` + 1 are the ids of its dropout masks.
  ScoreNetwork(const std::string& name, std::int64_t columns, float dropout, std::uint32_t mask_id);

  std::int64_t columns() const { return hidden_bias_.shape[0]; }
  std::vector<Parameter*> parameters();
  /// Sets Glorot weights and zero biases.
  void initialize(std::uint64_t seed);

  /// Replaces `scores` [rows]. Overwrites `sums` [rows, columns] with the first layer's outputs,
  /// which must not change until backward.
  void forward(Matrix& sums, const PassOptions& options, Workers& workers,
               AlignedVector<float>& scores);

  /// Computes the scores of `rows` rows without dropout and without keeping anything for backward.
  /// `hidden` is scratch memory and grows as needed. Any thread, while nothing changes the
  /// parameters.
  void score(float* sums, std::int64_t rows, AlignedVector<float>& hidden, float* scores) const;

  /// `gradient` [rows]: with respect to the scores. Replaces `sum_gradient`, the gradient with
  /// respect to the sums.
  void backward(const AlignedVector<float>& gradient, const PassOptions& options, Workers& workers,
                Matrix& sum_gradient);

 private:
  float dropout_;
  std::uint32_t mask_id_;
  Parameter hidden_weights_;
  Parameter hidden_bias_;
  Parameter score_weights_;
  Parameter score_bias_;

  const Matrix* first_ = nullptr;  // outputs of the first layer
  Matrix hidden_;                  // [rows, columns], outputs of the second layer
  Matrix hidden_gradient_;
};

}  // namespace elmo
