// The one list of a model's parameters. Loading, saving, initialising, packing, and whatever else
// goes over "all parameters" walks this list; nothing else knows names or shapes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// What a parameter is for, which decides how it is initialised.
enum class ParameterRole {
  char_embedding,
  word_embedding,
  filter,
  highway_weight,
  highway_carry_bias,
  projection_weight,
  lstm_weight,
  lstm_projection,
  bias
};

/// Name and shape of one parameter, as published: "CNN/W_cnn_0" and (1, width, C, n).
struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> shape;
  ParameterRole role;

  std::size_t size() const;  ///< product of the shape
};

/// Rows of the character embedding: ids 0..260 before the shift that reserves 0 for the mask.
inline constexpr std::int64_t kCharacterIds = 261;

/// Every parameter of such a model: the token encoder, then the forward and the backward LSTMs.
/// InputError where the options are not valid (see `validate`).
std::vector<ParameterSpec> parameter_specs(const ModelOptions& options);

struct Parameter {
  ParameterSpec spec;
  AlignedVector<float> values;  ///< row-major
};

/// The values of all parameters of a model, float32. Movable; not shared while it changes.
class Parameters {
 public:
  /// Room for every parameter of such a model, not yet filled. InputError as parameter_specs;
  /// std::bad_alloc where memory does not suffice.
  explicit Parameters(const ModelOptions& options);

  std::vector<Parameter>& all() { return parameters_; }
  const std::vector<Parameter>& all() const { return parameters_; }

  /// The parameter of that name; a name that the options do not imply is a programming error
  /// (std::logic_error).
  Parameter& at(std::string_view name);
  const Parameter& at(std::string_view name) const;

  std::size_t count() const;  ///< numbers in all parameters

 private:
  std::vector<Parameter> parameters_;
};

/// "RNN_0/RNN/MultiRNNCell/Cell1/LSTMCell/": direction 0 is forward, 1 backward.
std::string lstm_prefix(int direction, std::int64_t layer);

}  // namespace elmo
