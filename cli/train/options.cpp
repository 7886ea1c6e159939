// The options of `elmo train`, `elmo finetune` and `elmo plot`.
#include "cli/common/options.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/common/rules.h"
#include "cli/train/report.h"
#include "core/model/options.h"
#include "core/text.h"
#include "io/engine/training.h"
#include "io/mpi/ranks.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

/// The same words as embed's --initial-state.
constexpr auto kInitialStateWords =
    enum_table<TrainingState>({{"zero", TrainingState::sentence}, {"carry", TrainingState::carry}});

constexpr std::uint64_t kMaxStepsOrTokens = kMaxSteps;  // also for tokens: more than any run has
constexpr std::int64_t kMaxTrainingLanes = 65536;
constexpr std::int64_t kMaxUnroll = 4096;

constexpr float kFinetuneEpochs = 3.0F;

constexpr const char* kOptimization = "Optimization";

// The maxima fit the types of steps and times.
constexpr NumberRange kEpochRange{.least = 0, .most = 1e6, .least_end = NumberRange::End::excluded};
constexpr NumberRange kMinutes{.least = 0, .most = 1e7, .least_end = NumberRange::End::excluded};

struct TrainFlags : Flags<TrainRequest> {
  bool plot = false;
  bool dry_run = false;
};

/// Interval between checkpoints, in steps or seconds; the other one is 0.
struct CheckpointInterval {
  std::uint64_t steps = 0;
  std::uint64_t seconds = 0;
};

/// Parses "500", "30s", "10m" or "2h". Returns nothing for any other text.
std::optional<CheckpointInterval> checkpoint_interval(const std::string& text) {
  constexpr WholeRange kTime{1, 1'000'000};
  const std::string unit = text.empty() ? "" : text.substr(text.size() - 1);
  const std::uint64_t seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  const std::optional<std::uint64_t> number =
      number_of<std::uint64_t>(seconds == 0 ? text : text.substr(0, text.size() - 1));
  if (!number) return std::nullopt;
  if (seconds == 0 && WholeRange{1, kMaxStepsOrTokens}.holds(*number))
    return CheckpointInterval{*number, 0};
  if (seconds > 0 && kTime.holds(*number)) return CheckpointInterval{0, *number * seconds};
  return std::nullopt;
}

void add_checkpoint_interval(const Options& app, TrainRequest& request) {
  const auto accepts = [](const std::string& text) {
    return checkpoint_interval(text).has_value();
  };
  const auto assign = [&request](const std::string& text) {
    const CheckpointInterval interval = *checkpoint_interval(text);
    request.session.checkpoint_steps = interval.steps;
    request.session.checkpoint_seconds = static_cast<double>(interval.seconds);
  };
  add_checked(app, "--checkpoint-every", "TIME|STEPS", "1 to 10^6 s, m or h, or 1 to 2^48 steps",
              "a time, such as 30s, 10m or 2h, or a number of steps", accepts, assign,
              "Interval between checkpoints: `30s`, `10m`, `2h`, or a number of steps")
      .default_str(human_number(request.session.checkpoint_seconds / 60, 6) + "m");
}

Option add_count(const Options& app, const std::string& name, std::uint64_t& count,
                 const char* unit, const std::string& help) {
  return add_whole(app, name, count, unit, std::uint64_t{1}, kMaxStepsOrTokens, help);
}

/// Adds an option that takes a number of steps, 0 included.
Option add_steps(const Options& app, const std::string& name, std::optional<std::uint64_t>& steps,
                 const std::string& help) {
  return add_whole(
             app, name, "N", WholeRange{0, kMaxStepsOrTokens},
             [&steps](std::uint64_t number) { steps = number; }, help)
      .group(kOptimization);
}

/// Adds the options of the words that the softmax predicts. `words` is shown as their default.
void add_vocabulary_options(const Options& command, TrainRequest& request,
                            const std::string& words) {
  const Options app = command.in_group("Vocabulary of the softmax");
  Option file = app.add_option("--vocab", request.vocabulary, "FILE",
                               "Word list, one per line, including `<S>`, `</S>` and `<UNK>`")
                    .default_str(words);
  add_count(app, "--min-count", request.limits.min_count, "N",
            "Minimum count of a word; others are `<UNK>`")
      .excludes(file);
  add_whole(app, "--max-vocab", request.limits.max_words, "N", std::int64_t{4}, kMaxVocabulary,
            "Maximum number of words; the most frequent are kept")
      .default_str("all")
      .excludes(file);
}

void add_optimization_options(const Options& command, TrainRequest& request,
                              const std::string& rates) {
  const Options app = command.in_group(kOptimization);
  TrainingOptions& training = request.training;
  Option epochs = add_number(app, "--epochs", request.plan.epochs, "E", kEpochRange,
                             "Number of epochs; the learning rate decays over them");
  add_count(app, "--steps", request.plan.steps, "N", "Number of steps, instead of --epochs")
      .excludes(epochs);
  Option state = add_choice(
      app, "--initial-state", training.state, kInitialStateWords,
      "Initial state of a sentence: `zero`, as in embed, or `carry`, from the previous sentence as "
      "in published models");
  // The former name of the option.
  add_choice(app, "--state", training.state, kTrainingStates, "").excludes(state).group("");
  add_whole(app, "--batch", training.lanes, "N", std::int64_t{1}, kMaxTrainingLanes,
            "Sentences per batch");
  add_whole(app, "--unroll", training.unroll, "TOKENS", std::int64_t{1}, kMaxUnroll,
            "Tokens per sentence and step; the limit of backpropagation through time");
  add_whole(app, "--samples", training.samples, "N", std::int64_t{1}, kMaxVocabulary,
            "Sampled words per step for the softmax");
  add_number(app, "--dropout", training.dropout, "RATE", kShare, "Dropout of each layer's inputs");
  add_choice(app, "--optimizer", training.optimizer, kOptimizers, "Optimizer of the parameters");
  add_number(app, "--learning-rate", request.plan.learning_rate, "RATE", kPositive,
             "Peak learning rate")
      .default_str(rates);
  add_number(app, "--weight-decay", training.weight_decay, "RATE", kNotNegative,
             "Weight decay, decoupled from the gradient");
  add_choice(app, "--decay", training.decay, kDecays, "Learning rate schedule after warm-up");
  add_steps(app, "--warmup-steps", request.plan.warmup_steps, "Warm-up steps of the learning rate")
      .default_str("a twentieth of all steps, at most 1000");
  add_number(app, "--gradient-clip", training.gradient_clip, "NORM", kNotNegative,
             "Maximum gradient norm; 0 disables clipping");
  add_seed(app, training.seed, "Seed of random numbers");
  add_choice(app, "--precision", training.precision,
             kPrecisions.only<Precision::float32, Precision::bfloat16>(),
             "Precision of the arithmetic (products); parameters, sums and the optimizer use "
             "float32. `elmo info` "
             "lists what this CPU supports");
  add_threads(app, training.threads);
}

void add_run_options(const Options& command, TrainFlags& flags) {
  TrainRequest& request = flags.request;
  const Options app = command.in_group("Run");
  app.add_option("-o,--output", request.output, "DIR",
                 "Output folder for the model, checkpoints and `progress.jsonl`. Required without "
                 "--dry-run");
  app.add_option("--valid,--dev", request.valid, "FILE",
                 "Held-out text for validation: a file or folder, read like FILE. Required without "
                 "--dry-run");
  add_count(app, "--valid-every", request.validation.every, "STEPS",
            "Steps between validations; each saves the model");
  add_count(app, "--valid-tokens", request.validation.tokens, "TOKENS",
            "Tokens per validation; the last one uses all");
  add_checkpoint_interval(app, request);
  add_whole(app, "--keep", request.keep, "N", std::size_t{1}, std::size_t{1000},
            "Number of checkpoints to keep");
  add_count(app, "--max-steps", request.session.max_steps, "N",
            "Stop after N steps of this run; continue with --resume");
  add_number(app, "--max-minutes", request.max_minutes, "MINUTES", kMinutes,
             "Stop after N minutes; continue with --resume");
  app.add_flag("--resume", request.resume, "Resume from the last checkpoint in DIR, if any");
  app.add_flag("--overwrite", request.overwrite, "Replace the run or model in DIR");
  add_choice(
      app, "--dtype", request.dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
      "Type of the saved weights; with --resume, a finished run is saved again in this type");
  app.add_flag("--plot", flags.plot, "Plot `DIR/curves.svg` at every validation");
  app.add_flag(
      "--dry-run", flags.dry_run,
      "Run a few steps, write nothing, and estimate tokens, steps, memory and time of the whole "
      "run");
  app.add_flag("--json", flags.json, "Print the estimate as JSON");
  app.add_flag("--quiet", flags.quiet, "Print only errors");
}

/// Adds the options of both commands. `words` and `rates` are shown as the default vocabulary and
/// learning rate.
void add_train_options(const Options& app, TrainFlags& flags, const std::string& words,
                       const std::string& rates, const TokenizerDefaults& tokenizer = {}) {
  add_input_flags(app, flags.request.input, tokenizer);
  add_vocabulary_options(app, flags.request, words);
  add_optimization_options(app, flags.request, rates);
  add_run_options(app, flags);
  app.footer(
      "Exit codes: 0 done, 1 failure or non-finite loss, 2 usage, 3 bad input, 4 stopped early by "
      "a signal, --max-steps or --max-minutes; continue with --resume.");
}

void check_flags(const TrainFlags& flags) {
  const TrainRequest& request = flags.request;
  check_input_flags(flags.given, request.input, false);
  if (!flags.dry_run && request.output.empty()) throw RequestError("--output is required");
  if (!flags.dry_run && request.valid.empty()) throw RequestError("--valid is required");
  check_rules(flags.given, {{"--json", flags.dry_run, "--dry-run"}});
  if (flags.dry_run && request.resume) {
    throw RequestError("use --dry-run or --resume, not both: a dry run plans a whole run");
  }
  if (request.resume && request.overwrite) {
    throw RequestError("use --resume or --overwrite, not both");
  }
}

/// Lets rank 0 print the error and end all ranks, because it may have failed for the same reason.
/// Returns false if it does not.
bool is_ended_by_rank_0() {
  using namespace std::chrono_literals;
  const std::atomic<bool>& stop = stop_on_signals();
  const bool stopped_before = stop;  // sender unknown: wait for the launcher to kill this rank
  const auto end = std::chrono::steady_clock::now() + 3s;
  while ((stopped_before || !stop) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(10ms);
  }
  return stop && !stopped_before;
}

/// Joins the ranks. From now on, errors name their rank, and the failure of one ends all.
std::unique_ptr<Communicator> join_process_group() {
  process_group() = {[](const std::string& message) {
                       const std::string rank = name_of_rank();
                       return !rank.empty() && is_ended_by_rank_0() ? "" : rank + message;
                     },
                     end_ranks};
  return join_ranks();
}

/// Returns the request with what follows from other options and from this rank's share of the
/// machine.
TrainRequest completed(const TrainFlags& flags, int threads) {
  TrainRequest request = flags.request;
  for (const char* flag : {"--vocab", "--min-count", "--max-vocab"}) {
    if (flags.given.contains(flag)) request.new_vocabulary = true;
  }
  if (request.training.threads == 0) request.training.threads = threads;
  return request;
}

/// Trains, or estimates the cost of it. Then leaves the ranks and prints the outcome.
ExitCode train_and_report(const TrainFlags& flags) {
  check_flags(flags);
  std::unique_ptr<Communicator> ranks = join_process_group();
  const TrainRequest request = completed(flags, threads_of_rank());
  TrainingReport report(flags.quiet || ranks->rank() > 0, request.output, flags.plot);
  TrainingStart start = training_start(request, report);
  if (flags.dry_run) {
    if (ranks->size() > 1) {
      throw RequestError("--dry-run measures one process; found " + std::to_string(ranks->size()) +
                         " ranks");
    }
    const DryTraining found = measure_training(request, std::move(start), report);
    standard_output().write(flags.json ? dry_training_json(found) : dry_training_text(found));
    leave_ranks();
    return kDone;
  }
  const TrainingResult result =
      run_training(request, std::move(start), std::move(ranks), report, report, stop_on_signals());
  report.ended(result);
  leave_ranks();
  return result.stopped() ? kStopped : kDone;
}

ExitCode plot_and_report(const PlotRequest& request) {
  validate(request);
  const std::filesystem::path picture = plot(request);
  RunReport(request.quiet).note("the curves are in " + picture.string());
  return kDone;
}

}  // namespace

void add_train(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<TrainFlags>();
  Options command = app.add_subcommand("train", "Train a model on raw text");
  add_architecture_flags(command, flags->request.architecture);
  add_train_options(command, *flags, "counted from the text", "adam: 0.001; adagrad: 0.2",
                    {.tokenizer = "ud",
                     .locale = "root",
                     .contractions = "keep",
                     .normalization = "nfc; none for given tokens"});
  run_if_chosen(command, flags, train_and_report, chosen);
}

void add_finetune(const Options& app, Command& chosen) {
  const auto flags = std::make_shared<TrainFlags>();
  TrainRequest& request = flags->request;
  Options command = app.add_subcommand("finetune", "Train a model further on new text");
  command
      .add_option("--model", request.model, "PATH",
                  "Model to start from: a folder, a zip archive or an installed model")
      .required();
  command.add_flag(
      "--new-vocab", request.new_vocabulary,
      "Make a new vocabulary from the text, with its tokenizer. The character CNN, the LSTMs and "
      "the softmax weights of common words are kept. Implied by --vocab, --min-count and "
      "--max-vocab");
  request.plan.epochs = kFinetuneEpochs;
  add_train_options(command, *flags, "the model's, otherwise counted from the text",
                    "adam: 0.0003, 0.001 with a new softmax; adagrad: 0.2");
  add_steps(
      command, "--softmax-steps", request.plan.softmax_steps,
      "Steps that train only a new softmax first, if the model has none or gets a new vocabulary")
      .default_str("a quarter of all steps");
  run_if_chosen(command, flags, train_and_report, chosen);
}

void add_plot(const Options& app, Command& chosen) {
  const auto request = std::make_shared<PlotRequest>();
  Options command = app.add_subcommand("plot", "Draw loss and score of training runs");
  command
      .add_argument(
          "DIR", request->runs,
          "Folders that train, finetune or task train has written; several of one kind are drawn "
          "over one another")
      .required();
  command
      .add_option("-o,--output", request->output, "FILE",
                  "SVG file to write or replace; required for several runs")
      .default_str("DIR/curves.svg");
  command.add_flag("--quiet", request->quiet, "Print only errors");
  add_picture_flags(command, request->size);
  command.footer(
      "For a paper, convert the picture with librsvg: `rsvg-convert -f pdf -o curves.pdf "
      "curves.svg`, or `rsvg-convert -d 600 -p 600 -o curves.png curves.svg`.");
  run_if_chosen(command, request, plot_and_report, chosen);
}

}  // namespace elmo
