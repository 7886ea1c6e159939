// Notification of gradients that are final while others are still being computed.
#pragma once

#include <functional>

#include "core/nn/parameter.h"

namespace elmo {

/// Called with each parameter whose gradient is final. Any thread, several at once.
using GradientReady = std::function<void(const Parameter& parameter)>;

}  // namespace elmo
