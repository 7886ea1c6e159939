// The fingerprint of a run of `elmo embed`: everything that its numbers depend on.
#pragma once

#include <string>

#include "core/inference/embed.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "io/provenance.h"
#include "io/shard/manifest.h"

namespace elmo {

/// Returns the component `name`, or an empty text without it.
inline std::string component(const Provenance& fingerprint, const std::string& name) {
  for (const auto& [other, value] : fingerprint) {
    if (other == name) return value;
  }
  return "";
}

/// The component selected_layers: which layers are written, and how they are mixed.
std::string selected_layers(const EmbedOptions& options);

/// The components that identify the model of a run's activations and how it computed them:
/// tool_version, model, model_options, precision, selected_layers and initial_state. `model_hash`
/// is the model's fingerprint.
Provenance computing_fingerprint(const EmbedOptions& options, Precision precision,
                                 const ModelOptions& model, const std::string& model_hash);

/// The component that `elmo mix` adds.
inline constexpr const char* kMixedFrom = "mixed_from";

/// The command whose --resume continues with a run: "embed" or "mix".
std::string command_of(const Manifest& manifest);

}  // namespace elmo
