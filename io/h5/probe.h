// Opening a file that nobody vouches for: it is read apart (apart.h) before it is read here.
#pragma once

#include <filesystem>
#include <string>

#include "io/h5/reader.h"

namespace elmo::h5 {

/// What a probe reads.
enum class ProbeScope {
  structure,  ///< attributes, links, and the datasets' shapes and types
  values      ///< also all values that are not copied from the file as they are stored there
};

/// Opens a file, has all attributes and datasets that hard links lead to read apart, in bounded
/// memory except the largest chunk, within the limits of its size, and returns a reader of that
/// same open file. What cannot be read there is passed over: errors are for the caller to meet.
/// `name` is what messages call the file; empty: its path. Errors as open_descriptor, run_apart and
/// Reader.
Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets = VirtualDatasets::refused,
                   std::string name = "");

}  // namespace elmo::h5
