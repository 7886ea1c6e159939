// Changes a model's parameters by their gradients.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/train/backpropagation.h"
#include "core/train/training_options.h"
#include "core/train/workers.h"

namespace elmo {

/// One array of a training's state by name, for checkpoints.
struct StateArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
};

/// The norm of all gradients together, before any scaling.
double global_norm(const Gradients& gradients);

/// Keeps the moments (Adam) or the accumulators (Adagrad) of every parameter. Rows of the softmax
/// change only in steps that touch them, and so do their moments.
class ParameterUpdate {
 public:
  ParameterUpdate(const TrainingOptions& options, const Parameters& parameters,
                  const SoftmaxLayer& softmax);

  /// Step t (0-based) with gradients times `scale`. `softmax_only`: leaves the biLM as it is.
  void apply(std::uint64_t step, float rate, float scale, bool softmax_only,
             const Gradients& gradients, Parameters& parameters, SoftmaxLayer& softmax,
             Workers& workers);

  /// Views of what it keeps.
  std::vector<StateArray> state(const Parameters& parameters);

 private:
  struct Moments {
    AlignedVector<float> first;   // Adagrad: unused
    AlignedVector<float> second;  // Adagrad: the accumulator
  };
  struct Rates {
    std::uint64_t step;  // since the moments began
    float rate;
    float scale;
  };

  Moments make_moments(std::size_t size) const;
  void update(const Rates& rates, bool decays, const float* gradient, std::size_t size,
              float* values, Moments& moments, std::size_t first) const;

  TrainingOptions options_;
  std::vector<Moments> parameters_;
  Moments softmax_weights_;
  Moments softmax_bias_;
};

}  // namespace elmo
