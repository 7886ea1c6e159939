#include "core/kernels/onednn.h"

#include <string>

#include "core/kernels/byte_panels.h"

namespace elmo {
namespace {

/// Returns whether oneDNN uses instructions of `level`. Each level includes those below it.
bool uses(dnnl::cpu_isa level) {
  const auto wanted = static_cast<unsigned>(level);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
}

/// Returns whether oneDNN has vector code for float32 products and convolutions on this processor.
/// Asks a convolution: its name tells plain code from vector code, whereas products have the same
/// name for both.
bool is_vectorized() {
  using namespace onednn;
  constexpr dnnl::memory::dim kTokens = 16;
  constexpr dnnl::memory::dim kLength = 32;
  constexpr dnnl::memory::dim kWidth = 3;
  constexpr dnnl::memory::dim kChannels = 16;
  constexpr dnnl::memory::dim kFilters = 64;
  const std::string name = create([&] {
    return convolution_descriptor({{kTokens, kChannels, kLength}, Type::f32, Tag::nwc},
                                  {{kFilters, kChannels, kWidth}, Type::f32, Tag::any},
                                  {{kFilters}, Type::f32, Tag::x},
                                  {{kTokens, kFilters, kLength - kWidth + 1}, Type::f32, Tag::nwc},
                                  attributes())
        .impl_info_str();
  });
  return name.find("ref") == std::string::npos;
}

Backend choose(Precision precision) {
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
  return is_vectorized() ? Backend::onednn : Backend::panels;
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
