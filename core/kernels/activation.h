// The activation of the character encoder's convolutions.
#pragma once

namespace elmo {

enum class Activation { relu, tanh };

}  // namespace elmo
