// The fingerprint of a run of `elmo embed`: everything that its numbers depend on.
#pragma once

#include <string>

#include "cli/run/embed_request.h"
#include "core/model/options.h"
#include "io/fingerprint.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// The component selected_layers: which layers are written, and how they are mixed.
std::string selected_layers(const EmbedOptions& options);

/// The components that identify the model of a run's activations and how it computed them:
/// tool_version, model, model_options, precision, selected_layers and initial_state. `model_hash`
/// is the model's fingerprint.
RunFingerprint computing_fingerprint(const EmbedOptions& options, Precision precision,
                                     const ModelOptions& model, const std::string& model_hash);

/// The components that decide the contents of a run's shards, except those that ShardRun adds.
/// `model_hash` is the model's fingerprint. Errors: as list_input_files and describe_tokenizer.
RunFingerprint run_fingerprint(const EmbedRequest& request, const ShardOutput& output,
                               const ModelOptions& model, const std::string& model_hash);

/// The component that `elmo mix` adds.
inline constexpr const char* kMixedFrom = "mixed_from";

/// The command whose --resume continues with a run: "embed" or "mix".
std::string command_of(const Manifest& manifest);

}  // namespace elmo
