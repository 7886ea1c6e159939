// `elmo probe`: what each layer knows of the labels of tokens.
#include "cli/report/probe.h"

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/flags/features.h"
#include "cli/flags/labelled.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/numbers/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/run/probe.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/model/model.h"

namespace elmo {
namespace {

// Past any use.
constexpr int kMaxEpochs = 10000;
constexpr std::int64_t kMaxBatchTokens = std::int64_t{1} << 20;

struct ProbeFlags {
  std::string train;
  std::string dev;
  std::string test;  // none, if empty
  LabelledFlags labelled;
  FeatureFlags features;
  ProbeOptions options;
  std::string picture;  // none, if empty
  bool json = false;
};

ProbeRequest probe_request(const ProbeFlags& flags) {
  const FeatureFlags& features = flags.features;
  ProbeRequest request{flags.train,
                       flags.dev,
                       {},
                       flags.labelled.format,
                       flags.labelled.column,
                       flags.options,
                       {features.precision, features.dtype, features.threads},
                       {}};
  if (!flags.test.empty()) request.test = flags.test;
  if (!features.folder.empty()) request.folder = features.folder;
  return request;
}

ExitCode run_probe(const ProbeFlags& flags) {
  require_other_file("-o", flags.picture, files_of(locate_model(flags.features.model)));
  // Before anything is computed, for it may be that it cannot be written.
  std::optional<AtomicFile> picture;
  if (!flags.picture.empty()) picture.emplace(flags.picture);
  ProbeReport report(flags.features.quiet);
  const std::optional<ProbeSummary> summary =
      run_probe(probe_request(flags), load_model(flags.features.model), report, stop_on_signals());
  if (!summary) {
    report.note(flags.features.folder.empty()
                    ? "stopped; with --features, what is computed would be kept"
                    : "stopped; the same command goes on with the activations in " +
                          flags.features.folder);
    return kInterrupted;
  }
  standard_output().write(flags.json ? probe_json(*summary) : probe_table(*summary));
  if (!picture) return kDone;
  picture->append(probe_svg(*summary));
  picture->publish();
  report.note("the picture is in " + flags.picture);
  return kDone;
}

void add_training_flags(CLI::App* app, ProbeOptions& options) {
  const std::string group = "Training";
  add_whole(app, "--epochs", options.epochs, "N", 1, kMaxEpochs,
            "Times to go through the training data; the epoch that is best on --dev counts")
      ->group(group);
  add_whole(app, "--batch-tokens", options.batch_tokens, "tokens", std::int64_t{1}, kMaxBatchTokens,
            "Tokens of a step")
      ->group(group);
  NumberRange positive;
  positive.least = 0;
  positive.least_end = NumberRange::End::excluded;
  add_number(app, "--learning-rate", options.rate, "RATE", positive,
             "Adam's learning rate at first; it falls linearly to 0")
      ->group(group);
  add_numbers(app, "--weight-decay", options.weight_decays, "RATE,...",
              "Regularisation: rates to try, apart from the gradient (AdamW); the one that is best "
              "on --dev counts, for each layer")
      ->default_str("0")
      ->group(group);
  add_whole(app, "--seed", options.seed, "N", std::uint64_t{0}, ~std::uint64_t{0},
            "Decides the order of the tokens and the bootstrap's samples")
      ->group(group);
}

constexpr const char* kProbeFooter =
    "A probe is a softmax over a linear map of what one layer says of a token: `x`, the token "
    "layer, which knows no context; `forward_1`, `backward_1`, and so on, one direction of a "
    "layer; `1`, `2`, both directions; `mix`, all layers, weighed by softmax-normalised weights "
    "and a gamma that are learned with it. The biLM is frozen. Beside them "
    "stands the label that a word has most often in training, for unknown words the most frequent "
    "of all.\n"
    "\n"
    "Accuracies are in percent of all tokens; labels that training does not have count as wrong. "
    "The interval holds 95 % of 1,000 bootstrap samples of sentences. Unknown words are those that "
    "training does not have; with --json, `unknown` is their accuracy in --test, or else in "
    "--dev. Results do not depend on --threads.\n"
    "\n"
    "Exit codes: 0 done, 1 failure, 2 usage, 3 bad input, 5 stopped by a signal; with --features "
    "the same command does not compute again the activations that were kept.";

}  // namespace

void add_probe(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<ProbeFlags>();
  CLI::App* command =
      app.add_subcommand("probe", "Measure what each layer knows of the labels of tokens");
  command->add_option("--train", flags->train, "Labelled sentences to learn from")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--dev", flags->dev, "Labelled sentences that choose epoch and regularisation")
      ->type_name("FILE")
      ->required();
  command->add_option("--test", flags->test, "Labelled sentences that choose nothing")
      ->type_name("FILE")
      ->default_str("none");
  command
      ->add_option("-o,--output", flags->picture,
                   "SVG file for a picture of the accuracies, replacing what is there")
      ->type_name("FILE")
      ->default_str("none");
  command->add_flag("--json", flags->json, "Print JSON, with numbers in full");
  add_labelled_flags(command, flags->labelled);
  add_training_flags(command, flags->options);
  add_feature_flags(command, flags->features, "a temporary one");
  command->footer(kProbeFooter);
  command->callback([flags, &chosen] {
    for (const float decay : flags->options.weight_decays) {
      if (decay >= 0) continue;
      throw RequestError("--weight-decay: found " + human_number(static_cast<double>(decay), 6) +
                         ", expected no less than 0");
    }
    require_other_file("-o", flags->picture, {flags->train, flags->dev, flags->test});
    chosen = [flags] { return run_probe(*flags); };
  });
}

}  // namespace elmo
