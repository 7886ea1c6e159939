#include "core/model/parameters.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <unordered_map>

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
  if (options.char_cnn) list.index.char_cnn = add_char_cnn(options, list);
  list.index.token_projection = add_projection(options, list);
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

std::vector<std::size_t> LstmIndex::all() const {
  std::vector<std::size_t> indices{gates.weights, gates.bias};
  if (projection) indices.push_back(*projection);
  return indices;
}

Parameters::Parameters(ParameterList list) : list_(std::move(list)) {
  for (const ParameterSpec& spec : list_.specs) {
    Parameter& parameter = parameters_.emplace_back();
    parameter.name = spec.name;
    parameter.shape = spec.shape;
    parameter.decays = spec.shape.size() > 1;
    parameter.values.resize(spec.size());
  }
}

Parameter& Parameters::at(std::string_view name) {
  return const_cast<Parameter&>(std::as_const(*this).at(name));
}

const Parameter& Parameters::at(std::string_view name) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return parameter;
  }
  throw std::logic_error("no parameter named " + std::string(name));
}

std::size_t Parameters::count() const {
  std::size_t sum = 0;
  for (const Parameter& parameter : parameters_) sum += parameter.size();
  return sum;
}

Parameters Parameters::values_only() const {
  Parameters copy(list_);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    std::ranges::copy(parameters_[i].values, copy[i].values.begin());
  }
  return copy;
}

std::string lstm_prefix(int direction, std::int64_t layer) {
  return "RNN_" + std::to_string(direction) + "/RNN/MultiRNNCell/Cell" + std::to_string(layer) +
         "/LSTMCell/";
}

namespace {

// The C++ standard specifies the engine's numbers, but neither the numbers of its distributions nor
// the last bit of std::log. The code below uses only integer arithmetic, single operations that
// IEEE 754 rounds correctly, and explicit fused multiply-adds, so a seed gives the same values
// everywhere.
using Engine = std::mt19937_64;

/// Two numbers in [-1, 1), each a multiple of 2^-31.
struct Pair {
  double first;
  double second;
};

Pair uniform_pair(Engine& engine) {
  const std::uint64_t bits = engine();
  constexpr double kScale = 0x1p-31;
  return {static_cast<double>(static_cast<std::int32_t>(bits >> 32U)) * kScale,
          static_cast<double>(static_cast<std::int32_t>(bits & 0xFFFFFFFFU)) * kScale};
}

/// Returns the natural logarithm of x > 0, within a few units in the last place. With x = m · 2^e
/// and m in [1/2, 1), ln m = -2 artanh((1 - m) / (1 + m)), computed by its power series.
double portable_log(double x) {
  int exponent = 0;
  const double m = std::frexp(x, &exponent);
  const double z = (1.0 - m) / (1.0 + m);
  const double z2 = z * z;
  double series = 0.0;
  for (int n = 31; n >= 1; n -= 2) series = std::fma(series, z2, 1.0 / n);
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  return std::fma(static_cast<double>(exponent), kLog2, -2.0 * z * series);
}

/// Draws two independent numbers from the standard normal distribution with the polar method of
/// Marsaglia and Bray (1964).
Pair normal_pair(Engine& engine) {
  while (true) {
    const Pair point = uniform_pair(engine);
    const double square = std::fma(point.first, point.first, point.second * point.second);
    if (square >= 1.0 || square == 0.0) continue;
    const double factor = std::sqrt(-2.0 * portable_log(square) / square);
    return {point.first * factor, point.second * factor};
  }
}

template <typename Draw>
void fill(std::span<float> values, double scale, Engine& engine, const Draw& draw) {
  for (std::size_t i = 0; i < values.size(); i += 2) {
    const Pair pair = draw(engine);
    values[i] = static_cast<float>(pair.first * scale);
    if (i + 1 < values.size()) values[i + 1] = static_cast<float>(pair.second * scale);
  }
}

void fill_uniform(std::span<float> values, double limit, Engine& engine) {
  fill(values, limit, engine, uniform_pair);
}

void fill_normal(std::span<float> values, double deviation, Engine& engine) {
  fill(values, deviation, engine, normal_pair);
}

/// Glorot initialization (Glorot and Bengio 2010), TensorFlow's default if a graph names no
/// initializer.
void fill_glorot_uniform(Parameter& parameter, Engine& engine) {
  const std::int64_t rows = parameter.shape[0];
  const std::int64_t columns = parameter.shape[1];
  fill_uniform(parameter.values, std::sqrt(6.0 / static_cast<double>(rows + columns)), engine);
}

}  // namespace

void initialize_parameters(Parameters& parameters, const ModelOptions& options,
                           std::uint64_t seed) {
  Engine engine(seed);
  for (std::size_t i = 0; i < parameters.all().size(); ++i) {
    Parameter& parameter = parameters[i];
    const std::vector<std::int64_t>& shape = parameter.shape;
    switch (parameters.list().specs[i].role) {
      case ParameterRole::char_embedding:
        fill_uniform(parameter.values, 1.0, engine);
        break;
      case ParameterRole::filter:
        if (options.char_cnn->activation == Activation::relu) {
          fill_uniform(parameter.values, 0.05, engine);  // Kim et al. 2016
        } else {
          const std::int64_t inputs = shape[1] * shape[2];  // width · C
          fill_normal(parameter.values, std::sqrt(1.0 / static_cast<double>(inputs)), engine);
        }
        break;
      case ParameterRole::highway_weight:
      case ParameterRole::projection_weight:
        fill_normal(parameter.values, std::sqrt(1.0 / static_cast<double>(shape[0])), engine);
        break;
      case ParameterRole::highway_carry_bias:
        // The gate starts nearly closed, so that a highway layer passes its input through.
        std::fill(parameter.values.begin(), parameter.values.end(), -2.0F);
        break;
      case ParameterRole::word_embedding:
      case ParameterRole::lstm_weight:
      case ParameterRole::lstm_projection:
        fill_glorot_uniform(parameter, engine);
        break;
      case ParameterRole::bias:
        std::fill(parameter.values.begin(), parameter.values.end(), 0.0F);
        break;
    }
  }
}

SoftmaxLayer initialize_softmax(Vocabulary vocabulary, std::span<const std::uint64_t> counts,
                                std::int64_t projection_dim, std::uint64_t seed) {
  SoftmaxLayer softmax(std::move(vocabulary), projection_dim);
  // A seed different from the biLM's, so that the numbers differ.
  Engine engine(~seed);
  fill_normal(softmax.weights.values, 1.0 / std::sqrt(static_cast<double>(projection_dim)), engine);
  double sum = 0.0;
  for (const std::uint64_t count : counts) sum += static_cast<double>(count) + 1.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    softmax.bias.values[i] =
        static_cast<float>(portable_log((static_cast<double>(counts[i]) + 1.0) / sum));
  }
  return softmax;
}

void copy_common_words(const SoftmaxLayer& from, SoftmaxLayer& to) {
  std::unordered_map<std::string_view, std::int64_t> rows;
  for (std::int64_t row = 0; row < from.vocabulary.size(); ++row) {
    rows.emplace(from.vocabulary.word(row), row);
  }
  const std::int64_t width = from.width();
  for (std::int64_t row = 0; row < to.vocabulary.size(); ++row) {
    const auto found = rows.find(to.vocabulary.word(row));
    if (found == rows.end()) continue;
    std::copy_n(from.weights.values.begin() + found->second * width, width,
                to.weights.values.begin() + row * width);
    to.bias.values[static_cast<std::size_t>(row)] =
        from.bias.values[static_cast<std::size_t>(found->second)];
  }
}

std::vector<Parameter*> TrainedBilm::all() {
  std::vector<Parameter*> list;
  for (Parameter& parameter : parameters.all()) list.push_back(&parameter);
  list.insert(list.end(), {&softmax.weights, &softmax.bias});
  return list;
}

std::vector<std::vector<Parameter*>> TrainedBilm::gradient_groups() {
  const ParameterIndex& index = parameters.index();
  std::vector<std::vector<Parameter*>> groups;
  for (const std::vector<LstmIndex>& direction : index.lstm) {
    for (std::size_t layer = direction.size(); layer-- > 0;) {
      std::vector<Parameter*>& group = groups.emplace_back();
      for (const std::size_t i : direction[layer].all()) group.push_back(&parameters[i]);
    }
  }
  groups.push_back({&softmax.weights, &softmax.bias});
  std::vector<Parameter*>& encoder = groups.emplace_back();
  for (std::size_t i = 0; i < index.encoder_size(); ++i) encoder.push_back(&parameters[i]);
  return groups;
}

}  // namespace elmo
