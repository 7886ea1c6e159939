// The model that is trained.
#pragma once

#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/softmax_layer.h"
#include "core/nn/parameter.h"

namespace elmo {

/// A biLM and the softmax that it learns by.
struct TrainedBilm {
  ModelOptions options;
  Parameters parameters;
  SoftmaxLayer softmax;

  /// All that is trained: the biLM's in the order of Parameters::all(), then the softmax's.
  std::vector<Parameter*> all();
};

/// One LSTM layer's parameters.
struct LstmParameters {
  Parameter& weights;               ///< W_0 [2P, 4D]
  Parameter& bias;                  ///< B [4D]
  Parameter* projection = nullptr;  ///< W_P_0 [D, P]; null where there is none

  std::vector<Parameter*> all() const;
};

/// Those of a layer; direction 0 is forward, 1 backward.
LstmParameters lstm_parameters(Parameters& parameters, std::size_t direction, std::size_t layer);

/// The parameters in groups whose gradients become final at about the same time: where one thread
/// computes, in this order. Each layer of the LSTMs, forward before backward and the last layer
/// first; the softmax; the token encoder.
std::vector<std::vector<Parameter*>> gradient_groups(TrainedBilm& model);

}  // namespace elmo
