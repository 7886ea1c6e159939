// How a published run was made, as its manifest keeps it.
#pragma once

#include <string>

#include "core/inference/embed.h"
#include "core/kernels/precision.h"
#include "io/shard/manifest/manifest.h"
#include "io/text/source/input_options.h"

namespace elmo {

/// What it takes to compute texts in the same way.
struct RunSettings {
  EmbedOptions embed;  ///< layers and their mix, initial state and its lanes, boundaries
  Precision precision = Precision::float32;
  InputOptions reading;  ///< format and tokenizer; no files
  std::string model;     ///< the installed model's name; empty where files were named
};

/// The settings as ShardFormat::options holds them: a JSON object.
std::string settings_text(const RunSettings& settings);

/// The settings of the run `name`, all of them. InputError where its manifest has none, as those of
/// version 0.6, or some that are not known.
RunSettings run_settings(const Manifest& manifest, const std::string& name);

/// InputError, naming the run `name`, where a text alone cannot be computed like it: with a state
/// that is carried, or with rows that are not those of all tokens.
void require_repeatable(const Manifest& manifest, const RunSettings& settings,
                        const std::string& name);

/// InputError, naming the run `name`, where its rows are not those of all tokens: tokens were
/// chosen, or pooled.
void require_all_tokens(const Manifest& manifest, const std::string& name);

}  // namespace elmo
