// The choice of the code that computes matrix products on this processor.
#pragma once

#include "core/kernels/precision.h"

namespace elmo {

/// The code for products in one precision.
enum class Backend {
  none,    ///< this processor lacks the instructions
  onednn,  ///< oneDNN
  panels   ///< the kernels of PanelMatrix and BytePanels
};

/// Returns the code for products in `precision`, and, for float32, for convolutions. The same for
/// the whole process. Any thread.
Backend backend(Precision precision);

}  // namespace elmo
