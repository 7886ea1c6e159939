// The options of commands that compute with a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/inference/options.h"
#include "core/kernels/precision.h"

namespace elmo {

class Option;
class Options;

/// Register --precision (`help` says what it is used for), --threads (0: one a core) and --workers
/// (0: as many as threads); the values have to outlive `app`'s parsing.
Option add_precision(Options app, Precision& precision, const std::string& help);
/// The same where the default depends on something else.
Option add_precision(Options app, std::optional<Precision>& precision, const std::string& help);
Option add_threads(Options app, int& threads);
Option add_workers(Options app, int& workers);

/// Registers --memory (EmbedOptions::memory_bytes), which has to outlive `app`'s parsing.
Option add_memory(Options app, std::uint64_t& bytes);

/// Registers --initial-state and --lanes in that group; likewise.
void add_initial_state(Options app, InitialState& state, int& lanes, const std::string& group);
/// RequestError for --lanes where nothing is carried.
void check_initial_state(const Options& app, InitialState state);

/// RequestError where there are more workers than threads to share.
void check_workers(int threads, int workers);

}  // namespace elmo
