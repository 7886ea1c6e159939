#include "io/model/many_langs_weights.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "core/error.h"
#include "io/h5/dataset.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

using Shape = std::vector<std::uint64_t>;
using Numbers = std::span<const float>;

/// A tensor of one of the two files, and a function that stores its numbers as parameters.
struct Tensor {
  bool of_encoder;
  std::string name;
  std::vector<std::int64_t> shape;
  std::function<void(Numbers values, Parameters& parameters)> put;
};

/// to[c · stride + r] = from[r · columns + c].
void transpose(const float* from, std::int64_t rows, std::int64_t columns, float* to,
               std::int64_t stride) {
  constexpr std::int64_t kTile = 32;
  for (std::int64_t row = 0; row < rows; row += kTile) {
    for (std::int64_t column = 0; column < columns; column += kTile) {
      for (std::int64_t c = column; c < std::min(column + kTile, columns); ++c) {
        for (std::int64_t r = row; r < std::min(row + kTile, rows); ++r) {
          to[c * stride + r] = from[r * columns + c];
        }
      }
    }
  }
}

void copy(Numbers values, const std::string& name, Parameters& parameters) {
  std::copy(values.begin(), values.end(), parameters.at(name).values.begin());
}

/// Adds a tensor of the token embedder.
void add_tensor(std::vector<Tensor>& tensors, std::string name, std::vector<std::int64_t> shape,
                std::function<void(Numbers, Parameters&)> put) {
  tensors.push_back({false, std::move(name), std::move(shape), std::move(put)});
}

void add_highway(const std::string& name, std::int64_t filters, const std::string& prefix,
                 std::vector<Tensor>& tensors) {
  const auto half = static_cast<std::size_t>(filters);
  add_tensor(tensors, name + ".weight", {2 * filters, filters},
             [=](Numbers values, Parameters& to) {
               transpose(values.data(), filters, filters,
                         to.at(prefix + "W_transform").values.data(), filters);
               AlignedVector<float>& carry = to.at(prefix + "W_carry").values;
               transpose(values.data() + half * half, filters, filters, carry.data(), filters);
               for (float& value : carry) value = -value;
             });
  add_tensor(tensors, name + ".bias", {2 * filters}, [=](Numbers values, Parameters& to) {
    copy(values.first(half), prefix + "b_transform", to);
    AlignedVector<float>& carry = to.at(prefix + "b_carry").values;
    for (std::size_t i = 0; i < half; ++i) carry[i] = -values[half + i];
  });
}

void add_characters(const CharCnnOptions& cnn, std::vector<Tensor>& tensors) {
  const std::int64_t characters = cnn.embedding_dim;
  add_tensor(tensors, "char_emb_layer.embedding.weight", {cnn.dictionary_size, characters},
             [](Numbers values, Parameters& to) { copy(values, "char_embed", to); });
  for (std::size_t i = 0; i < cnn.filters.size(); ++i) {
    const std::string number = std::to_string(i);
    const auto [width, count] = cnn.filters[i];
    // [n, C, width] to [width, C, n].
    add_tensor(tensors, "convolutions." + number + ".weight", {count, characters, width},
               [=, width = width, count = count](Numbers values, Parameters& to) {
                 AlignedVector<float>& weights = to.at("CNN/W_cnn_" + number).values;
                 for (std::int64_t c = 0; c < characters; ++c) {
                   for (std::int64_t w = 0; w < width; ++w) {
                     for (std::int64_t n = 0; n < count; ++n) {
                       weights[static_cast<std::size_t>((w * characters + c) * count + n)] =
                           values[static_cast<std::size_t>((n * characters + c) * width + w)];
                     }
                   }
                 }
               });
    add_tensor(tensors, "convolutions." + number + ".bias", {count},
               [=](Numbers values, Parameters& to) { copy(values, "CNN/b_cnn_" + number, to); });
  }
  for (std::int64_t k = 0; k < cnn.n_highway; ++k) {
    add_highway("highways._layers." + std::to_string(k), cnn.filter_count(),
                "CNN_high_" + std::to_string(k) + "/", tensors);
  }
}

void add_token_embedder(const ModelOptions& options, std::vector<Tensor>& tensors) {
  if (options.has_words()) {
    add_tensor(tensors, "word_emb_layer.embedding.weight",
               {options.n_tokens_vocab, options.word_width()},
               [](Numbers values, Parameters& to) { copy(values, "embedding", to); });
  }
  if (options.char_cnn) add_characters(*options.char_cnn, tensors);
  const std::int64_t inputs = options.token_width();
  const std::int64_t outputs = options.lstm.projection_dim;
  add_tensor(tensors, "projection.weight", {outputs, inputs}, [=](Numbers values, Parameters& to) {
    transpose(values.data(), outputs, inputs, to.at("CNN_proj/W_proj").values.data(), outputs);
  });
  add_tensor(tensors, "projection.bias", {outputs},
             [](Numbers values, Parameters& to) { copy(values, "CNN_proj/b_proj", to); });
}

/// Positions of the gates i, f, g, o in core's order i, j, f, o.
constexpr std::array<std::int64_t, 4> kGateOrder{0, 2, 1, 3};

void add_lstm(const LstmOptions& lstm, const std::string& name, const std::string& prefix,
              std::vector<Tensor>& tensors) {
  const std::int64_t cells = lstm.dim;
  const std::int64_t outputs = lstm.projection_dim;
  // W_0 has two halves: the first multiplies the layer's input, the second multiplies h.
  for (const std::int64_t half : {0, 1}) {
    tensors.push_back(
        {true,
         name + (half == 0 ? ".input_linearity" : ".state_linearity") + ".weight",
         {4 * cells, outputs},
         [=](Numbers values, Parameters& to) {
           float* weights = to.at(prefix + "W_0").values.data() + half * outputs * 4 * cells;
           for (std::size_t gate = 0; gate < kGateOrder.size(); ++gate) {
             transpose(values.data() + static_cast<std::int64_t>(gate) * cells * outputs, cells,
                       outputs, weights + kGateOrder[gate] * cells, 4 * cells);
           }
         }});
  }
  tensors.push_back(
      {true, name + ".state_linearity.bias", {4 * cells}, [=](Numbers values, Parameters& to) {
         float* bias = to.at(prefix + "B").values.data();
         for (std::size_t gate = 0; gate < kGateOrder.size(); ++gate) {
           std::copy_n(values.data() + static_cast<std::int64_t>(gate) * cells, cells,
                       bias + kGateOrder[gate] * cells);
         }
       }});
  tensors.push_back({true,
                     name + ".state_projection.weight",
                     {outputs, cells},
                     [=](Numbers values, Parameters& to) {
                       transpose(values.data(), outputs, cells,
                                 to.at(prefix + "W_P_0").values.data(), outputs);
                     }});
}

std::vector<Tensor> tensors_of(const ModelOptions& options) {
  std::vector<Tensor> tensors;
  add_token_embedder(options, tensors);
  for (const int direction : {0, 1}) {
    for (std::int64_t layer = 0; layer < options.lstm.n_layers; ++layer) {
      add_lstm(options.lstm,
               (direction == 0 ? "forward_layer_" : "backward_layer_") + std::to_string(layer),
               lstm_prefix(direction, layer), tensors);
    }
  }
  return tensors;
}

const torch::TensorReference& find(const torch::TensorFile& file, const Tensor& tensor) {
  const Shape expected(tensor.shape.begin(), tensor.shape.end());
  const auto found = file.tensors().find(tensor.name);
  if (found != file.tensors().end() && found->second.shape == expected) return found->second;
  throw InputError(
      file.name() + ": " + tensor.name + " is " +
      (found == file.tensors().end() ? "missing" : h5::shape_text(found->second.shape)) +
      "; expected " + h5::shape_text(expected) +
      ", as the model's configuration and dictionaries say");
}

}  // namespace

Parameters read_many_langs_weights(const torch::TensorFile& token_embedder,
                                   const torch::TensorFile& encoder, const ModelOptions& options,
                                   std::vector<std::string>& remarks) {
  const std::vector<Tensor> tensors = tensors_of(options);
  const auto file_of = [&](const Tensor& tensor) -> const torch::TensorFile& {
    return tensor.of_encoder ? encoder : token_embedder;
  };
  for (const Tensor& tensor : tensors) find(file_of(tensor), tensor);
  const std::size_t others =
      token_embedder.tensors().size() + encoder.tensors().size() - tensors.size();
  if (others > 0) remarks.push_back("tensors that are not needed: " + std::to_string(others));
  Parameters parameters(options);
  AlignedVector<float> values;
  for (const Tensor& tensor : tensors) {
    const torch::TensorFile& file = file_of(tensor);
    const torch::TensorReference& reference = find(file, tensor);
    values.resize(reference.size());
    file.read(reference, values);
    require_finite(file.name(), tensor.name, reference.shape, values);
    tensor.put(values, parameters);
  }
  return parameters;
}

}  // namespace elmo
