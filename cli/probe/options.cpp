// `elmo probe`: how well each layer predicts the labels of tokens.
#include "cli/common/options.h"

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/common/features_options.h"
#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/probe/report.h"
#include "cli/probe/run.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/model/model.h"

namespace elmo {
namespace {

// More than anyone needs.
constexpr int kMaxEpochs = 10000;
constexpr std::int64_t kMaxBatchTokens = std::int64_t{1} << 20;

struct ProbeFlags {
  std::string train;
  std::string dev;
  std::string test;  // none, if empty
  LabeledFlags labeled;
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
                       flags.labeled.format,
                       flags.labeled.column,
                       flags.options,
                       {features.precision, features.dtype, features.threads},
                       {}};
  if (!flags.test.empty()) request.test = flags.test;
  if (!features.folder.empty()) request.folder = features.folder;
  return request;
}

ExitCode run_probe(const ProbeFlags& flags) {
  require_other_file("-o", flags.picture, files_of(locate_model(flags.features.model)));
  // Before anything is computed, because writing may fail.
  std::optional<AtomicFile> picture;
  if (!flags.picture.empty()) picture.emplace(flags.picture);
  ProbeReport report(flags.features.quiet);
  const std::optional<ProbeSummary> summary =
      run_probe(probe_request(flags), load_model(flags.features.model), report, stop_on_signals());
  if (!summary) {
    report.note(flags.features.folder.empty()
                    ? "stopped; use --features to keep activations"
                    : "stopped; repeat the command to continue with the activations in " +
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

void add_training_flags(Options app, ProbeOptions& options) {
  const std::string group = "Training";
  add_whole(app, "--epochs", options.epochs, "N", 1, kMaxEpochs,
            "Number of epochs; the best one on --dev counts")
      ->group(group);
  add_whole(app, "--batch-tokens", options.batch_tokens, "tokens", std::int64_t{1}, kMaxBatchTokens,
            "Tokens of a step")
      ->group(group);
  NumberRange positive;
  positive.least = 0;
  positive.least_end = NumberRange::End::excluded;
  add_number(app, "--learning-rate", options.rate, "RATE", positive,
             "Initial learning rate of Adam; falls linearly to 0")
      ->group(group);
  add_numbers(app, "--weight-decay", options.weight_decays, "RATE,...",
              "Weight decay rates to try (AdamW); the best one on --dev counts, for each layer")
      ->default_str("0")
      ->group(group);
  add_whole(app, "--seed", options.seed, "N", std::uint64_t{0}, ~std::uint64_t{0},
            "Random seed of token order and bootstrap")
      ->group(group);
}

constexpr const char* kProbeFooter =
    "A probe is a linear softmax classifier on one layer of the frozen biLM: `x`, the token layer, "
    "without context; `forward_1`, `backward_1`, …, one direction of a layer; `1`, `2`, …, both "
    "directions; `mix`, all layers with learned softmax-normalized weights and gamma. The baseline "
    "predicts each word's most frequent training label, for unknown words the most frequent of "
    "all.\n\nAccuracies are in percent of all tokens; labels unseen in training count as wrong. "
    "The "
    "95 % interval is from 1,000 bootstrap samples of sentences. Unknown words do not occur in "
    "training; with --json, `unknown` is their accuracy in --test, or else in --dev. Results do "
    "not "
    "depend on --threads.";

}  // namespace

void add_probe(Options& app, Command& chosen) {
  const auto flags = std::make_shared<ProbeFlags>();
  Options command =
      app.add_subcommand("probe", "Measure how well each layer predicts token labels");
  command->add_option("--train", flags->train, "Labeled training sentences")
      ->type_name("FILE")
      ->required();
  command->add_option("--dev", flags->dev, "Labeled sentences that select epoch and weight decay")
      ->type_name("FILE")
      ->required();
  command->add_option("--test", flags->test, "Labeled sentences for the final score only")
      ->type_name("FILE")
      ->default_str("none");
  command
      ->add_option("-o,--output", flags->picture, "SVG plot of the accuracies, to write or replace")
      ->type_name("FILE")
      ->default_str("none");
  command->add_flag("--json", flags->json, "Print JSON with exact numbers");
  add_labeled_flags(command, flags->labeled);
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
