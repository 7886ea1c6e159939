#include "core/kernels/precision.h"

#include <dnnl.hpp>
#include <string>

#include "core/error.h"

namespace elmo {

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::bfloat16:
      return "bfloat16";
    case Precision::int8:
      return "int8";
    case Precision::float32:
      break;
  }
  return "float32";
}

bool is_supported(Precision precision) {
  if (precision == Precision::float32) return true;
  // oneDNN names what it will use; each level includes the ones below it, and the AVX2 branch has
  // int8 instructions (VNNI) in its own order.
  const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  const auto has = [isa](dnnl::cpu_isa level) {
    const auto wanted = static_cast<unsigned>(level);
    return (static_cast<unsigned>(isa) & wanted) == wanted;
  };
  if (precision == Precision::bfloat16) return has(dnnl::cpu_isa::avx512_core_bf16);
  return has(dnnl::cpu_isa::avx512_core_vnni) || has(dnnl::cpu_isa::avx2_vnni);
}

void require_supported(Precision precision) {
  if (is_supported(precision)) return;
  throw RequestError(
      "this CPU has no instructions for " + std::string(to_string(precision)) + " products",
      Remedy::compute_in_float32);
}

}  // namespace elmo
