// `elmo probe`: what each layer knows of the labels of tokens.
#include "cli/report/probe.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/features.h"
#include "cli/flags/labelled.h"
#include "cli/flags/options.h"
#include "cli/flags/output.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "cli/run/features.h"
#include "cli/run/scratch_folder.h"
#include "core/analysis/probe/label_corpus.h"
#include "core/analysis/probe/probe_training.h"
#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "io/files/atomic_file.h"

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

/// A labelled file, and what the biLM makes of it.
struct ProbeCorpus {
  LabelCorpus labels;
  std::unique_ptr<ActivationSource> activations;

  ProbedCorpus view() const { return {&labels, activations.get()}; }
};

/// The probes' work from files to results.
class ProbeRun {
 public:
  explicit ProbeRun(const ProbeFlags& flags) : flags_(flags), report_(flags.features.quiet) {}

  ExitCode run() {
    const WordLabels words(*open(flags_.train));
    ProbeCorpus train{words.corpus(*open(flags_.train)), nullptr};
    ProbeCorpus dev{words.corpus(*open(flags_.dev)), nullptr};
    std::optional<ProbeCorpus> test;
    if (!flags_.test.empty()) test.emplace(ProbeCorpus{words.corpus(*open(flags_.test)), nullptr});

    std::optional<ScratchFolder> scratch;
    if (flags_.features.folder.empty()) scratch.emplace();
    const std::filesystem::path folder =
        scratch ? scratch->path() : std::filesystem::path(flags_.features.folder);
    FeatureStore store(flags_.features, folder, stop_);
    if (!compute(store, "train", flags_.train, train) || !compute(store, "dev", flags_.dev, dev) ||
        (test && !compute(store, "test", flags_.test, *test))) {
      return stopped();
    }
    std::optional<ProbedCorpus> test_view;
    if (test) test_view = test->view();
    const auto results = this->train(store.options(), train, dev, test_view, words);
    if (!results) return stopped();
    tell(summary(words, train, dev, test), *results);
    return kDone;
  }

 private:
  std::unique_ptr<LabelledSource> open(const std::string& file) const {
    return open_labelled(flags_.labelled, file, stop_);
  }

  /// False where it was stopped.
  bool compute(FeatureStore& store, const std::string& name, const std::string& file,
               ProbeCorpus& corpus) const {
    corpus.activations = store.open(name, *open(file));
    return corpus.activations != nullptr;
  }

  std::optional<std::vector<ProbeResult>> train(const ModelOptions& model, const ProbeCorpus& train,
                                                const ProbeCorpus& dev,
                                                const std::optional<ProbedCorpus>& test,
                                                const WordLabels& words) const {
    ProbeOptions options = flags_.options;
    options.threads = flags_.features.threads > 0 ? flags_.features.threads : available_threads();
    StatusLine status(flags_.features.quiet);
    const auto show = [&](const ProbeProgress& progress) {
      if (!status.due()) return;
      status.show("epoch " + std::to_string(progress.epoch) + " of " +
                  std::to_string(options.epochs) + ", " + human_count(progress.tokens, "token") +
                  " of " + human_count(progress.all_tokens));
    };
    return train_probes(train.view(), dev.view(), test,
                        {model.lstm.n_layers, model.lstm.projection_dim},
                        static_cast<std::int64_t>(words.names().size()), options, stop_, show);
  }

  ProbeSummary summary(const WordLabels& words, const ProbeCorpus& train, const ProbeCorpus& dev,
                       const std::optional<ProbeCorpus>& test) const {
    ProbeSummary summary;
    summary.labels = words.names().size();
    summary.train_sentences = train.labels.sentences();
    summary.train_tokens = train.labels.tokens();
    summary.dev = baseline(dev.labels);
    if (test) summary.test = baseline(test->labels);
    return summary;
  }
  ProbeBaseline baseline(const LabelCorpus& corpus) const {
    const auto unseen = std::ranges::count(corpus.labels, -1);
    return {corpus.sentences(), corpus.tokens(), static_cast<std::uint64_t>(unseen),
            score_labels(corpus, corpus.by_word, flags_.options.seed)};
  }

  void tell(const ProbeSummary& summary, const std::vector<ProbeResult>& results) const {
    standard_output().write(flags_.json ? probe_json(summary, results)
                                        : probe_table(summary, results));
    if (flags_.picture.empty()) return;
    replace_file(flags_.picture, probe_svg(summary, results));
    report_.line("the picture is in " + flags_.picture);
  }

  ExitCode stopped() const {
    if (flags_.features.folder.empty()) {
      report_.line("stopped; with --features, what is computed would be kept");
      return kStopped;
    }
    report_.line("stopped; the same command goes on with the activations in " +
                 flags_.features.folder);
    return kStopped;
  }

  const ProbeFlags& flags_;
  Report report_;
  const std::atomic<bool>& stop_ = stop_on_signals();
};

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
    "--dev. Results do not depend on --threads.";

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
    const ModelFlags& model = flags->features.model;
    require_other_file("-o", flags->picture,
                       {flags->train, flags->dev, flags->test, model.model, model.options,
                        model.weights, model.vocabulary});
    chosen = [flags] { return ProbeRun(*flags).run(); };
  });
}

}  // namespace elmo
