#include "cli/application.h"

#include <CLI/Config.hpp>
#include <string>

#include "cli/flags/help.h"
#include "cli/flags/options.h"
#include "core/version.h"

namespace elmo {
namespace {

void add_version(CLI::App& app) {
  app.set_version_flag("--version", "elmo " + std::string(version()), "Print the version and exit");
}

/// Whatever a command is asked for beside it.
void add_version_to_commands(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    add_version(*command);
    add_version_to_commands(*command);
  }
}

}  // namespace

std::unique_ptr<CLI::App> make_application(Command& chosen) {
  auto app = std::make_unique<CLI::App>(
      "Contextual word vectors: the activations of a biLM (ELMo) for every token of a text.",
      "elmo");
  app->formatter(std::make_shared<HelpFormatter>());
  app->require_subcommand(1);
  app->set_help_flag("-h,--help",
                     "Print the options of a command with their ranges and defaults, and exit");
  add_version(*app);
  add_embed(*app, chosen);
  add_perplexity(*app, chosen);
  add_tokenize(*app, chosen);
  add_info(*app, chosen);
  add_verify(*app, chosen);
  add_merge(*app, chosen);
  add_init(*app, chosen);
  add_convert(*app, chosen);
  add_train(*app, chosen);
  add_finetune(*app, chosen);
  add_plot(*app, chosen);
  add_senses(*app, chosen);
  add_neighbors(*app, chosen);
  add_mix(*app, chosen);
  add_export(*app, chosen);
  add_task(*app, chosen);
  add_probe(*app, chosen);
  add_bench(*app, chosen);
  add_version_to_commands(*app);
  refuse_empty_values(*app);
  return app;
}

}  // namespace elmo
