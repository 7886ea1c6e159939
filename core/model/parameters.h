// The parameters of a biLM: one list, and their values.
//
// Loading, saving, initializing, packing and all other code for "all parameters" iterates over this
// list. No other code knows names, shapes or their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/matrix.h"
#include "core/model/options.h"
#include "core/model/vocabulary.h"
#include "core/nn/layer.h"

namespace elmo {

/// The role of a parameter, which determines its initialization.
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
  std::vector<AffineIndex> banks;  ///< in the order of CharCnnOptions::filters
  std::vector<Highway> highways;   ///< in the order in which they are applied
};

/// One LSTM layer's parameters, by their indices in the list.
struct LstmIndex {
  AffineIndex gates;                      ///< W_0 [2P, 4D] and B [4D]
  std::optional<std::size_t> projection;  ///< W_P_0 [D, P], see LstmOptions::has_projection

  std::vector<std::size_t> all() const;
};

/// Indices into the list, by role.
struct ParameterIndex {
  std::optional<CharCnnIndex> char_cnn;          ///< models that read characters
  std::optional<std::size_t> word_embedding;     ///< models with a word table
  std::optional<AffineIndex> token_projection;   ///< projects a token's parts, see ModelOptions
  std::array<std::vector<LstmIndex>, 2> lstm{};  ///< [direction][layer]; 0 forward, 1 backward

  /// Number of the token encoder's parameters, which are the first in the list.
  std::size_t encoder_size() const { return lstm[0].front().gates.weights; }
};

/// Rows of the character embedding if characters are bytes: ids 0..260, before the shift that
/// reserves 0 for the mask.
inline constexpr std::int64_t kCharacterIds = 261;

/// All parameters of a model: the token encoder's, then the forward LSTMs', then the backward
/// LSTMs'.
struct ParameterList {
  std::vector<ParameterSpec> specs;
  ParameterIndex index;  ///< indices into specs
};

/// Returns the parameters of a model. InputError if the options are invalid (see `validate`).
ParameterList parameter_list(const ModelOptions& options);

/// All parameters of a model in float32, with their published names, without gradients unless the
/// model is trained. Weight decay applies to those with rows and columns, not to biases. Movable.
/// Threads must not share it while it changes.
class Parameters {
 public:
  /// Allocates every parameter of the model and does not fill it. InputError as parameter_list;
  /// std::bad_alloc if memory is short.
  explicit Parameters(const ModelOptions& options) : Parameters(parameter_list(options)) {}
  explicit Parameters(ParameterList list);

  std::vector<Parameter>& all() { return parameters_; }
  const std::vector<Parameter>& all() const { return parameters_; }

  /// Indices into all().
  const ParameterIndex& index() const { return list_.index; }
  Parameter& operator[](std::size_t index) { return parameters_[index]; }
  const Parameter& operator[](std::size_t index) const { return parameters_[index]; }

  /// The parameter with this published name. std::logic_error if the model has no such parameter.
  Parameter& at(std::string_view name);
  const Parameter& at(std::string_view name) const;

  std::size_t count() const;  ///< number of values in all parameters

  const ParameterList& list() const { return list_; }  ///< names, shapes, roles and index

  /// A copy of the values, without gradients.
  Parameters values_only() const;

 private:
  ParameterList list_;
  std::vector<Parameter> parameters_;
};

/// Returns the prefix of an LSTM layer's parameter names, such as
/// "RNN_0/RNN/MultiRNNCell/Cell1/LSTMCell/". Direction 0 is forward, 1 backward.
std::string lstm_prefix(int direction, std::int64_t layer);

/// The logit of word v for the last layer's activation h [P] is h · weights[v] + bias[v].
struct SoftmaxLayer {
  /// All zero.
  SoftmaxLayer(Vocabulary words, std::int64_t width)
      : vocabulary(std::move(words)),
        weights("softmax/W", {vocabulary.size(), width}),
        bias("softmax/b", {vocabulary.size()}) {
    bias.decays = false;
  }

  std::int64_t width() const { return weights.shape[1]; }  ///< P

  Vocabulary vocabulary;  ///< V words; after training, by descending frequency
  Parameter weights;      ///< [V, P]
  Parameter bias;         ///< [V]
};

/// Fills every parameter. The same seed gives the same values on every machine and compiler.
/// Distributions follow bilm-tf's training graph; parameters.cpp cites the source of each.
void initialize_parameters(Parameters& parameters, const ModelOptions& options, std::uint64_t seed);

/// Returns a softmax over `vocabulary` for activations of `projection_dim` (P) values. Weights are
/// drawn as in bilm-tf, from the normal distribution with standard deviation 1/√P. Biases are the
/// logarithms of the words' shares of `counts` [V] (plus 1 each), so that training starts from a
/// unigram model. Without counts they are 0, as in bilm-tf.
SoftmaxLayer initialize_softmax(Vocabulary vocabulary, std::span<const std::uint64_t> counts,
                                std::int64_t projection_dim, std::uint64_t seed);

/// Copies weights and biases of the words of `from`, which has the same width, to `to`, reserved
/// words included.
void copy_common_words(const SoftmaxLayer& from, SoftmaxLayer& to);

/// A biLM and its softmax, for training.
struct TrainedBilm {
  ModelOptions options;
  Parameters parameters;
  SoftmaxLayer softmax;

  /// All trained parameters: the biLM's in the order of Parameters::all(), then the softmax's.
  std::vector<Parameter*> all();

  /// Parameters in groups whose gradients become final at about the same time, in the order in
  /// which one thread finishes them: each LSTM layer, from the last to the first, forward before
  /// backward; the softmax; the token encoder.
  std::vector<std::vector<Parameter*>> gradient_groups();
};

}  // namespace elmo
