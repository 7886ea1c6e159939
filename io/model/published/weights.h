// The weights of a model in HDF5, named and shaped as core/model/parameters.cpp says: float32,
// little endian, row-major, each parameter a dataset. What files in the wild do otherwise, and is
// read as well:
//
//   char_embed of 262 rows           the row of the mask comes first and is dropped
//   RNN_0/RNN/LSTMCell/…             one layer, without MultiRNNCell/Cell0
//   float64, float16                 converted to float32
//   chunks, gzip, shuffle            as HDF5 has them
//
// The forget gate's bias is without the 1.0 that is added to it when computing, which the options'
// reader makes a property of the model (LstmOptions::forget_offset): added here, and taken off in
// the writer, it would cost a bias its last bits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/stored_parameters.h"
#include "io/dtype.h"

namespace elmo {

/// Reads the parameters of a model of these options and adds to `remarks` what the file does in its
/// own way. Where a word-level model's options do not say how many words it knows (n_tokens_vocab
/// is 0), the rows of its embedding do, and the options are completed. All datasets are checked
/// before memory is taken for any. Contiguous numbers of up to four bytes stay where they lie in
/// the file, which is mapped (see MappedFile), others are read. `name` is what messages call the
/// file. InputError naming the file, the dataset, what was found and the shape expected.
StoredParameters read_weights(const std::filesystem::path& path, const std::string& name,
                              ModelOptions& options, std::vector<std::string>& remarks);

/// InputError naming the file, the parameter and the index of a number that is not finite.
void require_finite(const std::string& name, const StoredParameters& parameters);

/// Makes a file of the parameters: float32, as published files are, or rounded to float16 except
/// biases, which take little room: AllenNLP adds to them in the file's type, and loses bits of them
/// in float16.
/// SystemError where it cannot be written; InputError for a number that float16 cannot hold.
void write_weights(const std::filesystem::path& path, const Parameters& parameters,
                   Dtype dtype = Dtype::float32);

}  // namespace elmo
