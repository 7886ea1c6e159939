// How far results may be from exact ones, by what is compared.
#pragma once

namespace elmo {

/// float32 activations against the reference in double precision.
inline constexpr double kFloat32Tolerance = 1e-5;

/// float32 activations against what other implementations published in float32, which is up
/// to 1.2e-6 from exact arithmetic itself.
inline constexpr double kPublishedTolerance = 2e-6;

/// float32 gradients against differences of the reference's loss, as a share of the largest
/// gradient of the same parameter.
inline constexpr double kGradientTolerance = 1e-4;

/// How alike the vectors of a lower precision are to those of float32, as cosines over all tokens.
struct CosineTolerance {
  double mean;
  double least;
};
inline constexpr CosineTolerance kBfloat16Cosines{0.9999, 0.999};
inline constexpr CosineTolerance kInt8Cosines{0.999, 0.99};

}  // namespace elmo
