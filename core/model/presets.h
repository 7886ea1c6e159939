// The named architectures of `elmo init`.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/options.h"

namespace elmo {

/// "tiny", "small", "medium", "original".
std::span<const std::string_view> preset_names();

/// Returns the architecture of this name; nothing if the name is unknown. small, medium and
/// original are the published architectures, with 13.6, 28.0 and 93.6 million parameters. tiny is
/// small without its two widest banks of filters, with 5.4 million.
std::optional<ModelOptions> preset(std::string_view name);

}  // namespace elmo
