#include "cli/flags/train.h"

#include <CLI/App.hpp>
#include <limits>

#include "cli/flags/computing.h"
#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/numbers/human.h"
#include "core/error.h"
#include "core/model/options.h"
#include "io/text/source/input_files.h"

namespace elmo {
namespace {

/// The words of embed's option of that name.
constexpr auto kInitialStateWords =
    enum_table<TrainingState>({{"zero", TrainingState::sentence}, {"carry", TrainingState::carry}});

constexpr std::uint64_t kMaxStepsOrTokens = kMaxSteps;  // of tokens too: past any run
constexpr std::int64_t kMaxTrainingLanes = 65536;
constexpr std::int64_t kMaxUnroll = 4096;

constexpr const char* kOptimisation = "Optimisation";

// So many epochs and minutes still fit the types of steps and times.
constexpr NumberRange kEpochRange{.least = 0, .most = 1e6, .least_end = NumberRange::End::excluded};
constexpr NumberRange kMinutes{.least = 0, .most = 1e7, .least_end = NumberRange::End::excluded};

/// Steps, or seconds, between checkpoints; the other one is 0.
struct CheckpointInterval {
  std::uint64_t steps = 0;
  std::uint64_t seconds = 0;
};

/// What "500", "30s", "10m" or "2h" mean; nothing where `text` is none of these.
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

void add_checkpoint_interval(CLI::App* app, TrainFlags& flags, const std::string& group) {
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
              "Time between checkpoints, `30s`, `10m`, `2h`, or a number of steps")
      ->default_str(human_number(flags.session.checkpoint_seconds / 60, 6) + "m")
      ->group(group);
}

CLI::Option* add_count(CLI::App* app, const std::string& name, std::uint64_t& count,
                       const char* unit, const std::string& help, const std::string& group) {
  return add_whole(app, name, count, unit, std::uint64_t{1}, kMaxStepsOrTokens, help)->group(group);
}

void add_vocabulary_flags(CLI::App* app, TrainFlags& flags) {
  const std::string group = "Vocabulary of the softmax";
  CLI::Option* file = app->add_option("--vocab", flags.vocabulary,
                                      "Words, one a line, with `<S>`, `</S>` and `<UNK>` among "
                                      "them")
                          ->type_name("FILE")
                          ->default_str("counted from the text")
                          ->group(group);
  add_count(app, "--min-count", flags.limits.min_count, "N",
            "Words that occur less often are `<UNK>`", group)
      ->excludes(file);
  add_whole(app, "--max-vocab", flags.limits.max_words, "N", std::int64_t{4}, kMaxVocabulary,
            "Words at most, the most frequent ones")
      ->default_str("all")
      ->group(group)
      ->excludes(file);
}

void add_optimisation_flags(CLI::App* app, TrainFlags& flags, const std::string& rates) {
  const std::string group = kOptimisation;
  TrainingOptions& training = flags.training;
  CLI::Option* epochs = add_number(app, "--epochs", flags.plan.epochs, "E", kEpochRange,
                                   "Times to go through the text: the plan, at whose end the "
                                   "learning rate has decayed");
  epochs->group(group);
  add_count(app, "--steps", flags.plan.steps, "N", "Instead of --epochs: steps of the plan", group)
      ->excludes(epochs);
  CLI::Option* state = add_choice(
      app, "--initial-state", training.state, kInitialStateWords,
      "State that a sentence begins from: `zero`, as embed does by default, sentences in a "
      "shuffled order; `carry`, what the sentence before it left, as the published models were "
      "trained");
  state->group(group);
  // What the option was called before.
  add_choice(app, "--state", training.state, kTrainingStates, "")->excludes(state)->group("");
  add_whole(app, "--batch", training.lanes, "N", std::int64_t{1}, kMaxTrainingLanes,
            "Sentences side by side")
      ->group(group);
  add_whole(app, "--unroll", training.unroll, "TOKENS", std::int64_t{1}, kMaxUnroll,
            "Tokens of each of them in a step; gradients go back no further")
      ->group(group);
  add_whole(app, "--samples", training.samples, "N", std::int64_t{1}, kMaxVocabulary,
            "Words that a step's softmax is estimated from")
      ->group(group);
  add_number(app, "--dropout", training.dropout, "RATE", kShare,
             "Share of each layer's inputs that is dropped")
      ->group(group);
  add_choice(app, "--optimizer", training.optimizer, kOptimizers,
             "How gradients change the parameters")
      ->group(group);
  add_number(app, "--learning-rate", flags.plan.learning_rate, "RATE", kPositive,
             "Learning rate at its peak")
      ->default_str(rates)
      ->group(group);
  add_number(app, "--weight-decay", training.weight_decay, "RATE", kNotNegative,
             "Decay of the weights, decoupled from the gradient")
      ->group(group);
  add_choice(app, "--decay", training.decay, kDecays,
             "What becomes of the learning rate after the warm-up")
      ->group(group);
  add_steps(app, "--warmup-steps", flags.plan.warmup_steps,
            "Steps over which the learning rate grows")
      ->default_str("a twentieth of the plan, at most 1000");
  add_number(app, "--gradient-clip", training.gradient_clip, "NORM", kNotNegative,
             "Norm that the gradient is shrunk to where it is larger; 0: never")
      ->group(group);
  add_whole(app, "--seed", training.seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(), "Seed of all that is random")
      ->group(group);
  add_choice(app, "--precision", training.precision,
             kPrecisions.only<Precision::float32, Precision::bfloat16>(),
             "Numbers that are multiplied; parameters, sums and the optimizer take "
             "float32. `elmo info` lists what this CPU supports")
      ->group(group);
  add_threads(app, training.threads)->group(group);
}

void add_run_flags(CLI::App* app, TrainFlags& flags) {
  const std::string group = "Run";
  app->add_option("-o,--output", flags.output,
                  "Folder for the model, its softmax and vocabulary, the checkpoints and "
                  "`progress.jsonl`; made where it is missing. Required but for --dry-run")
      ->type_name("DIR")
      ->group(group);
  app->add_option("--valid", flags.valid,
                  "Text that is not trained on and whose perplexity is told; a file or a folder, "
                  "read as FILE is. Required likewise")
      ->type_name("FILE")
      ->group(group);
  add_count(app, "--valid-every", flags.validation.every, "STEPS",
            "Validate, and save the model, after so many steps, and at the end", group);
  add_count(app, "--valid-tokens", flags.validation.tokens, "TOKENS",
            "So much of the text is used then; at the end all of it", group);
  add_checkpoint_interval(app, flags, group);
  add_whole(app, "--keep", flags.keep, "N", std::size_t{1}, std::size_t{1000},
            "Checkpoints that are kept")
      ->group(group);
  add_count(app, "--max-steps", flags.session.max_steps, "N",
            "Stop after so many steps of this run, before the plan ends; --resume goes on", group);
  add_number(app, "--max-minutes", flags.max_minutes, "MINUTES", kMinutes,
             "Stop after so much time, likewise")
      ->group(group);
  app->add_flag("--resume", flags.resume,
                "Go on from the last checkpoint in DIR; begin where there is none")
      ->group(group);
  app->add_flag("--overwrite", flags.overwrite, "Replace the run or the model in DIR")
      ->group(group);
  add_choice(app, "--dtype", flags.dtype, kDtypes.only<Dtype::float32, Dtype::float16>(),
             "Numbers of the saved model; a finished run saves it anew with --resume")
      ->group(group);
  app->add_flag("--plot", flags.plot, "Draw the curves, `DIR/curves.svg`, at every validation")
      ->group(group);
  app->add_flag(
         "--dry-run", flags.dry_run,
         "Compute a few steps only, write nothing, and say what the plan would take: tokens, "
         "steps, parameters, memory and minutes to the end")
      ->group(group);
  app->add_flag("--json", flags.json, "Print what a dry run finds as JSON")->group(group);
  app->add_flag("--quiet", flags.quiet, "Show errors only, no progress and no summary")
      ->group(group);
}

}  // namespace

CLI::Option* add_steps(CLI::App* app, const std::string& name, std::optional<std::uint64_t>& steps,
                       const std::string& help) {
  return add_whole(
             app, name, "N", WholeRange{0, kMaxStepsOrTokens},
             [&steps](std::uint64_t number) { steps = number; }, help)
      ->group(kOptimisation);
}

void add_train_flags(CLI::App* app, TrainFlags& flags, const std::string& rates) {
  add_input_flags(app, flags.input);
  add_vocabulary_flags(app, flags);
  add_optimisation_flags(app, flags, rates);
  add_run_flags(app, flags);
  app->footer(
      "Exit codes: 0 done, 1 failure, or a loss that is not finite, 2 usage, 3 bad input, 4 "
      "stopped "
      "before the plan's end, by a signal, --max-steps or --max-minutes, and to be resumed with "
      "--resume.");
}

void check_train_flags(const CLI::App& app, const TrainFlags& flags) {
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
    throw RequestError("--resume goes on with what --overwrite would remove; give one of them");
  }
  if (flags.valid == kStandardInput) {
    throw RequestError("--valid: found standard input, expected a file, for it is read many times");
  }
}

}  // namespace elmo
