// What a worker computes in.
#pragma once

#include "core/model/lstm.h"
#include "core/model/token_encoder.h"

namespace elmo {

/// Kept from job to job. Not for two threads at once.
struct Workspace {
  LstmWorkspace lstm;
  EncoderWorkspace encoder;
};

}  // namespace elmo
