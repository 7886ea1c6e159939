// The states that sentences start from.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/model/bilm.h"
#include "core/model/lstm.h"

namespace elmo {

/// The fixed text of the warm initial state, tokens separated by spaces.
std::string_view warm_text();

/// One state (one lane) per direction, 0 forward and 1 backward.
using StartStates = std::array<LstmState, 2>;

/// The zero state.
StartStates zero_states(const Bilm& model);

/// The state that warm_text(), with its boundaries, leaves when it is read from the zero state.
StartStates warm_states(const Bilm& model);

/// The states after the boundary that a direction reads first: `<S>` forward, `</S>` backward. With
/// the same start for every sentence this is a constant that need not be computed again.
StartStates after_boundary(const Bilm& model, const StartStates& start);

}  // namespace elmo
