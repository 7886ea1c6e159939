// The initial states of sentences.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/model/bilm.h"
#include "core/model/lstm.h"

namespace elmo {

/// The fixed text for the warm initial state, with tokens separated by spaces.
std::string_view warm_text();

/// One state (one lane) per direction: 0 forward, 1 backward.
using StartStates = std::array<LstmState, 2>;

/// The zero state.
StartStates zero_states(const Bilm& model);

/// The state after reading warm_text(), with boundaries, from the zero state.
StartStates warm_states(const Bilm& model);

/// The states after the boundary that each direction reads first: `<S>` forward, `</S>` backward.
/// If every sentence has the same start, this is a constant and is computed once.
StartStates after_boundary(const Bilm& model, const StartStates& start);

}  // namespace elmo
