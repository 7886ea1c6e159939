#include "io/model/tensorflow_weights.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/model/tensorflow_bundle.h"

namespace elmo {
namespace {

/// The name of an LSTM's parameter, and that of its variable since TensorFlow 1.2 and before.
struct LstmName {
  std::string_view parameter;
  std::string_view variable;
  std::string_view old_variable;
};

constexpr std::array<LstmName, 3> kLstmNames{
    {{"W_0", "kernel", "weights"},
     {"B", "bias", "biases"},
     {"W_P_0", "projection/kernel", "projection/weights"}}};

class VariableNames {
 public:
  VariableNames(const tensorflow::Bundle& bundle, const ModelOptions& options,
                std::vector<std::string>& remarks)
      : bundle_(bundle), has_one_layer_(options.lstm.n_layers == 1), remarks_(remarks) {}

  /// Returns the name of the variable that holds a parameter. If the checkpoint has no such
  /// variable, returns the usual name, which the error then shows.
  std::string of(const std::string& parameter) {
    constexpr std::string_view kCell = "/RNN/MultiRNNCell/Cell";
    constexpr std::string_view kLstm = "/LSTMCell/";
    const std::size_t cell = parameter.find(kCell);
    if (cell == std::string::npos) return "lm/" + parameter;
    const std::size_t lstm = parameter.find(kLstm, cell);
    const std::string rnn = "lm/" + parameter.substr(0, cell) + "/rnn/";
    const std::size_t number = cell + kCell.size();
    const std::string layer =
        "multi_rnn_cell/cell_" + parameter.substr(number, lstm - number) + "/";
    const std::string_view last = std::string_view(parameter).substr(lstm + kLstm.size());
    const LstmName& name =
        *std::find_if(kLstmNames.begin(), kLstmNames.end(),
                      [&](const LstmName& row) { return row.parameter == last; });
    for (const std::string_view variable : {name.variable, name.old_variable}) {
      const std::string end = "lstm_cell/" + std::string(variable);
      const bool with_layer = bundle_.has(rnn + layer + end);
      if (!with_layer && !(has_one_layer_ && bundle_.has(rnn + end))) continue;
      if (!with_layer) add_once(remarks_, "the one layer's names lack multi_rnn_cell/cell_0");
      if (variable == name.old_variable) add_once(remarks_, "names of TensorFlow before 1.2");
      return rnn + (with_layer ? layer : "") + end;
    }
    return rnn + layer + "lstm_cell/" + std::string(name.variable);
  }

 private:
  const tensorflow::Bundle& bundle_;
  bool has_one_layer_;
  std::vector<std::string>& remarks_;
};

void copy_numbers(const ParameterValues& from, AlignedVector<float>& to) {
  std::memcpy(to.data(), from.bytes.get(), to.size() * sizeof(float));
}

}  // namespace

StoredParameters read_tensorflow_weights(const ModelFile& index, const std::string& options_name,
                                         const ModelOptions& options,
                                         std::vector<std::string>& remarks) {
  if (!options.char_cnn && options.n_tokens_vocab == 0) {
    throw InputError(options_name + ": lacks n_tokens_vocab; expected the number of words");
  }
  tensorflow::Bundle bundle(index);
  remarks.push_back("read from a checkpoint of TensorFlow, " + index.path.stem().string());
  VariableNames names(bundle, options, remarks);
  ParameterList list = parameter_list(options);
  std::vector<ParameterValues> numbers;
  for (const ParameterSpec& spec : list.specs) {
    numbers.push_back(bundle.numbers(names.of(spec.name), {spec.shape.begin(), spec.shape.end()}));
  }
  return {std::move(list), std::move(numbers)};
}

SoftmaxLayer read_tensorflow_softmax(const ModelFile& index, Vocabulary vocabulary,
                                     std::int64_t width) {
  tensorflow::Bundle bundle(index);
  const auto words = static_cast<std::uint64_t>(vocabulary.size());
  // A word-level model may share it with its input (bilm-tf's share_embedding_softmax).
  const bool shared = !bundle.has("lm/softmax/W") && bundle.has("lm/embedding");
  // Both are checked before any memory is allocated.
  const ParameterValues weights = bundle.numbers(shared ? "lm/embedding" : "lm/softmax/W",
                                                 {words, static_cast<std::uint64_t>(width)});
  const ParameterValues bias = bundle.numbers("lm/softmax/b", {words});
  SoftmaxLayer softmax(std::move(vocabulary), width);
  copy_numbers(weights, softmax.weights.values);
  copy_numbers(bias, softmax.bias.values);
  return softmax;
}

}  // namespace elmo
