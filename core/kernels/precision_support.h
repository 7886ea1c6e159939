// The precisions that this CPU has instructions for.
#pragma once

#include "core/kernels/precision.h"

namespace elmo {

/// Returns whether this CPU has instructions for products in `precision`: AVX-512 BF16 or AMX for
/// bfloat16; AVX-512 VNNI, AVX-VNNI or AMX for int8. float32 is always supported.
bool is_supported(Precision precision);

/// Throws RequestError if `precision` is not supported.
void require_supported(Precision precision);

}  // namespace elmo
