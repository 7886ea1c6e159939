// The softmax that a model was trained with, stored next to its other files:
//
//   softmax.hdf5     /softmax/W [V, P] and /softmax/b [V], little-endian, row-major; float32, or
//                    W in float16 to take less space
//   vocabulary.txt   the V words that are predicted, in the order of the rows (see
//                    io/model/vocabulary.h); vocab.txt, of word-level models, is another list: the
//                    words that are read, in the order of the embedding's rows
//
// Both directions share it. Readers of published models ignore these files.
#pragma once

#include <filesystem>
#include <optional>

#include "core/model/options.h"
#include "core/model/softmax_layer.h"
#include "io/dtype.h"
#include "io/model/folder/location.h"

namespace elmo {

/// Reads the softmax of a model of these options; returns nothing if its location has none. Memory
/// is bounded by the files' sizes. InputError naming the file and the dataset, what was found and
/// the expected shape, and also if only one of the two files exists; SystemError if one cannot be
/// opened.
std::optional<SoftmaxLayer> read_softmax(const ModelLocation& location,
                                         const ModelOptions& options);

/// Writes the file of weights and bias. SystemError if it cannot be written; InputError for a
/// number that float16 cannot hold.
void write_softmax(const std::filesystem::path& path, const SoftmaxLayer& softmax,
                   Dtype dtype = Dtype::float32);

}  // namespace elmo
