// What a sample of activations takes in shards of every kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/inference/activation_source.h"
#include "io/dtype.h"
#include "io/h5/compression.h"

namespace elmo {

/// Bytes of a token's vectors, with their scales, in a shard of this kind.
struct SampleSize {
  bool all_layers = false;  ///< else one row of all
  Dtype dtype = Dtype::float32;
  h5::Compression compression = h5::Compression::none;
  double token_bytes = 0;
};

/// Tells it for each number format and compression that there is, having written the sample, which
/// has a token at least, as such shards: all of its rows, which have the layout of all layers, and
/// the top ones. Errors: as ScratchFolder and ShardFile.
std::vector<SampleSize> measure_sizes(const ActivationBlock& sample,
                                      const ActivationLayout& layout);

}  // namespace elmo
