#include "core/model/parameters.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace elmo {
namespace {

/// A list under construction.
struct List : ParameterList {
  std::size_t add(std::string name, std::vector<std::int64_t> shape, ParameterRole role) {
    specs.push_back({std::move(name), std::move(shape), role});
    return specs.size() - 1;
  }
};

/// Adds the projection from a token's parts to x; returns nothing if the model has no projection.
std::optional<AffineIndex> add_projection(const ModelOptions& model, List& list) {
  if (!model.has_projection()) return std::nullopt;
  const std::int64_t projection_dim = model.lstm.projection_dim;
  AffineIndex index;
  index.weights = list.add("CNN_proj/W_proj", {model.token_width(), projection_dim},
                           ParameterRole::projection_weight);
  index.bias = list.add("CNN_proj/b_proj", {projection_dim}, ParameterRole::bias);
  return index;
}

CharCnnIndex add_char_cnn(const ModelOptions& model, List& list) {
  const CharCnnOptions& options = *model.char_cnn;
  const std::int64_t filters = options.filter_count();
  const std::int64_t characters =
      options.dictionary_size > 0 ? options.dictionary_size : kCharacterIds;
  CharCnnIndex index;
  index.embedding =
      list.add("char_embed", {characters, options.embedding_dim}, ParameterRole::char_embedding);
  for (std::size_t i = 0; i < options.filters.size(); ++i) {
    const auto [width, count] = options.filters[i];
    const std::string number = std::to_string(i);
    AffineIndex bank;
    bank.weights = list.add("CNN/W_cnn_" + number, {1, width, options.embedding_dim, count},
                            ParameterRole::filter);
    bank.bias = list.add("CNN/b_cnn_" + number, {count}, ParameterRole::bias);
    index.banks.push_back(bank);
  }
  for (std::int64_t k = 0; k < options.n_highway; ++k) {
    const std::string prefix = "CNN_high_" + std::to_string(k) + "/";
    const std::vector<std::int64_t> square{filters, filters};
    CharCnnIndex::Highway layer;
    layer.carry.weights = list.add(prefix + "W_carry", square, ParameterRole::highway_weight);
    layer.carry.bias = list.add(prefix + "b_carry", {filters}, ParameterRole::highway_carry_bias);
    layer.transform.weights =
        list.add(prefix + "W_transform", square, ParameterRole::highway_weight);
    layer.transform.bias = list.add(prefix + "b_transform", {filters}, ParameterRole::bias);
    index.highways.push_back(layer);
  }
  index.projection = add_projection(model, list);
  return index;
}

LstmIndex add_lstm(const LstmOptions& options, const std::string& prefix, List& list) {
  const std::int64_t cells = options.dim;
  const std::int64_t projection = options.projection_dim;
  LstmIndex index;
  index.gates.weights =
      list.add(prefix + "W_0", {2 * projection, 4 * cells}, ParameterRole::lstm_weight);
  index.gates.bias = list.add(prefix + "B", {4 * cells}, ParameterRole::bias);
  if (options.has_projection()) {
    index.projection =
        list.add(prefix + "W_P_0", {cells, projection}, ParameterRole::lstm_projection);
  }
  return index;
}

}  // namespace

ParameterList parameter_list(const ModelOptions& options) {
  validate(options);
  List list;
  if (options.has_words()) {
    list.index.word_embedding = list.add(
        "embedding", {options.n_tokens_vocab, options.word_width()}, ParameterRole::word_embedding);
  }
  if (options.char_cnn) {
    list.index.char_cnn = add_char_cnn(options, list);
  } else {
    list.index.word_projection = add_projection(options, list);
  }
  for (int direction = 0; direction < 2; ++direction) {
    for (std::int64_t layer = 0; layer < options.lstm.n_layers; ++layer) {
      list.index.lstm[static_cast<std::size_t>(direction)].push_back(
          add_lstm(options.lstm, lstm_prefix(direction, layer), list));
    }
  }
  return list;
}

std::size_t ParameterSpec::size() const {
  std::size_t product = 1;
  for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

std::vector<std::size_t> CharCnnIndex::all() const {
  std::vector<std::size_t> indices{embedding};
  const auto append = [&indices](const AffineIndex& affine) {
    indices.insert(indices.end(), {affine.weights, affine.bias});
  };
  for (const AffineIndex& bank : banks) append(bank);
  for (const Highway& highway : highways) {
    append(highway.carry);
    append(highway.transform);
  }
  if (projection) append(*projection);
  return indices;
}

Parameters::Parameters(ParameterList list) : index_(std::move(list.index)) {
  for (ParameterSpec& spec : list.specs) {
    ModelParameter& parameter = parameters_.emplace_back();
    parameter.name = std::move(spec.name);
    parameter.shape = std::move(spec.shape);
    parameter.role = spec.role;
    parameter.decays = parameter.shape.size() > 1;
    parameter.values.resize(parameter.size());
  }
}

ModelParameter& Parameters::at(std::string_view name) {
  return const_cast<ModelParameter&>(std::as_const(*this).at(name));
}

const ModelParameter& Parameters::at(std::string_view name) const {
  for (const ModelParameter& parameter : parameters_) {
    if (parameter.name == name) return parameter;
  }
  throw std::logic_error("no parameter named " + std::string(name));
}

std::size_t Parameters::count() const {
  std::size_t sum = 0;
  for (const ModelParameter& parameter : parameters_) sum += parameter.size();
  return sum;
}

ParameterList Parameters::list() const {
  ParameterList list{{}, index_};
  for (const ModelParameter& parameter : parameters_) {
    list.specs.push_back({parameter.name, parameter.shape, parameter.role});
  }
  return list;
}

Parameters Parameters::values_only() const {
  Parameters copy(list());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    std::ranges::copy(parameters_[i].values, copy[i].values.begin());
  }
  return copy;
}

std::string lstm_prefix(int direction, std::int64_t layer) {
  return "RNN_" + std::to_string(direction) + "/RNN/MultiRNNCell/Cell" + std::to_string(layer) +
         "/LSTMCell/";
}

}  // namespace elmo
