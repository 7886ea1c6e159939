// What a run's numbers depend on.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace elmo {

/// Named components, in the order in which they are added: "model" and its hash, "tokenizer" and
/// its version, and so on. Names are unique. In a run that embeds, each is also an attribute of
/// every shard, so that names are none of those that shard_format reserves.
using RunFingerprint = std::vector<std::pair<std::string, std::string>>;

/// Every component that differs, with both values, as in
/// "precision was float32 and is bfloat16"; empty where none does.
std::string fingerprint_difference(const RunFingerprint& before, const RunFingerprint& now);

}  // namespace elmo
