#include "cli/train/options.h"

#include <limits>

#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "core/error.h"
#include "core/model/options.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

/// Words as for --initial-state of embed.
constexpr auto kInitialStateWords =
    enum_table<TrainingState>({{"zero", TrainingState::sentence}, {"carry", TrainingState::carry}});

constexpr std::uint64_t kMaxStepsOrTokens = kMaxSteps;  // of tokens too: more than any run has
constexpr std::int64_t kMaxTrainingLanes = 65536;
constexpr std::int64_t kMaxUnroll = 4096;

constexpr const char* kOptimization = "Optimization";

// The maxima fit the types of steps and times.
constexpr NumberRange kEpochRange{.least = 0, .most = 1e6, .least_end = NumberRange::End::excluded};
constexpr NumberRange kMinutes{.least = 0, .most = 1e7, .least_end = NumberRange::End::excluded};

/// Steps, or seconds, between checkpoints; the other one is 0.
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
      whole_number(seconds == 0 ? text : text.substr(0, text.size() - 1));
  if (!number) return std::nullopt;
  if (seconds == 0 && WholeRange{1, kMaxStepsOrTokens}.holds(*number))
    return CheckpointInterval{*number, 0};
  if (seconds > 0 && kTime.holds(*number)) return CheckpointInterval{0, *number * seconds};
  return std::nullopt;
}

void add_checkpoint_interval(Options app, TrainFlags& flags, const std::string& group) {
  const auto accepts = [](const std::string& text) {
    return checkpoint_interval(text).has_value();
  };
  const auto assign = [&flags](const std::string& text) {
    const CheckpointInterval interval = *checkpoint_interval(text);
    flags.session.checkpoint_steps = interval.steps;
    flags.session.checkpoint_seconds = static_cast<double>(interval.seconds);
  };
  add_checked(app, "--checkpoint-every", "TIME|STEPS", "1 to 10^6 s, m or h, or 1 to 2^48 steps",
              "a time, such as 30s, 10m or 2h, or a number of steps", accepts, assign,
              "Interval between checkpoints: `30s`, `10m`, `2h`, or a number of steps")
      ->default_str(human_number(flags.session.checkpoint_seconds / 60, 6) + "m")
      ->group(group);
}

Option add_count(Options app, const std::string& name, std::uint64_t& count, const char* unit,
                 const std::string& help, const std::string& group) {
  return add_whole(app, name, count, unit, std::uint64_t{1}, kMaxStepsOrTokens, help)->group(group);
}

void add_vocabulary_flags(Options app, TrainFlags& flags) {
  const std::string group = "Vocabulary of the softmax";
  Option file = app->add_option("--vocab", flags.vocabulary,
                                "Word list, one per line, including `<S>`, `</S>` and `<UNK>`")
                    ->type_name("FILE")
                    ->default_str("counted from the text")
                    ->group(group);
  add_count(app, "--min-count", flags.limits.min_count, "N",
            "Minimum count of a word; others are `<UNK>`", group)
      ->excludes(file);
  add_whole(app, "--max-vocab", flags.limits.max_words, "N", std::int64_t{4}, kMaxVocabulary,
            "Maximum number of words; the most frequent are kept")
      ->default_str("all")
      ->group(group)
      ->excludes(file);
}

void add_optimization_flags(Options app, TrainFlags& flags, const std::string& rates) {
  const std::string group = kOptimization;
  TrainingOptions& training = flags.training;
  Option epochs = add_number(app, "--epochs", flags.plan.epochs, "E", kEpochRange,
                             "Number of epochs; the learning rate decays over them");
  epochs->group(group);
  add_count(app, "--steps", flags.plan.steps, "N", "Number of steps, instead of --epochs", group)
      ->excludes(epochs);
  Option state = add_choice(
      app, "--initial-state", training.state, kInitialStateWords,
      "Initial state of a sentence: `zero`, as in embed, or `carry`, from the previous sentence as "
      "in published models");
  state->group(group);
  // The former name of the option.
  add_choice(app, "--state", training.state, kTrainingStates, "")->excludes(state)->group("");
  add_whole(app, "--batch", training.lanes, "N", std::int64_t{1}, kMaxTrainingLanes,
            "Sentences per batch")
      ->group(group);
  add_whole(app, "--unroll", training.unroll, "TOKENS", std::int64_t{1}, kMaxUnroll,
            "Tokens per sentence and step; the limit of backpropagation through time")
      ->group(group);
  add_whole(app, "--samples", training.samples, "N", std::int64_t{1}, kMaxVocabulary,
            "Sampled words per step for the softmax")
      ->group(group);
  add_number(app, "--dropout", training.dropout, "RATE", kShare, "Dropout of each layer's inputs")
      ->group(group);
  add_choice(app, "--optimizer", training.optimizer, kOptimizers, "Optimizer of the parameters")
      ->group(group);
  add_number(app, "--learning-rate", flags.plan.learning_rate, "RATE", kPositive,
             "Peak learning rate")
      ->default_str(rates)
      ->group(group);
  add_number(app, "--weight-decay", training.weight_decay, "RATE", kNotNegative,
             "Weight decay, decoupled from the gradient")
      ->group(group);
  add_choice(app, "--decay", training.decay, kDecays, "Learning rate schedule after warm-up")
      ->group(group);
  add_steps(app, "--warmup-steps", flags.plan.warmup_steps, "Warm-up steps of the learning rate")
      ->default_str("a twentieth of all steps, at most 1000");
  add_number(app, "--gradient-clip", training.gradient_clip, "NORM", kNotNegative,
             "Maximum gradient norm; 0 disables clipping")
      ->group(group);
  add_whole(app, "--seed", training.seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(), "Seed of random numbers")
      ->group(group);
  add_choice(app, "--precision", training.precision,
             kPrecisions.only<Precision::float32, Precision::bfloat16>(),
             "Precision of products; parameters, sums and the optimizer use float32. `elmo info` "
             "lists what this CPU supports")
      ->group(group);
  add_threads(app, training.threads)->group(group);
}

void add_run_flags(Options app, TrainFlags& flags) {
  const std::string group = "Run";
  app->add_option("-o,--output", flags.output,
                  "Output folder for the model, checkpoints and `progress.jsonl`. Required without "
                  "--dry-run")
      ->type_name("DIR")
      ->group(group);
  app->add_option(
         "--valid", flags.valid,
         "Held-out text for validation: a file or folder, read like FILE. Required without "
         "--dry-run")
      ->type_name("FILE")
      ->group(group);
  add_count(app, "--valid-every", flags.validation.every, "STEPS",
            "Steps between validations; each saves the model", group);
  add_count(app, "--valid-tokens", flags.validation.tokens, "TOKENS",
            "Tokens per validation; the last one uses all", group);
  add_checkpoint_interval(app, flags, group);
  add_whole(app, "--keep", flags.keep, "N", std::size_t{1}, std::size_t{1000},
            "Number of checkpoints to keep")
      ->group(group);
  add_count(app, "--max-steps", flags.session.max_steps, "N",
            "Stop after N steps of this run; continue with --resume", group);
  add_number(app, "--max-minutes", flags.max_minutes, "MINUTES", kMinutes,
             "Stop after N minutes; continue with --resume")
      ->group(group);
  app->add_flag("--resume", flags.resume, "Resume from the last checkpoint in DIR, if any")
      ->group(group);
  app->add_flag("--overwrite", flags.overwrite, "Replace the run or model in DIR")->group(group);
  add_choice(app, "--dtype", flags.dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
             "Type of the saved weights; --resume saves a finished run again")
      ->group(group);
  app->add_flag("--plot", flags.plot, "Plot `DIR/curves.svg` at every validation")->group(group);
  app->add_flag(
         "--dry-run", flags.dry_run,
         "Run a few steps, write nothing, and estimate tokens, steps, memory and time of the whole "
         "run")
      ->group(group);
  app->add_flag("--json", flags.json, "Print the estimate as JSON")->group(group);
  app->add_flag("--quiet", flags.quiet, "Print only errors")->group(group);
}

}  // namespace

Option add_steps(Options app, const std::string& name, std::optional<std::uint64_t>& steps,
                 const std::string& help) {
  return add_whole(
             app, name, "N", WholeRange{0, kMaxStepsOrTokens},
             [&steps](std::uint64_t number) { steps = number; }, help)
      ->group(kOptimization);
}

void add_train_flags(Options app, TrainFlags& flags, const std::string& rates) {
  add_input_flags(app, flags.input);
  add_vocabulary_flags(app, flags);
  add_optimization_flags(app, flags, rates);
  add_run_flags(app, flags);
  app->footer(
      "Exit codes: 0 done, 1 failure or non-finite loss, 2 usage, 3 bad input, 4 stopped early by "
      "a "
      "signal, --max-steps or --max-minutes; continue with --resume.");
}

void check_train_flags(const Options& app, const TrainFlags& flags) {
  check_input_flags(app, flags.input);
  for (const char* option : {"--output", "--valid"}) {
    if (!flags.dry_run && app.count(option) == 0) {
      throw RequestError(std::string(option) + " is required");
    }
  }
  only_with(app, "--json", flags.dry_run, "--dry-run");
  if (flags.dry_run && flags.resume) {
    throw RequestError(
        "--dry-run reckons a plan from its beginning, and --resume begins in its "
        "middle; give one of them");
  }
  if (flags.resume && flags.overwrite) {
    throw RequestError("--resume needs what --overwrite removes; use one of them");
  }
  if (flags.valid == kStandardInput) {
    throw RequestError(
        "--valid: found standard input, expected a file, because it is read many times");
  }
}

}  // namespace elmo
