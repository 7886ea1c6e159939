// The weights of a model in HDF5, named and shaped as core/model/parameters.cpp says: float32,
// little endian, row-major, each parameter a dataset. What files in the wild do otherwise, and is
// read as well:
//
//   char_embed of 262 rows           the row of the mask comes first and is dropped
//   RNN_0/RNN/LSTMCell/…             one layer, without MultiRNNCell/Cell0
//   float64, float16                 converted to float32
//   chunks, gzip, shuffle            as HDF5 has them
//
// The forget gate's bias is without the 1.0 that is added to it when computing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"
#include "io/h5/reader.h"

namespace elmo {

/// Rows of the word embedding, which tell how many words a model knows whose options do not.
/// InputError where there is no such table.
std::int64_t embedding_rows(const h5::Reader& file);

/// Reads the parameters of a model of these options and adds to `remarks` what the file does in its
/// own way. All datasets are checked before memory is taken for any. InputError naming the file,
/// the dataset, what was found and the shape expected. Any thread.
Parameters read_weights(const h5::Reader& file, const ModelOptions& options,
                        std::vector<std::string>& remarks);

/// Makes a file of the parameters, as published files are. SystemError where it cannot be written.
void write_weights(const std::filesystem::path& path, const Parameters& parameters);

}  // namespace elmo
