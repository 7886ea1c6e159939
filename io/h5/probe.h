// Opens an untrusted file: a separate process reads it first (apart.h).
#pragma once

#include <filesystem>
#include <string>

#include "io/h5/reader.h"

namespace elmo::h5 {

/// The parts of a file that a probe reads.
enum class ProbeScope {
  structure,  ///< attributes, links, and the datasets' shapes and types
  values      ///< also all values, except those that are only copied from the file as stored
};

/// Opens a file, has a separate process read all attributes and all datasets that hard links lead
/// to, and returns a reader of the same open file. Memory is bounded except for the largest chunk,
/// time by limits_of_size. The probe skips what it cannot read; the caller meets those errors.
/// Messages call the file `name`, or its path if `name` is empty. Errors as open_descriptor,
/// run_apart and Reader.
Reader open_probed(const std::filesystem::path& path, ProbeScope scope,
                   VirtualDatasets virtual_datasets = VirtualDatasets::refused,
                   std::string name = "");

}  // namespace elmo::h5
