// Allowed transitions between the labels of adjacent tokens.
#pragma once

#include <span>
#include <string>

#include "core/nn/crf.h"

namespace elmo {

/// Allows all transitions unless the labels follow a span scheme (spans.h). Any thread.
LabelTransitions label_transitions(std::span<const std::string> labels);

}  // namespace elmo
