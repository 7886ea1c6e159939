// Serialization of carried state between runs.
#pragma once

#include <span>
#include <vector>

#include "core/model/options.h"
#include "core/model/start_state.h"

namespace elmo {

/// Returns the states of all lanes as one list of values, by direction, then layer: h of all lanes,
/// then c of all lanes.
std::vector<float> serialize(const StartStates& states);

/// Returns the states of `lanes` lanes from the result of serialize(); the zero state if `values`
/// is empty. InputError if the number of values does not match the model and the lanes.
StartStates deserialize(const LstmOptions& options, int lanes, std::span<const float> values);

}  // namespace elmo
