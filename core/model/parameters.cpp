#include "core/model/parameters.h"

#include <stdexcept>
#include <utility>

namespace elmo {
namespace {

void append_char_cnn(const CharCnnOptions& options, std::int64_t projection_dim,
                     std::vector<ParameterSpec>& specs) {
  const std::int64_t filter_count = options.filter_count();
  specs.push_back(
      {"char_embed", {kCharacterIds, options.embedding_dim}, ParameterRole::char_embedding});
  for (std::size_t i = 0; i < options.filters.size(); ++i) {
    const auto [width, count] = options.filters[i];
    const std::string number = std::to_string(i);
    specs.push_back(
        {"CNN/W_cnn_" + number, {1, width, options.embedding_dim, count}, ParameterRole::filter});
    specs.push_back({"CNN/b_cnn_" + number, {count}, ParameterRole::bias});
  }
  for (std::int64_t k = 0; k < options.n_highway; ++k) {
    const std::string prefix = "CNN_high_" + std::to_string(k) + "/";
    specs.push_back(
        {prefix + "W_carry", {filter_count, filter_count}, ParameterRole::highway_weight});
    specs.push_back({prefix + "b_carry", {filter_count}, ParameterRole::highway_carry_bias});
    specs.push_back(
        {prefix + "W_transform", {filter_count, filter_count}, ParameterRole::highway_weight});
    specs.push_back({prefix + "b_transform", {filter_count}, ParameterRole::bias});
  }
  if (filter_count != projection_dim) {
    specs.push_back(
        {"CNN_proj/W_proj", {filter_count, projection_dim}, ParameterRole::projection_weight});
    specs.push_back({"CNN_proj/b_proj", {projection_dim}, ParameterRole::bias});
  }
}

void append_lstms(const LstmOptions& options, std::vector<ParameterSpec>& specs) {
  const std::int64_t cells = options.dim;
  const std::int64_t projection = options.projection_dim;
  for (int direction = 0; direction < 2; ++direction) {
    for (std::int64_t layer = 0; layer < options.n_layers; ++layer) {
      const std::string prefix = lstm_prefix(direction, layer);
      specs.push_back({prefix + "W_0", {2 * projection, 4 * cells}, ParameterRole::lstm_weight});
      specs.push_back({prefix + "B", {4 * cells}, ParameterRole::bias});
      if (cells != projection) {
        specs.push_back({prefix + "W_P_0", {cells, projection}, ParameterRole::lstm_projection});
      }
    }
  }
}

}  // namespace

std::size_t ParameterSpec::size() const {
  std::size_t product = 1;
  for (const std::int64_t extent : shape) product *= static_cast<std::size_t>(extent);
  return product;
}

std::vector<ParameterSpec> parameter_specs(const ModelOptions& options) {
  validate(options);
  std::vector<ParameterSpec> specs;
  if (options.char_cnn) {
    append_char_cnn(*options.char_cnn, options.lstm.projection_dim, specs);
  } else {
    specs.push_back({"embedding",
                     {options.n_tokens_vocab, options.lstm.projection_dim},
                     ParameterRole::word_embedding});
  }
  append_lstms(options.lstm, specs);
  return specs;
}

Parameters::Parameters(const ModelOptions& options) {
  for (ParameterSpec& spec : parameter_specs(options)) {
    const std::size_t size = spec.size();
    parameters_.push_back({std::move(spec), AlignedVector<float>(size)});
  }
}

Parameter& Parameters::at(std::string_view name) {
  return const_cast<Parameter&>(std::as_const(*this).at(name));
}

const Parameter& Parameters::at(std::string_view name) const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.spec.name == name) return parameter;
  }
  throw std::logic_error("no parameter named " + std::string(name));
}

std::size_t Parameters::count() const {
  std::size_t sum = 0;
  for (const Parameter& parameter : parameters_) sum += parameter.spec.size();
  return sum;
}

std::string lstm_prefix(int direction, std::int64_t layer) {
  return "RNN_" + std::to_string(direction) + "/RNN/MultiRNNCell/Cell" + std::to_string(layer) +
         "/LSTMCell/";
}

}  // namespace elmo
