#include "core/train/bilm/trained_bilm.h"

#include <utility>

namespace elmo {

std::vector<Parameter*> TrainedBilm::all() {
  std::vector<Parameter*> list;
  for (ModelParameter& parameter : parameters.all()) list.push_back(&parameter);
  list.insert(list.end(), {&softmax.weights, &softmax.bias});
  return list;
}

std::vector<Parameter*> LstmParameters::all() const {
  std::vector<Parameter*> list{&weights, &bias};
  if (projection != nullptr) list.push_back(projection);
  return list;
}

LstmParameters lstm_parameters(Parameters& parameters, std::size_t direction, std::size_t layer) {
  const LstmIndex& index = parameters.index().lstm[direction][layer];
  return {parameters[index.gates.weights], parameters[index.gates.bias],
          index.projection ? &parameters[*index.projection] : nullptr};
}

std::vector<std::vector<Parameter*>> gradient_groups(TrainedBilm& model) {
  Parameters& parameters = model.parameters;
  std::vector<std::vector<Parameter*>> groups;
  for (const std::size_t direction : {0U, 1U}) {
    for (std::size_t layer = parameters.index().lstm[direction].size(); layer-- > 0;) {
      groups.push_back(lstm_parameters(parameters, direction, layer).all());
    }
  }
  groups.push_back({&model.softmax.weights, &model.softmax.bias});
  std::vector<Parameter*>& encoder = groups.emplace_back();
  if (parameters.index().char_cnn) {
    for (const std::size_t i : parameters.index().char_cnn->all()) {
      encoder.push_back(&parameters[i]);
    }
  } else {
    encoder.push_back(&parameters[*parameters.index().word_embedding]);
  }
  return groups;
}

}  // namespace elmo
