#include "cli/flags/output.h"

#include <utility>
#include <vector>

#include "cli/flags/options.h"

namespace elmo {

CLI::Option* add_dtype(CLI::App* app, const std::string& name, Dtype& dtype,
                       const std::string& help) {
  std::vector<std::pair<std::string, Dtype>> choices;
  for (const Dtype one : kDtypes) choices.emplace_back(dtype_name(one), one);
  return add_choice<Dtype>(app, name, dtype, choices, help);
}

CLI::Option* add_compression(CLI::App* app, h5::Compression& compression, const std::string& help) {
  std::vector<std::pair<std::string, h5::Compression>> choices;
  for (const auto one : {h5::Compression::none, h5::Compression::gzip, h5::Compression::zstd}) {
    choices.emplace_back(h5::compression_name(one), one);
  }
  return add_choice<h5::Compression>(
      app, "--compression", compression, choices,
      help + ", after a shuffle of its bytes; zstd where HDF5's filter is installed");
}

}  // namespace elmo
