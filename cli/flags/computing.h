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

/// Register --precision (described by `help`), --threads (0: one per core) and --workers (0: as
/// many as threads). The values must outlive the parsing of `app`.
Option add_precision(Options app, Precision& precision, const std::string& help);
/// The same for a default that depends on other settings.
Option add_precision(Options app, std::optional<Precision>& precision, const std::string& help);
Option add_threads(Options app, int& threads);
Option add_workers(Options app, int& workers);

/// Registers --memory (EmbedOptions::memory_bytes). `bytes` must outlive the parsing of `app`.
Option add_memory(Options app, std::uint64_t& bytes);

/// Registers --initial-state and --lanes under the heading `group`. The values must outlive the
/// parsing of `app`.
void add_initial_state(Options app, InitialState& state, int& lanes, const std::string& group);
/// Throws RequestError if --lanes is given and the state is not carried.
void check_initial_state(const Options& app, InitialState state);

/// Throws RequestError if there are more workers than threads.
void check_workers(int threads, int workers);

}  // namespace elmo
