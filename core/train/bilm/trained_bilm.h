// A biLM in training.
#pragma once

#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/nn/layer.h"

namespace elmo {

/// A biLM and its softmax.
struct TrainedBilm {
  ModelOptions options;
  Parameters parameters;
  SoftmaxLayer softmax;

  /// All trained parameters: the biLM's in the order of Parameters::all(), then the softmax's.
  std::vector<Parameter*> all();
};

/// One LSTM layer's parameters.
struct LstmParameters {
  Parameter& weights;               ///< W_0 [2P, 4D]
  Parameter& bias;                  ///< B [4D]
  Parameter* projection = nullptr;  ///< W_P_0 [D, P]; null without a projection

  std::vector<Parameter*> all() const;
};

/// Parameters of one layer; direction 0 is forward, 1 backward.
LstmParameters lstm_parameters(Parameters& parameters, std::size_t direction, std::size_t layer);

/// Parameters in groups whose gradients become final at about the same time, in the order in which
/// one thread finishes them: each LSTM layer, from the last to the first, forward before backward;
/// the softmax; the token encoder.
std::vector<std::vector<Parameter*>> gradient_groups(TrainedBilm& model);

}  // namespace elmo
