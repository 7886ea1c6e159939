// The tensors of an ELMoForManyLangs model, brought into the form that core computes.
//
//   token_embedder.pkl   word_emb_layer.embedding.weight [V, word_dim]
//                        char_emb_layer.embedding.weight [V, C]
//                        convolutions.i.weight [n, C, width]     .bias [n]
//                        highways._layers.k.weight [2F, F]       .bias [2F]
//                        projection.weight [P, word_dim + F]     .bias [P]
//   encoder.pkl          forward_layer_l., backward_layer_l.:
//                        input_linearity.weight [4D, P]
//                        state_linearity.weight [4D, P]          .bias [4D]
//                        state_projection.weight [P, D]
//
// Rows of a weight are outputs. The upper half of a highway layer's is the transform, the lower its
// gate, which keeps the input where core's lets the transform through: it changes its sign. The
// gates of an LSTM stand in the order i, f, g, o, where core has i, j, f, o (g is j).
#pragma once

#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "io/model/torch/file.h"

namespace elmo {

/// The parameters of a model of these options. Every tensor is looked up and its shape checked
/// before memory is taken for any. InputError naming the file, the tensor, what was found and the
/// shape expected, or the index of a number that is not finite. What else the files hold is listed
/// in `remarks`.
Parameters read_many_langs_weights(const torch::TensorFile& token_embedder,
                                   const torch::TensorFile& encoder, const ModelOptions& options,
                                   std::vector<std::string>& remarks);

}  // namespace elmo
