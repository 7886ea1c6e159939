// Architectures that `elmo init` knows by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/options.h"

namespace elmo {

/// "tiny", "small", "medium", "original".
std::span<const std::string_view> preset_names();

/// The architecture of that name; nothing where there is none. small, medium and original are the
/// published ones: 13.6, 28.0 and 93.6 million parameters. tiny is small without its two widest
/// banks of filters: 5.4 million.
std::optional<ModelOptions> preset(std::string_view name);

}  // namespace elmo
