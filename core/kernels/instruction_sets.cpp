// The instruction sets of x86 that kernels are chosen by, for Highway.
//
// Highway's library finds them as well, but measures the resolution of the clock whenever a program
// is loaded, which takes as long as loading all other libraries. The program needs just these two
// functions of it on x86, so the linker leaves the library out.

#include <hwy/targets.h>

#if HWY_ARCH_X86

#include <cpuid.h>

#include <cstdint>

namespace {

// Bits of the registers of leaf `number` of CPUID; 0 if the processor has no such leaf.
struct Leaf {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;

  explicit Leaf(unsigned number) { __get_cpuid_count(number, 0, &a, &b, &c, &d); }
};

// The compiler's function also asks whether the system saves the registers of AVX and AVX-512. It
// does not know F16C, LZCNT and VAES with every compiler.
std::int64_t supported_targets() {
  __builtin_cpu_init();
  std::int64_t targets = HWY_SCALAR | HWY_EMU128;
#ifdef HWY_SSE2
  targets |= HWY_SSE2;
#endif
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("sse4.2") ||
      !__builtin_cpu_supports("pclmul") || !__builtin_cpu_supports("aes")) {
    return targets;
  }
  targets |= HWY_SSE4;
  if (!__builtin_cpu_supports("avx") || !__builtin_cpu_supports("avx2") ||
      !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
      !__builtin_cpu_supports("bmi2") || (Leaf(1).c & bit_F16C) == 0 ||
      (Leaf(0x80000001).c & bit_LZCNT) == 0) {
    return targets;
  }
  targets |= HWY_AVX2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd")) {
    return targets;
  }
  targets |= HWY_AVX3;
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bitalg") &&
      __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("vpclmulqdq") &&
      __builtin_cpu_supports("gfni") && (Leaf(7).c & bit_VAES) != 0) {
    targets |= HWY_AVX3_DL;
  }
  return targets;
}

}  // namespace

namespace hwy {

std::int64_t SupportedTargets() {
  static const std::int64_t targets = supported_targets();
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy

#endif
