// All files that are tried out before they are trusted.
#pragma once

#include "io/h5/trial.h"

namespace elmo {

/// The readings of all kinds of HDF5 files, for h5::serve_trials at the head of main().
h5::TrialReadings trial_readings();

}  // namespace elmo
