#include "core/kernels/backend.h"

#include "core/kernels/byte_panels.h"
#include "core/kernels/onednn.h"

namespace elmo {
namespace {

Backend choose(Precision precision) {
  using onednn::uses;
  switch (precision) {
    case Precision::bfloat16:
      return uses(dnnl::cpu_isa::avx512_core_bf16) ? Backend::onednn : Backend::none;
    case Precision::int8:
      if (BytePanels::is_supported()) return Backend::panels;
      // oneDNN's AVX2 levels are a separate branch, with a VNNI level of their own.
      return uses(dnnl::cpu_isa::avx512_core_vnni) || uses(dnnl::cpu_isa::avx2_vnni)
                 ? Backend::onednn
                 : Backend::none;
    case Precision::float32:
      break;
  }
  return onednn::is_vectorized() ? Backend::onednn : Backend::panels;
}

}  // namespace

Backend backend(Precision precision) {
  static const Backend float32 = choose(Precision::float32);
  static const Backend bfloat16 = choose(Precision::bfloat16);
  static const Backend int8 = choose(Precision::int8);
  switch (precision) {
    case Precision::bfloat16:
      return bfloat16;
    case Precision::int8:
      return int8;
    case Precision::float32:
      break;
  }
  return float32;
}

}  // namespace elmo
