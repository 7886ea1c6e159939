// The subcommands: each registers its options and says what to run once they are parsed.
#pragma once

#include <functional>

#include "cli/process/exit_codes.h"

namespace CLI {
class App;
}

namespace elmo {

/// The work of the chosen subcommand, its options bound. Throws what core and io throw.
using Command = std::function<ExitCode()>;

/// Each adds one subcommand to `app`; parsing sets `chosen` where it is the one.
void add_embed(CLI::App& app, Command& chosen);
void add_perplexity(CLI::App& app, Command& chosen);
void add_tokenize(CLI::App& app, Command& chosen);
void add_info(CLI::App& app, Command& chosen);
void add_verify(CLI::App& app, Command& chosen);
void add_merge(CLI::App& app, Command& chosen);
void add_init(CLI::App& app, Command& chosen);
void add_convert(CLI::App& app, Command& chosen);
void add_train(CLI::App& app, Command& chosen);
void add_finetune(CLI::App& app, Command& chosen);
void add_plot(CLI::App& app, Command& chosen);
void add_senses(CLI::App& app, Command& chosen);
void add_neighbors(CLI::App& app, Command& chosen);
void add_mix(CLI::App& app, Command& chosen);
void add_export(CLI::App& app, Command& chosen);
void add_task(CLI::App& app, Command& chosen);
void add_probe(CLI::App& app, Command& chosen);

}  // namespace elmo
