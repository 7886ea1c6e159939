// The subcommands. Each registers its options and, once they are parsed, the work to run.
#pragma once

#include <functional>
#include <memory>

#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/common/rules.h"

namespace elmo {

/// The work of the chosen subcommand, with its options bound. Errors: as in core and io.
using Command = std::function<ExitCode()>;

/// A request of the engine, with the settings that only the command line has.
template <typename Request>
struct Flags {
  Request request{};
  bool json = false;   ///< print JSON
  bool quiet = false;  ///< print neither notes nor progress
  GivenFlags given{};
};

/// If `command` is given, sets `chosen` to a call of `work` with `request`, which the options of
/// `command` fill in before the call.
template <typename Request, typename Work>
void run_if_chosen(const Options& command, const std::shared_ptr<Request>& request, Work work,
                   Command& chosen) {
  command.callback([command, request, work, &chosen] {
    if constexpr (requires { request->given; }) request->given = {command.given()};
    chosen = [request, work] { return work(*request); };
  });
}

/// Each function adds one subcommand to `app`. Parsing sets `chosen` if that subcommand is given.
void add_embed(const Options& app, Command& chosen);
void add_perplexity(const Options& app, Command& chosen);
void add_surprisal(const Options& app, Command& chosen);
void add_substitutes(const Options& app, Command& chosen);
void add_tokenize(const Options& app, Command& chosen);
void add_info(const Options& app, Command& chosen);
void add_verify(const Options& app, Command& chosen);
void add_merge(const Options& app, Command& chosen);
void add_init(const Options& app, Command& chosen);
void add_convert(const Options& app, Command& chosen);
void add_train(const Options& app, Command& chosen);
void add_finetune(const Options& app, Command& chosen);
void add_plot(const Options& app, Command& chosen);
void add_senses(const Options& app, Command& chosen);
void add_neighbors(const Options& app, Command& chosen);
void add_change(const Options& app, Command& chosen);
void add_similarity(const Options& app, Command& chosen);
void add_mix(const Options& app, Command& chosen);
void add_export(const Options& app, Command& chosen);
void add_task(const Options& app, Command& chosen);
void add_probe(const Options& app, Command& chosen);

}  // namespace elmo
