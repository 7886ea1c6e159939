// The one list of a model's parameters. Loading, saving, initializing, packing, and whatever else
// goes over "all parameters" walks this list; nothing else knows names, shapes or their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/nn/parameter.h"
#include "core/tensor/aligned.h"

namespace elmo {

/// What a parameter is for, which decides how it is initialized.
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

/// Weights and bias of y = x·W + b, by their indices in the list.
struct AffineIndex {
  std::size_t weights = 0;
  std::size_t bias = 0;
};

/// The character encoder's parameters, by their indices in the list.
struct CharCnnIndex {
  struct Highway {
    AffineIndex carry;
    AffineIndex transform;
  };

  std::size_t embedding = 0;
  std::vector<AffineIndex> banks;         ///< in the order of CharCnnOptions::filters
  std::vector<Highway> highways;          ///< in the order in which they are applied
  std::optional<AffineIndex> projection;  ///< of all of a token, see ModelOptions

  std::vector<std::size_t> all() const;  ///< each of them once
};

/// One LSTM layer's parameters, by their indices in the list.
struct LstmIndex {
  AffineIndex gates;                      ///< W_0 [2P, 4D] and B [4D]
  std::optional<std::size_t> projection;  ///< W_P_0 [D, P], see LstmOptions::has_projection
};

/// Which parameter of the list is which.
struct ParameterIndex {
  std::optional<CharCnnIndex> char_cnn;          ///< models that read characters
  std::optional<std::size_t> word_embedding;     ///< models that have a table of words
  std::optional<AffineIndex> word_projection;    ///< of words without characters
  std::array<std::vector<LstmIndex>, 2> lstm{};  ///< [direction][layer]; 0 forward, 1 backward
};

/// Rows of the character embedding where characters are bytes: ids 0..260 before the shift that
/// reserves 0 for the mask.
inline constexpr std::int64_t kCharacterIds = 261;

/// Every parameter of a model: the token encoder's, then those of the forward and the backward
/// LSTMs.
struct ParameterList {
  std::vector<ParameterSpec> specs;
  ParameterIndex index;  ///< which of specs is which
};

/// InputError where the options are not valid (see `validate`).
ParameterList parameter_list(const ModelOptions& options);

/// A parameter under its published name. Weight decay holds for what has rows and columns, not for
/// biases.
struct ModelParameter : Parameter {
  ParameterRole role = ParameterRole::bias;
};

/// All parameters of a model, float32, without gradients unless the model is trained. Movable; not
/// shared while it changes.
class Parameters {
 public:
  /// Room for every parameter of such a model, not yet filled. InputError as parameter_list;
  /// std::bad_alloc where memory does not suffice.
  explicit Parameters(const ModelOptions& options) : Parameters(parameter_list(options)) {}
  explicit Parameters(ParameterList list);

  std::vector<ModelParameter>& all() { return parameters_; }
  const std::vector<ModelParameter>& all() const { return parameters_; }

  /// Which of all() is which.
  const ParameterIndex& index() const { return index_; }
  ModelParameter& operator[](std::size_t index) { return parameters_[index]; }
  const ModelParameter& operator[](std::size_t index) const { return parameters_[index]; }

  /// The parameter of that name, as published; a name that the options do not imply is a
  /// programming error (std::logic_error).
  ModelParameter& at(std::string_view name);
  const ModelParameter& at(std::string_view name) const;

  std::size_t count() const;  ///< numbers in all parameters

  ParameterList list() const;  ///< names, shapes and index

  /// The same values, without gradients.
  Parameters values_only() const;

 private:
  std::vector<ModelParameter> parameters_;
  ParameterIndex index_;
};

/// "RNN_0/RNN/MultiRNNCell/Cell1/LSTMCell/": direction 0 is forward, 1 backward.
std::string lstm_prefix(int direction, std::int64_t layer);

}  // namespace elmo
