// What the numbers of a run of `elmo embed` depend on.
#pragma once

#include <string>

#include "cli/commands/embed.h"
#include "core/model/options.h"
#include "io/fingerprint.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Which layers are handed out, and how they are mixed: the component selected_layers.
std::string selected_layers(const EmbedOptions& options);

/// The components that say which model computed a run's activations and how: tool_version, model,
/// model_options, precision, selected_layers and initial_state. `model_hash` is the model's
/// fingerprint.
RunFingerprint computing_fingerprint(const EmbedOptions& options, Precision precision,
                                     const ModelOptions& model, const std::string& model_hash);

/// The components that decide what a run writes, as far as the shards do not name them themselves.
/// `model_hash` is the model's fingerprint. Errors: as list_input_files and describe_tokenizer.
RunFingerprint run_fingerprint(const EmbedFlags& flags, const ModelOptions& model,
                               const std::string& model_hash);

/// The component of that name; empty where there is none.
std::string component(const RunFingerprint& fingerprint, const std::string& name);

/// The component that `elmo mix` adds.
inline constexpr const char* kMixedFrom = "mixed_from";

/// The command whose --resume goes on with a run: "embed" or "mix".
std::string command_of(const Manifest& manifest);

/// InputError, naming the run `name`, where its rows are not those of all tokens: tokens were
/// chosen, or pooled.
void require_all_tokens(const Manifest& manifest, const std::string& name);

/// How a published run was made, for texts that are to be computed in the same way.
struct RunSettings {
  EmbedOptions embed;  ///< layers, initial state, boundaries
  Precision precision = Precision::float32;
  InputOptions reading;  ///< what makes the tokens; no files
};

/// InputError, naming the run `name`, where a text alone cannot be computed like it: with a state
/// that is carried, with rows that are not those of all tokens, or by settings that are not known.
RunSettings run_settings(const Manifest& manifest, const std::string& name);

}  // namespace elmo
