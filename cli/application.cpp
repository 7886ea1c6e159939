#include "cli/application.h"

#include "cli/program.h"

namespace elmo {
std::unique_ptr<CLI::App> make_application(Command& chosen) {
  auto app = make_program(
      "elmo",
      "Contextual word vectors: the activations of a biLM (ELMo) for every token of a text.");
  app->require_subcommand(1);
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
  complete_options(*app);
  return app;
}

}  // namespace elmo
