// What precisions the instructions of this CPU are made for.
#pragma once

#include "core/kernels/precision.h"

namespace elmo {

/// Whether this CPU computes products of that precision with instructions made for them (AVX-512
/// BF16 or AMX; AVX-512 VNNI, AVX-VNNI or AMX). float32 is always supported.
bool is_supported(Precision precision);

/// RequestError where it is not.
void require_supported(Precision precision);

}  // namespace elmo
