// Tolerances of results, by kind of comparison.
#pragma once

namespace elmo {

/// float32 activations compared with the reference in double precision.
inline constexpr double kFloat32Tolerance = 1e-5;

/// float32 activations compared with float32 results that other implementations published. Those
/// deviate from exact arithmetic by up to 1.2e-6.
inline constexpr double kPublishedTolerance = 2e-6;

/// float32 gradients compared with differences of the reference's loss, as a share of the largest
/// gradient of the same parameter.
inline constexpr double kGradientTolerance = 1e-4;

/// Smallest cosine between a vector in a lower precision and the same vector in float32, over all
/// tokens.
struct CosineTolerance {
  double mean;
  double least;
};
inline constexpr CosineTolerance kBfloat16Cosines{0.9999, 0.999};
inline constexpr CosineTolerance kInt8Cosines{0.999, 0.99};

}  // namespace elmo
