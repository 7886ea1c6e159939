// Trained parameters, and the conventions and tools that all layers share.
//
// Each layer is a class with `forward` and `backward`. forward keeps what backward needs. backward
// takes the gradient with respect to the outputs of the last forward, adds to the gradients of the
// layer's parameters (call Parameter::clear_gradient() before) and computes the gradient with
// respect to the inputs. The sequences of a batch are packed without padding, so that one product
// covers all rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/workers.h"

namespace elmo {

/// Trained values, and the gradient of the loss with respect to them.
struct Parameter {
  std::string name;                 ///< unique in the model
  std::vector<std::int64_t> shape;  ///< row-major; the first extent counts the rows
  AlignedVector<float> values;
  /// Gradient of all values, or of the rows in `touched`, one after another. Empty until
  /// clear_gradient() or GradientShare::of() makes room.
  AlignedVector<float> gradient;
  /// Distinct rows that the step touched. The gradient of other rows is zero; their values and
  /// optimizer state do not change. nullopt: the gradient is dense.
  std::optional<std::vector<std::int32_t>> touched;
  bool decays = true;              ///< weight decay applies
  std::uint64_t frozen_steps = 0;  ///< number of first training steps that do not change it

  Parameter() = default;
  /// A parameter with all values zero.
  Parameter(std::string parameter_name, std::vector<std::int64_t> parameter_shape)
      : name(std::move(parameter_name)), shape(std::move(parameter_shape)), values(size(), 0.0F) {}

  /// Number of values: the product of the shape.
  std::size_t size() const {
    std::size_t product = 1;
    for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
    return product;
  }

  /// Number of values in a row.
  std::size_t row_size() const {
    return shape.empty() || shape[0] == 0 ? 0 : size() / static_cast<std::size_t>(shape[0]);
  }

  /// The values, and their dense gradient, as matrices [shape[0], row_size()].
  ConstFloatView matrix() const {
    return {values.data(), shape[0], static_cast<std::int64_t>(row_size())};
  }
  FloatView gradient_matrix() {
    return {gradient.data(), shape[0], static_cast<std::int64_t>(row_size())};
  }

  /// Number of values in the gradient: of all values, or of the touched rows.
  std::size_t gradient_size() const { return touched ? touched->size() * row_size() : size(); }

  /// Sets the gradient to zero and touches no row, for a backward pass that adds to it.
  void clear_gradient() {
    if (touched) touched->clear();
    gradient.assign(gradient_size(), 0.0F);
  }
};

/// Options of one pass over a batch.
struct PassOptions {
  bool training = false;  ///< apply dropout, and keep what backward needs
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  ///< training step; dropout masks depend on seed, step and mask id
};

/// Calls visit(layer) for a layer, or for each layer of a list or an optional.
template <typename Layers, typename Visit>
void visit_layers(Layers& layers, const Visit& visit) {
  if constexpr (requires { layers.has_value(); }) {
    if (layers) visit_layers(*layers, visit);
  } else if constexpr (requires { layers.begin(); }) {
    for (auto& layer : layers) visit_layers(layer, visit);
  } else {
    visit(layers);
  }
}

/// The parameters of layers, lists of layers, optional layers and single parameters, in that order.
template <typename... Layers>
std::vector<Parameter*> parameters_of(Layers&... layers) {
  std::vector<Parameter*> all;
  const auto add = [&all]<typename Layer>(Layer& layer) {
    if constexpr (std::is_same_v<Layer, Parameter>) {
      all.push_back(&layer);
    } else {
      const std::vector<Parameter*> added = layer.parameters();
      all.insert(all.end(), added.begin(), added.end());
    }
  };
  (visit_layers(layers, add), ...);
  return all;
}

/// Initializes layers, lists of layers and optional layers. The values of a parameter depend on
/// the seed and its name only.
template <typename... Layers>
void initialize_layers(std::uint64_t seed, Layers&... layers) {
  (visit_layers(layers, [seed](auto& layer) { layer.initialize(seed); }), ...);
}

/// Drops each value with probability `rate`, in place. Does nothing unless options.training. The
/// mask is a function of seed, step, `mask_id` (the id of the mask) and the value's position. To
/// get the gradient, apply drop() to the gradient of the outputs.
void drop(const PassOptions& options, float rate, std::uint32_t mask_id, Workers& workers,
          Matrix& values);

/// The factor by which drop() multiplies the values that it keeps.
float kept_factor(const PassOptions& options, float rate);

/// drop() for columns [column, column + columns).
void drop_columns(const PassOptions& options, float rate, std::uint32_t mask_id, Matrix& values,
                  std::int64_t column, std::int64_t columns);

/// The random key of `parameter` for a run with this seed. Parameters with different names get
/// different sequences of numbers.
std::uint64_t parameter_key(const Parameter& parameter, std::uint64_t seed);

/// Draws `values` uniformly from ±bound. The same key gives the same values on every machine.
void fill_uniform(std::span<float> values, float bound, std::uint64_t key);

/// Initializes an LSTM layer: Glorot weights, forget gate biases of 1 (Jozefowicz et al. 2015) and
/// other biases of 0. Each gate is a matrix of its own for Glorot's bound, with `cells` columns.
/// The forget gate is the third group of `cells` columns. `inputs` [n, ..], `recurrent` [cells,
/// ..], `bias` [..].
void initialize_lstm(Parameter& inputs, Parameter& recurrent, Parameter& bias, std::int64_t cells,
                     std::uint64_t seed);

/// Draws a parameter [inputs, outputs] uniformly from ±√(6 / (inputs + outputs)) (Glorot and Bengio
/// 2010).
void initialize_glorot(Parameter& parameter, std::uint64_t seed);

/// The part of the gradients that one worker computes. The first worker's part is in the parameters
/// themselves. Each other worker's part is in arrays of its own, which sum_shares() adds to the
/// first worker's. Not for two threads at once.
class GradientShare {
 public:
  explicit GradientShare(bool is_first) : is_first_(is_first) {}

  /// Returns the memory for this worker's gradient of `parameter`: Parameter::gradient_size()
  /// values. New memory is not initialized: overwrite or clear it before adding to it.
  AlignedVector<float>& of(Parameter& parameter);

 private:
  friend void sum_shares(std::span<Parameter* const> parameters,
                         std::span<const GradientShare* const> shares, Workers& workers);
  // Adds values [first, end) of this worker's own array, if it has one, to the parameter.
  void add_to(Parameter& parameter, std::int64_t first, std::int64_t end) const;

  bool is_first_;
  std::unordered_map<const Parameter*, AlignedVector<float>> own_;
};

/// Adds the shares' own arrays to the parameters' gradients, in the order of `shares`. The result
/// does not depend on the number of workers.
void sum_shares(std::span<Parameter* const> parameters,
                std::span<const GradientShare* const> shares, Workers& workers);

}  // namespace elmo
