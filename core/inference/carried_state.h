// Carried state as it is kept between runs.
#pragma once

#include <span>
#include <vector>

#include "core/model/options.h"
#include "core/model/start_state.h"

namespace elmo {

/// The states of all lanes as one list of numbers: direction, layer, h of all lanes, c of all
/// lanes.
std::vector<float> serialize(const StartStates& states);

/// The states of `lanes` lanes that serialize() made `values` of; the zero state where there are
/// none. InputError for another number of values than the model and the lanes need.
StartStates deserialize(const LstmOptions& options, int lanes, std::span<const float> values);

}  // namespace elmo
