// A weights file with any damage is either read or refused with an InputError. It must not make the
// program use much memory or crash it; it may crash the library in the process that screens files.
// The input is a list of changes to a valid file of one of two kinds: like published models (HDF5's
// own data has no checksums), or as this project writes them.
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/model/parameters.h"
#include "io/model/weights.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/screening_time.h"

namespace {

/// Few numbers and many groups, so that nearly every byte of the file belongs to HDF5 itself.
elmo::ModelOptions tiny_options() {
  elmo::ModelOptions options;
  options.lstm.dim = 3;
  options.lstm.projection_dim = 2;
  options.lstm.n_layers = 1;
  options.char_cnn.emplace();
  options.char_cnn->embedding_dim = 1;
  options.char_cnn->filters = {{1, 1}, {2, 2}};
  options.char_cnn->n_highway = 1;
  options.char_cnn->max_characters_per_token = 3;
  return options;
}

/// In the oldest version of the format, with one dataset in compressed chunks.
void write_as_published(const std::filesystem::path& path, const elmo::Parameters& parameters) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  for (const elmo::Parameter& parameter : parameters.all()) {
    const std::vector<hsize_t> shape(parameter.shape.begin(), parameter.shape.end());
    const int rank = static_cast<int>(shape.size());
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (parameter.name == "char_embed") {
      H5Pset_chunk(creation, rank, std::array<hsize_t, 2>{64, 1}.data());
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, 4);
    }
    const hid_t space = H5Screate_simple(rank, shape.data(), nullptr);
    const hid_t dataset = H5Dcreate2(file, parameter.name.c_str(), H5T_IEEE_F32LE, space, links,
                                     creation, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, parameter.values.data());
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(creation);
  }
  H5Pclose(links);
  H5Fclose(file);
}

std::array<std::string, 2> sound_files() {
  elmo::Parameters parameters(tiny_options());
  for (elmo::Parameter& parameter : parameters.all()) {
    std::fill(parameter.values.begin(), parameter.values.end(), 0.5F);
  }
  std::array<std::string, 2> files;
  write_as_published(elmo::scratch(), parameters);
  files[0] = elmo::content_of(elmo::scratch());
  elmo::write_weights(elmo::scratch(), parameters);
  files[1] = elmo::content_of(elmo::scratch());
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<std::string, 2> kSound = sound_files();
  if (size == 0) return 0;
  std::string file = kSound[data[0] % 4 == 0 ? 1 : 0];
  elmo::damage(file, {data + 1, size - 1});
  std::ofstream(elmo::scratch(), std::ios::binary) << file;
  elmo::shorten_screening();
  elmo::may_be_refused([&] {
    elmo::ModelOptions options = tiny_options();
    std::vector<std::string> remarks;
    elmo::require_finite("weights",
                         elmo::read_weights(elmo::scratch(), "weights", options, remarks));
  });
  return 0;
}
