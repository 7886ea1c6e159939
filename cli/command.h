// The subcommands: each registers its options and says what to run once they are parsed.
#pragma once

#include <functional>

#include "cli/process/exit_codes.h"

namespace elmo {

class Options;

/// The work of the chosen subcommand, its options bound. Throws what core and io throw.
using Command = std::function<ExitCode()>;

/// Each adds one subcommand to `app`; parsing sets `chosen` where it is the one.
void add_embed(Options& app, Command& chosen);
void add_perplexity(Options& app, Command& chosen);
void add_tokenize(Options& app, Command& chosen);
void add_info(Options& app, Command& chosen);
void add_verify(Options& app, Command& chosen);
void add_merge(Options& app, Command& chosen);
void add_init(Options& app, Command& chosen);
void add_convert(Options& app, Command& chosen);
void add_train(Options& app, Command& chosen);
void add_finetune(Options& app, Command& chosen);
void add_plot(Options& app, Command& chosen);
void add_senses(Options& app, Command& chosen);
void add_neighbors(Options& app, Command& chosen);
void add_mix(Options& app, Command& chosen);
void add_export(Options& app, Command& chosen);
void add_task(Options& app, Command& chosen);
void add_probe(Options& app, Command& chosen);

}  // namespace elmo
