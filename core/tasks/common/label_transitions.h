// Which labels of tokens may follow each other.
#pragma once

#include <span>
#include <string>

#include "core/nn/crf.h"

namespace elmo {

/// All, unless the labels are of a span scheme (spans.h). Any thread.
LabelTransitions label_transitions(std::span<const std::string> labels);

}  // namespace elmo
