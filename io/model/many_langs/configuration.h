// Which file holds the architecture of an ELMoForManyLangs model.
#pragma once

#include <string>
#include <vector>

#include "core/model/options.h"
#include "io/model/folder/location.h"

namespace elmo {

/// The architecture of the model at that location: of the file that config.json names by its
/// `config_path`, seen from the model's folder, by its last part alone, or where it was when the
/// model was trained; where there is none, of the file that usually lies beside it,
/// cnn_50_100_512_4096_sample.json, and else the one that comes with their program. `remarks` says
/// where it was not the first. InputError as parse_architecture.
ModelOptions read_architecture(const ModelLocation& location, std::vector<std::string>& remarks);

}  // namespace elmo
