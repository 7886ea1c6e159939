// Activations of the character encoder's convolutions.
#pragma once

#include "core/enum_table.h"

namespace elmo {

enum class Activation { relu, tanh };

inline constexpr auto kActivations =
    enum_table<Activation>({{"relu", Activation::relu}, {"tanh", Activation::tanh}});

}  // namespace elmo
