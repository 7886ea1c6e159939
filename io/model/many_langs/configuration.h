// Finds the architecture file of an ELMoForManyLangs model.
#pragma once

#include <string>
#include <vector>

#include "core/model/options.h"
#include "io/model/folder/location.h"

namespace elmo {

/// Returns the architecture of the model at that location. It is read from the file that
/// config.json names as `config_path`, looked up relative to the model's folder, by its file name
/// alone, and at the original path. Otherwise it is read from the usual file next to the model,
/// cnn_50_100_512_4096_sample.json, or is the one that comes with ELMoForManyLangs. Adds to
/// `remarks` if it was not the first of these. InputError as parse_architecture.
ModelOptions read_architecture(const ModelLocation& location, std::vector<std::string>& remarks);

}  // namespace elmo
