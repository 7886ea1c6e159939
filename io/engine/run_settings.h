// The settings of a published run: as its manifest stores them, and as the components of its
// provenance that are derived from them.
#pragma once

#include <filesystem>
#include <string>

#include "core/inference/embed.h"
#include "core/kernels/precision.h"
#include "core/model/options.h"
#include "io/provenance.h"
#include "io/shard/manifest.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// The settings needed to compute other texts in the same way.
struct RunSettings {
  EmbedOptions embed;  ///< layers and their mix, initial state and its lanes, boundaries
  Precision precision = Precision::float32;
  InputOptions reading;  ///< format and tokenizer; no files
  std::string model;     ///< the installed model's name; empty if files were named
};

/// The settings as a JSON object, for ShardFormat::options.
std::string settings_text(const RunSettings& settings);

/// Returns all settings of the run `name`. InputError if its manifest lacks one or has unknown
/// values.
RunSettings run_settings(const Manifest& manifest, const std::string& name);

/// Returns whether the run `name` has the activations of `<S>` and `</S>`. InputError if its
/// manifest has other options than a run's.
bool keeps_boundaries(const Manifest& manifest, const std::string& name);

/// Throws InputError, naming the run `name`, if a separate text cannot be computed like it: its
/// state is carried, or it lacks rows for all tokens.
void require_repeatable(const Manifest& manifest, const RunSettings& settings,
                        const std::string& name);

/// Throws InputError, naming the run `name`, if it is incomplete.
void require_complete(const Manifest& manifest, const std::string& name);

/// Throws InputError, naming the run `name`, if it lacks rows for all tokens: tokens were selected
/// or pooled.
void require_all_tokens(const Manifest& manifest, const std::string& name);

/// The component selected_layers: which layers are written, and how they are mixed.
std::string selected_layers(const EmbedOptions& options);

/// The components that identify the model of a run's activations and how it computed them:
/// tool_version, model, model_options, precision, selected_layers and initial_state. `model_hash`
/// is the model's fingerprint.
Provenance computing_provenance(const RunSettings& settings, const ModelOptions& model,
                                const std::string& model_hash);

/// Describes how the files are read: "text", "jsonl, lines, text field body, id field id".
std::string input_format_text(const InputOptions& input);

/// The name of a single file or the number of files, their bytes, and a checksum of all names and
/// sizes.
std::string input_files_text(const FileList& files);

/// The component that `elmo mix` adds.
inline constexpr const char* kMixedFrom = "mixed_from";

/// RequestError if the folder holds a run of vectors, whose files would lie among those of a
/// training. It may be missing.
void require_no_vectors(const std::filesystem::path& folder);

/// Says how to continue with a run that has not ended: "embed resume continues it".
Message continued_by(const Manifest& manifest);

}  // namespace elmo
