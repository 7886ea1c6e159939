// Optimizers (Adam, Adagrad): update parameters from their gradients, independent of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/error.h"
#include "core/matrix.h"
#include "core/nn/layer.h"
#include "core/workers.h"

namespace elmo {

enum class Optimizer { adam, adagrad };

inline constexpr auto kOptimizers =
    enum_table<Optimizer>({{"adam", Optimizer::adam}, {"adagrad", Optimizer::adagrad}});

/// The optimizer of a run; the learning rate is given with each step.
struct OptimizerOptions {
  Optimizer kind = Optimizer::adam;
  float weight_decay = 0.0F;         ///< decoupled from the gradient (AdamW)
  float initial_accumulator = 1.0F;  ///< Adagrad only
};

/// Returns the error of a training whose numbers grew without bound until `what` of step `step`,
/// such as its loss, was not finite.
NumericError diverged(std::uint64_t step, const std::string& what);

/// Norm of all gradients together, before any scaling. Each worker takes whole parameters, and the
/// sums of parameters are added in order, so the bits do not depend on the number of workers.
double global_norm(std::span<Parameter* const> parameters, Workers& workers);

/// One named array of a training run's state, for checkpoints. A view.
struct StateArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
};

/// Views of the values, named PREFIX/NAME.
std::vector<StateArray> value_arrays(const std::string& prefix,
                                     std::span<Parameter* const> parameters);

/// Keeps the moments (Adam) or accumulators (Adagrad) of each element of its parameters. Elements
/// are updated independently, so the result does not depend on the number of workers. Not for two
/// threads at once.
class ParameterOptimizer {
 public:
  /// The parameters must outlive this object.
  ParameterOptimizer(const OptimizerOptions& options, const std::vector<Parameter*>& parameters);

  /// Applies step t (0-based) with the parameters' gradients times `scale`. Adam's moments of a
  /// parameter begin at its first step that is not frozen.
  void apply(std::uint64_t step, float rate, float scale, Workers& workers);

  /// Views of the values of all parameters, "parameters/NAME", then of the optimizer state:
  /// "first_moment/NAME" and "second_moment/NAME" of each parameter in turn, or
  /// "accumulator/NAME".
  std::vector<StateArray> state();

 private:
  // A parameter and the optimizer state of its elements.
  struct Kept {
    Parameter* parameter;
    AlignedVector<float> first;   // Adagrad: unused
    AlignedVector<float> second;  // Adagrad: the accumulator
  };
  struct Rates {
    std::uint64_t step;
    float rate;
    float scale;
  };

  void update(Kept& kept, const Rates& rates, const float* gradient, std::size_t first,
              std::size_t size);

  OptimizerOptions options_;
  std::vector<Kept> kept_;
};

}  // namespace elmo
