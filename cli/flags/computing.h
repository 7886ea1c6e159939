// The options of commands that compute with a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/kernels/precision.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

/// Register --precision (`help` says what it is used for), --threads (0: one a core) and --workers
/// (0: as many as threads); the values have to outlive `app`'s parsing.
CLI::Option* add_precision(CLI::App* app, Precision& precision, const std::string& help);
/// The same where the default depends on something else.
CLI::Option* add_precision(CLI::App* app, std::optional<Precision>& precision,
                           const std::string& help);
CLI::Option* add_threads(CLI::App* app, int& threads);
CLI::Option* add_workers(CLI::App* app, int& workers);

/// Registers --memory (EmbedOptions::memory_bytes), which has to outlive `app`'s parsing.
CLI::Option* add_memory(CLI::App* app, std::uint64_t& bytes);

/// RequestError where there are more workers than threads to share.
void check_workers(int threads, int workers);

}  // namespace elmo
