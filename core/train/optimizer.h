// Changes parameters by their gradients. It knows groups of numbers and no model: a biLM, its
// softmax and a task's layers are all groups to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"

namespace elmo {

enum class Optimizer { adam, adagrad };

struct OptimizerOptions {
  Optimizer kind = Optimizer::adam;
  float weight_decay = 0.0F;         ///< decoupled from the gradient (AdamW)
  float initial_accumulator = 1.0F;  ///< Adagrad only
};

/// Numbers that are trained, under one name. A view: they have to outlive it.
struct ParameterGroup {
  std::string name;                 ///< no two groups of an optimiser have the same
  std::vector<std::int64_t> shape;  ///< row-major; the first extent counts the rows
  std::span<float> values;
  bool decays = true;              ///< weight decay holds for it
  std::uint64_t frozen_steps = 0;  ///< the first so many steps leave it as it is

  std::size_t row_size() const;  ///< numbers of a row
};

/// The groups of a model's parameters, in their order and under their names, and of a softmax,
/// "softmax/W" and "softmax/b". Weight decay holds for what has rows and columns, not for biases.
std::vector<ParameterGroup> parameter_groups(Parameters& parameters);
std::vector<ParameterGroup> parameter_groups(SoftmaxLayer& softmax);

/// The gradient with respect to one group.
struct GroupGradient {
  std::span<const float> values;  ///< of all of the group, or of n rows, one after another
  /// [n], distinct: the rows that the step touched. The others keep their values, and what the
  /// optimiser knows of them stays as it is. None: the gradient is dense.
  std::optional<std::span<const std::int32_t>> rows;
};

/// The norm of all gradients together, before any scaling. The sum is taken in the groups' order.
double global_norm(std::span<const GroupGradient> gradients);

/// One array of a training's state by name, for checkpoints.
struct StateArray {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<float> values;
};

/// Keeps the moments (Adam) or the accumulators (Adagrad) of each number of its groups. Every
/// number changes by itself, so the result does not depend on the workers. Not for two threads at
/// once.
class GroupOptimizer {
 public:
  GroupOptimizer(const OptimizerOptions& options, std::vector<ParameterGroup> groups);

  /// Step t (0-based) with gradients times `scale`; gradients[i] is that of the i-th group. Adam's
  /// moments of a group begin at its first step that is not frozen.
  void apply(std::uint64_t step, float rate, float scale, std::span<const GroupGradient> gradients,
             Workers& workers);

  /// Views of what it keeps: "first_moment/NAME" and "second_moment/NAME" of each group in turn, or
  /// "accumulator/NAME".
  std::vector<StateArray> state();

 private:
  struct Moments {
    AlignedVector<float> first;   // Adagrad: unused
    AlignedVector<float> second;  // Adagrad: the accumulator
  };
  struct Rates {
    std::uint64_t step;
    float rate;
    float scale;
  };

  void update(std::size_t group, const Rates& rates, const float* gradient, std::size_t first,
              std::size_t size);

  OptimizerOptions options_;
  std::vector<ParameterGroup> groups_;
  std::vector<Moments> moments_;  // of each group
};

}  // namespace elmo
