// Changes parameters by their gradients. It knows parameters and no model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/enum_table.h"
#include "core/nn/parameter.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

enum class Optimizer { adam, adagrad };

inline constexpr auto kOptimizers =
    enum_table<Optimizer>({{"adam", Optimizer::adam}, {"adagrad", Optimizer::adagrad}});

struct OptimizerOptions {
  Optimizer kind = Optimizer::adam;
  float weight_decay = 0.0F;         ///< decoupled from the gradient (AdamW)
  float initial_accumulator = 1.0F;  ///< Adagrad only
};

/// The norm of all gradients together, before any scaling. Each worker takes whole parameters, and
/// their sums are added up in order: the bits do not depend on the workers.
double global_norm(std::span<Parameter* const> parameters, Workers& workers);

/// One array of a training's state by name, for checkpoints. A view.
struct StateArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
};

/// Views of the values: PREFIX/NAME.
std::vector<StateArray> value_arrays(const std::string& prefix,
                                     std::span<Parameter* const> parameters);

/// Keeps the moments (Adam) or the accumulators (Adagrad) of each number of its parameters. Every
/// number changes by itself, so the result does not depend on the workers. Not for two threads at
/// once.
class ParameterOptimizer {
 public:
  /// The parameters have to outlive it.
  ParameterOptimizer(const OptimizerOptions& options, const std::vector<Parameter*>& parameters);

  /// Step t (0-based) with the parameters' gradients times `scale`. Adam's moments of a parameter
  /// begin at its first step that is not frozen.
  void apply(std::uint64_t step, float rate, float scale, Workers& workers);

  /// Views of what it keeps: "first_moment/NAME" and "second_moment/NAME" of each parameter in
  /// turn, or "accumulator/NAME".
  std::vector<StateArray> state();

 private:
  // A parameter, and what is kept of each of its numbers.
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
