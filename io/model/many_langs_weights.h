// Reads the tensors of an ELMoForManyLangs model and converts them to core's layout.
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
// Rows of a weight are outputs. The upper half of a highway layer's weight is the transform, the
// lower half its gate. That gate keeps the input, whereas core's lets the transform through, so its
// sign is changed. The gates of an LSTM have the order i, f, g, o; core has i, j, f, o (g is j).
#pragma once

#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "io/model/torch_file.h"

namespace elmo {

/// Returns the parameters of a model of these options. All tensors are found and their shapes
/// checked before any memory is allocated. InputError naming the file, the tensor, what was found
/// and the expected shape, or the index of a number that is not finite. Other contents of the files
/// are listed in `remarks`.
Parameters read_many_langs_weights(const torch::TensorFile& token_embedder,
                                   const torch::TensorFile& encoder, const ModelOptions& options,
                                   std::vector<std::string>& remarks);

}  // namespace elmo
