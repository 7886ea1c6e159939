// The numbers of a model in HDF5.
//
// weights.hdf5 has the names and shapes in core/model/parameters.cpp: float32, little-endian,
// row-major, one dataset for each parameter. These variants in published files are also read:
//
//   char_embed of 262 rows           the row of the mask comes first and is dropped
//   RNN_0/RNN/LSTMCell/…             one layer, without MultiRNNCell/Cell0
//   float64, float16                 converted to float32
//   chunks, gzip, shuffle            as HDF5 supports them
//
// The forget gate's bias is stored without the 1.0 that is added to it in computing. The options'
// reader makes this offset a property of the model (LstmOptions::forget_offset). If it were added
// here and subtracted in the writer, biases would lose their last bits.
//
// The softmax that a model was trained with is stored next to it. Both directions share it. Readers
// of published models ignore these files:
//
//   softmax.hdf5     /softmax/W [V, P] and /softmax/b [V], little-endian, row-major; float32, or to
//                    take less space W in float16, or in int8 with the factor of each row in
//                    /softmax/scales [V] (tests/bench/quantize_softmax.py)
//   vocabulary.txt   the V words that are predicted, in the order of the rows (see
//                    io/model/vocabulary.h); vocab.txt, of word-level models, is another list: the
//                    words that are read, in the order of the embedding's rows
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/model/stored_parameters.h"
#include "io/dtype.h"
#include "io/model/location.h"

namespace elmo {

/// InputError naming file, dataset, index and value if a number is not finite. `values` may be a
/// part of the dataset; `first` is the number of its first value.
void require_finite(const std::string& file, const std::string& path,
                    std::span<const std::uint64_t> shape, std::span<const float> values,
                    std::uint64_t first = 0);

/// Reads the parameters of a model of these options and adds peculiarities of the file to
/// `remarks`. If the options of a word-level model do not state the number of words (n_tokens_vocab
/// is 0), it is set to the number of rows of the embedding. All datasets are checked before any
/// memory is allocated. Contiguous numbers of up to four bytes stay in the file, which is mapped
/// (see MappedFile); others are read. Messages call the file `name`. InputError naming the file,
/// the dataset, what was found and the expected shape.
StoredParameters read_weights(const std::filesystem::path& path, const std::string& name,
                              ModelOptions& options, std::vector<std::string>& remarks);

/// InputError naming the file, the parameter and the index of a number that is not finite.
void require_finite(const std::string& name, const StoredParameters& parameters);

/// Writes a file of the parameters: float32, as in published files, or rounded to float16 except
/// for biases. Biases take little space, and AllenNLP adds to them in the file's type, which would
/// lose bits in float16. SystemError if the file cannot be written; InputError for a number that
/// float16 cannot hold.
void write_weights(const std::filesystem::path& path, const Parameters& parameters,
                   Dtype dtype = Dtype::float32);

/// Reads the softmax of a model of these options, from HDF5 or from the checkpoint of TensorFlow
/// that has its weights; returns nothing if its location has none. Memory is bounded by the files'
/// sizes. InputError naming the file and the dataset, what was found and the expected shape, and
/// also if only one of the two files exists; SystemError if one cannot be opened.
std::optional<SoftmaxLayer> read_softmax(const ModelLocation& location,
                                         const ModelOptions& options);

/// Writes the file of weights and bias. SystemError if it cannot be written; InputError for a
/// number that float16 cannot hold.
void write_softmax(const std::filesystem::path& path, const SoftmaxLayer& softmax,
                   Dtype dtype = Dtype::float32);

}  // namespace elmo
