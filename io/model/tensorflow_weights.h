// The weights of bilm-tf's checkpoints. Names and shapes are those of weights.hdf5 but for:
//
//   lm/…                                                         all names begin so
//   lm/RNN_d/rnn/multi_rnn_cell/cell_l/lstm_cell/kernel          W_0 of layer l
//                                                bias            B
//                                                projection/kernel   W_P_0
//   lm/RNN_d/rnn/lstm_cell/…                                     of a model with one layer
//   …/weights, biases, projection/weights                        TensorFlow before 1.2
//   lm/softmax/W, lm/softmax/b                                   softmax.hdf5
//
// Other variables (the optimizer's, states, counters) are not read.
#pragma once

#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/stored_parameters.h"
#include "core/model/vocabulary.h"
#include "io/model/archive.h"

namespace elmo {

/// Reads the parameters of a model of these options from the checkpoint whose index is `index`, and
/// adds what is peculiar to it to `remarks`. The options, which messages call `options_name`, must
/// state the number of words, if the model has any (InputError). Other errors as
/// tensorflow::Bundle.
StoredParameters read_tensorflow_weights(const ModelFile& index, const std::string& options_name,
                                         const ModelOptions& options,
                                         std::vector<std::string>& remarks);

/// Reads the softmax over `vocabulary` for activations of `width` values. Errors as
/// tensorflow::Bundle.
SoftmaxLayer read_tensorflow_softmax(const ModelFile& index, Vocabulary vocabulary,
                                     std::int64_t width);

}  // namespace elmo
