// Reading a whole file as readers do, for the probe.
#pragma once

#include "io/h5/reader.h"

namespace elmo::h5 {

/// What a probe reads.
enum class ProbeScope : char {
  structure,  ///< attributes, links, and the datasets' shapes and types
  values      ///< also all values that are not copied from the file as they are stored there
};

/// Reads all attributes and datasets that hard links lead to, in bounded memory except the largest
/// chunk. What cannot be read is passed over: errors are for the readers to meet again.
void read_as_readers_do(const Reader& file, ProbeScope scope);

}  // namespace elmo::h5
