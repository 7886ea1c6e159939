// News of gradients while others are still being computed.
#pragma once

#include <functional>

#include "core/nn/parameter.h"

namespace elmo {

/// Is told which gradient is final. Any thread, several at once.
using GradientReady = std::function<void(const Parameter& parameter)>;

}  // namespace elmo
