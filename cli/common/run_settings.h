// The settings of a published run, as stored in its manifest.
#pragma once

#include <string>

#include "core/inference/embed.h"
#include "core/kernels/precision.h"
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

/// Returns all settings of the run `name`. InputError if its manifest has none, as in version 0.6,
/// or has unknown values.
RunSettings run_settings(const Manifest& manifest, const std::string& name);

/// Throws InputError, naming the run `name`, if a separate text cannot be computed like it: its
/// state is carried, or it lacks rows for all tokens.
void require_repeatable(const Manifest& manifest, const RunSettings& settings,
                        const std::string& name);

/// Throws InputError, naming the run `name`, if it lacks rows for all tokens: tokens were selected
/// or pooled.
void require_all_tokens(const Manifest& manifest, const std::string& name);

}  // namespace elmo
