// The provenance of a run: everything that its numbers depend on.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/message.h"

namespace elmo {

/// Named components in the order of insertion: "model" and its hash, "tokenizer" and its version,
/// and so on. Names are unique. In a run that embeds, each component is also an attribute of every
/// shard, so its name must not be one that shard_format reserves.
using Provenance = std::vector<std::pair<std::string, std::string>>;

/// Returns the component `name`, or an empty text.
std::string component(const Provenance& provenance, std::string_view name);

/// The component that names the version of the tool which began the run.
inline constexpr const char* kToolVersion = "tool_version";

/// The component that describes the tokenizer (io/text/formats/tokenizer_description.h).
inline constexpr const char* kTokenizer = "tokenizer";

/// Lists every component that differs, with both values, such as "precision was float32 and is
/// bfloat16". Empty if the numbers are the same: the provenances are equal, but for versions that
/// continue each other's runs, and for the revision of rules of tokens that come with the input.
Message provenance_difference(const Provenance& before, const Provenance& now);

}  // namespace elmo
