// How far results may be from exact ones, by what is compared.
#pragma once

namespace elmo {

/// float32 activations against the reference in double precision.
inline constexpr double kFloat32Tolerance = 1e-5;

/// float32 activations of one sentence, computed in different company.
inline constexpr double kCompanyTolerance = 1e-6;

}  // namespace elmo
