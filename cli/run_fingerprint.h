// What the numbers of a run of `elmo embed` depend on.
#pragma once

#include <string>

#include "cli/embed.h"
#include "core/model/options.h"
#include "io/fingerprint.h"

namespace elmo {

/// The components that say which model computed a run's activations and how: tool_version, model,
/// model_options, precision, selected_layers and initial_state. `model_hash` is the model's
/// fingerprint.
RunFingerprint computing_fingerprint(const EmbedOptions& options, Precision precision,
                                     const ModelOptions& model, const std::string& model_hash);

/// The components that decide what a run writes, as far as the shards do not name them themselves.
/// `model_hash` is the model's fingerprint. Errors: as list_input_files and describe_tokenizer.
RunFingerprint run_fingerprint(const EmbedFlags& flags, const ModelOptions& model,
                               const std::string& model_hash);

}  // namespace elmo
