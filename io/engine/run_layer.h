// A layer by its name, and the vectors of a layer of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inference/activations.h"
#include "io/shard/run_reader.h"

namespace elmo {

/// Returns the index in `layers` of the layer that people call `name`, or nothing. Layer x may also
/// be called 0.
std::optional<std::size_t> find_layer(std::span<const TokenLayer> layers, std::string_view name);

/// Returns the layer called `name`, or the top layer if it is empty. RequestError if there is no
/// such layer.
TokenLayer chosen_layer(const ActivationLayout& layout, const std::string& name);

/// Passes over the tokens of a run and reads the vectors of some in one layer. Uncompressed float32
/// and float16 are read without the other layers. Memory is constant. One thread. Errors as
/// RunReader and RunPieces.
class RunLayer {
 public:
  /// InputError if the run is incomplete, lacks the layer (see chosen_layer) or has pooled rows.
  RunLayer(const std::string& run, const std::string& layer);

  const Manifest& manifest() const { return reader_.manifest(); }
  const TokenLayer& layer() const { return layer_; }
  std::uint64_t tokens() const { return reader_.token_count(); }

  /// Calls `wanted` with each token in order, and `use` with the vector of each for which it
  /// returned true. Calls `progressed` often, with the number of tokens passed.
  void read(const std::function<bool(std::string_view token)>& wanted,
            const std::function<void(std::span<const float> vector)>& use,
            const std::function<void(std::uint64_t tokens)>& progressed);

 private:
  std::string name_;
  RunReader reader_;
  TokenLayer layer_;
};

}  // namespace elmo
