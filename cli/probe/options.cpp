// `elmo probe`: how well each layer predicts the labels of tokens.
#include "cli/common/options.h"

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/rules.h"
#include "cli/probe/report.h"
#include "io/engine/probe.h"
#include "io/files/atomic_file.h"

namespace elmo {
namespace {

// Far more than anyone needs.
constexpr int kMaxEpochs = 10000;
constexpr std::int64_t kMaxBatchTokens = std::int64_t{1} << 20;

struct ProbeFlags : Flags<ProbeRequest> {
  PictureSize size;
};

ExitCode probe_and_report(const ProbeFlags& flags) {
  const ProbeRequest& request = flags.request;
  const bool draws = !request.picture.empty();
  check_rules(flags.given, {{"--width", draws, "--output"}, {"--font-size", draws, "--output"}});
  validate(request);
  const std::atomic<bool>& stop = stop_on_signals();
  // Opened before anything is computed, because writing may fail.
  std::optional<AtomicFile> picture;
  if (draws) picture.emplace(request.picture);
  ProbeReport report(flags.quiet, request.options.epochs);
  const auto trained = [&report](const ProbeProgress& progress) { report.trained(progress); };
  const std::optional<ProbeSummary> summary = run_probe(request, report, trained, stop);
  if (!summary) {
    report.progress_ended();
    RunReport(false).note(stopped_text(request.features));
    return kInterrupted;
  }
  // Writes the file first, because the reader of standard output may have closed it.
  if (picture) {
    picture->append(probe_svg(*summary, flags.size));
    picture->publish();
    report.note("the picture is in " + request.picture);
  }
  standard_output().write(flags.json ? probe_json(*summary) : probe_table(*summary));
  return kDone;
}

void add_labeled_files(const Options& command, ProbeRequest& request) {
  const Options app = command.in_group("Labeled files");
  add_column(app, request.column);
  add_choice(
      app, "--format", request.form,
      kTextForms.only<TextForm::columns, TextForm::conllu, TextForm::jsonl>(),
      "Format of labeled files: `columns`, token TAB label; `conllu`; `jsonl`, with `tokens` and "
      "`labels`")
      .default_str("detected by name and content");
}

void add_training(const Options& command, ProbeOptions& options) {
  const Options app = command.in_group("Training");
  add_whole(app, "--epochs", options.epochs, "N", 1, kMaxEpochs,
            "Number of epochs; the best one on --dev counts");
  add_whole(app, "--batch-tokens", options.batch_tokens, "TOKENS", std::int64_t{1}, kMaxBatchTokens,
            "Tokens of a step");
  add_number(app, "--learning-rate", options.rate, "RATE", kPositive,
             "Initial learning rate of Adam; falls linearly to 0");
  add_numbers(app, "--weight-decay", options.weight_decays, "RATE,...",
              "Weight decay rates to try (AdamW); the best one on --dev counts, for each layer")
      .default_str("0");
  add_seed(app, options.seed, "Random seed of token order and bootstrap");
}

constexpr const char* kProbeFooter =
    "A probe is a linear softmax classifier on one layer of the frozen biLM: `x`, the token layer, "
    "without context; `forward_1`, `backward_1`, …, one direction of a layer; `1`, `2`, …, both "
    "directions; `mix`, all layers with learned softmax-normalized weights and gamma. The baseline "
    "predicts each word's most frequent training label, for unknown words the most frequent of "
    "all.\n\nAccuracies are in percent of all tokens; labels unseen in training count as wrong. "
    "The 95 % interval is from 1,000 bootstrap samples of sentences. Unknown words do not occur in "
    "training; with --json, `unknown` is their accuracy in --test, or else in --dev. Results do "
    "not depend on --threads.";

}  // namespace

void add_probe(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<ProbeFlags>();
  ProbeRequest& request = flags->request;
  Options command =
      app.add_subcommand("probe", "Measure how well each layer predicts token labels");
  command.add_option("--train", request.train, "FILE", "Labeled training sentences").required();
  command
      .add_option("--dev,--valid", request.dev, "FILE",
                  "Labeled sentences that select epoch and weight decay")
      .required();
  command.add_option("--test", request.test, "FILE", "Labeled sentences for the final score only")
      .default_str("none");
  command
      .add_option("-o,--output", request.picture, "FILE",
                  "SVG plot of the accuracies, to write or replace")
      .default_str("none");
  command.add_flag("--json", flags->json, "Print JSON with exact numbers");
  add_labeled_files(command, request);
  add_training(command, request.options);
  add_picture_flags(command, flags->size);
  add_feature_flags(command, request.features, flags->quiet, "a temporary one");
  command.footer(kProbeFooter);
  run_if_chosen(command, flags, probe_and_report, chosen);
}

}  // namespace elmo
