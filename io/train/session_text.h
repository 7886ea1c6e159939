// A session's state as the text that goes into checkpoints.
#pragma once

#include <string>
#include <string_view>

#include "core/train/session.h"

namespace elmo {

/// The seconds and the means, "12.5 [3,23,…]"; the counters are not part of it. Means lose no bit.
std::string session_text(const SessionState& state);

/// What `text` says, with these counters. InputError where it was made by something else.
SessionState parse_session(std::string_view text, TrainerCounters counters);

}  // namespace elmo
