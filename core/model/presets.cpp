#include "core/model/presets.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace elmo {
namespace {

struct Preset {
  std::int64_t dim;
  std::int64_t projection_dim;
  std::int64_t n_highway;
  std::size_t banks;  ///< number of banks, from kFilters
};

constexpr std::array<std::string_view, 4> kNames{"tiny", "small", "medium", "original"};
constexpr std::array<Preset, kNames.size()> kPresets{
    {{1024, 128, 1, 5}, {1024, 128, 1, 7}, {2048, 256, 1, 7}, {4096, 512, 2, 7}}};

constexpr std::array<CharFilter, 7> kFilters{
    {{1, 32}, {2, 32}, {3, 64}, {4, 128}, {5, 256}, {6, 512}, {7, 1024}}};

}  // namespace

std::span<const std::string_view> preset_names() { return kNames; }

std::optional<ModelOptions> preset(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  const Preset& shape = kPresets[static_cast<std::size_t>(found - kNames.begin())];

  ModelOptions options;
  options.lstm = {.dim = shape.dim,
                  .projection_dim = shape.projection_dim,
                  .n_layers = 2,
                  .cell_clip = 3.0F,
                  .proj_clip = 3.0F,
                  .use_skip_connections = true};
  options.char_cnn = {.embedding_dim = 16,
                      .filters = {kFilters.begin(), kFilters.begin() + shape.banks},
                      .n_highway = shape.n_highway,
                      .max_characters_per_token = 50,
                      .activation = Activation::relu};
  return options;
}

}  // namespace elmo
