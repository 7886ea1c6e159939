#include "io/engine/run_layer.h"

#include <algorithm>

#include "core/error.h"
#include "core/kernels/convert.h"
#include "core/text.h"
#include "io/dtype.h"
#include "io/engine/run_settings.h"
#include "io/shard/format.h"

namespace elmo {

std::optional<std::size_t> find_layer(std::span<const TokenLayer> layers, std::string_view name) {
  const auto found = std::ranges::find(layers, name == "0" ? "x" : name, &TokenLayer::name);
  if (found == layers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - layers.begin());
}

TokenLayer chosen_layer(const ActivationLayout& layout, const std::string& name) {
  const std::vector<TokenLayer> layers = token_layers(layout);
  if (name.empty()) return layers.back();
  if (const auto found = find_layer(layers, name)) return layers[*found];
  throw RequestError(Setting{"layer"} + ": found '" + excerpt(name) + "'; expected one of " +
                     joined(layers, ", ", &TokenLayer::name));
}

RunLayer::RunLayer(const std::string& run, const std::string& layer) : name_(run), reader_(run) {
  try {
    layer_ = chosen_layer(reader_.layout(), layer);
  } catch (const RequestError& error) {
    throw InputError(run + ": " + error.message());
  }
  require_complete(manifest(), run);
  const std::string pooling = component(manifest().provenance, shard_format::kPooling);
  if (pooling.empty()) return;
  throw InputError(run + ": its pooling is " + pooling + "; expected a run with vectors of tokens");
}

void RunLayer::read(const std::function<bool(std::string_view token)>& wanted,
                    const std::function<void(std::span<const float> vector)>& use,
                    const std::function<void(std::uint64_t tokens)>& progressed) {
  const RunPieces rows(name_, manifest());
  const bool half = manifest().dtype == Dtype::float16;
  const std::size_t bytes = format_of(manifest().dtype).bytes;
  const auto token_values = static_cast<std::size_t>(reader_.layout().values_per_token());
  const auto begin = static_cast<std::size_t>(layer_.begin);
  const auto width = static_cast<std::size_t>(layer_.width);
  PieceBuffer buffer;
  std::vector<float> widened(half ? width : 0);
  std::vector<float> all;  // values of a piece that is not stored as it is
  for (const RunPiece& piece : rows.pieces()) {
    all.clear();
    const std::vector<std::string> words = reader_.read_tokens(piece.tokens);
    for (std::size_t token = 0; token < words.size(); ++token) {
      if (!wanted(words[token])) continue;
      const std::size_t first = token * token_values + begin;
      if (!piece.stored) {
        if (all.empty()) {
          all.resize(words.size() * token_values);
          reader_.read_activations(piece.tokens, all);
        }
        use(std::span(all).subspan(first, width));
        continue;
      }
      RunPiece vector = piece;
      vector.offset += first * bytes;
      vector.bytes = width * bytes;
      const std::byte* const values = rows.values(vector, buffer);
      if (half) {
        from_float16({reinterpret_cast<const std::uint16_t*>(values), width}, widened);
        use(widened);
      } else {
        use({reinterpret_cast<const float*>(values), width});
      }
    }
    progressed(piece.tokens.end);
  }
}

}  // namespace elmo
