#include "cli/application.h"

namespace elmo {
std::unique_ptr<Program> make_application(Command& chosen) {
  auto program = std::make_unique<Program>(
      "elmo",
      "Contextual word vectors: the activations of a biLM (ELMo) for every token of a text.");
  Options app = program->options();
  app.require_subcommand();
  add_embed(app, chosen);
  add_perplexity(app, chosen);
  add_tokenize(app, chosen);
  add_info(app, chosen);
  add_verify(app, chosen);
  add_merge(app, chosen);
  add_init(app, chosen);
  add_convert(app, chosen);
  add_train(app, chosen);
  add_finetune(app, chosen);
  add_plot(app, chosen);
  add_senses(app, chosen);
  add_neighbors(app, chosen);
  add_mix(app, chosen);
  add_export(app, chosen);
  add_task(app, chosen);
  add_probe(app, chosen);
  program->complete();
  return program;
}

}  // namespace elmo
