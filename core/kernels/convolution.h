// Character convolutions with oneDNN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace elmo {

/// Number of tokens convolved together. Smaller groups are padded, so that one primitive per length
/// serves any number of tokens.
inline constexpr std::int64_t kConvolutionTokens = 16;

/// One bank of filters of one width. Immutable, so threads may share it.
class Convolution {
 public:
  /// `weights` [width, C, n] and `bias` [n] are row-major, as published.
  Convolution(const float* weights, const float* bias, std::int64_t width,
              std::int64_t embedding_dim, std::int64_t filters);

  std::int64_t width() const;
  std::int64_t filters() const;

 private:
  friend class ConvolutionWorkspace;
  struct Packed;
  std::shared_ptr<const Packed> packed_;
};

/// One thread's memory for convolutions. Keeps its primitives, by bank and length, for its
/// lifetime. Not for two threads at once.
class ConvolutionWorkspace {
 public:
  ConvolutionWorkspace();
  ConvolutionWorkspace(ConvolutionWorkspace&&) noexcept = default;
  ConvolutionWorkspace& operator=(ConvolutionWorkspace&&) noexcept = default;

  /// Computes to [kConvolutionTokens, length − width + 1, n] = the valid convolution of from
  /// [kConvolutionTokens, length, C], plus the bias.
  void convolve(const float* from, const Convolution& bank, std::int64_t length, float* to);

 private:
  struct Cache;
  // Never shared; a unique_ptr would need the complete type here.
  std::shared_ptr<Cache> cache_;
};

}  // namespace elmo
