// The weights of a model in HDF5, with the names and shapes in core/model/parameters.cpp: float32,
// little-endian, row-major, one dataset for each parameter. These variants in published files are
// also read:
//
//   char_embed of 262 rows           the row of the mask comes first and is dropped
//   RNN_0/RNN/LSTMCell/…             one layer, without MultiRNNCell/Cell0
//   float64, float16                 converted to float32
//   chunks, gzip, shuffle            as HDF5 supports them
//
// The forget gate's bias is stored without the 1.0 that is added to it in computing. The options'
// reader makes this offset a property of the model (LstmOptions::forget_offset). If it were added
// here and subtracted in the writer, biases would lose their last bits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "io/dtype.h"

namespace elmo {

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

}  // namespace elmo
