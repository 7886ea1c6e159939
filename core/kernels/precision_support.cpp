#include "core/kernels/precision_support.h"

#include <string>

#include "core/error.h"
#include "core/kernels/onednn.h"

namespace elmo {

bool is_supported(Precision precision) {
  if (precision == Precision::float32) return true;
  using onednn::uses;
  if (precision == Precision::bfloat16) return uses(dnnl::cpu_isa::avx512_core_bf16);
  // oneDNN's AVX2 levels are a separate branch, with a VNNI level of their own.
  return uses(dnnl::cpu_isa::avx512_core_vnni) || uses(dnnl::cpu_isa::avx2_vnni);
}

void require_supported(Precision precision) {
  if (is_supported(precision)) return;
  throw RequestError(
      "this CPU has no instructions for " + std::string(kPrecisions.word(precision)) + " products",
      Remedy::compute_in_float32);
}

}  // namespace elmo
