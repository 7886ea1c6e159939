#include "cli/flags/train.h"

#include <CLI/App.hpp>
#include <limits>

#include "cli/flags/input.h"
#include "cli/flags/options.h"
#include "cli/report/human.h"
#include "core/error.h"
#include "core/model/options.h"
#include "io/text/input_files.h"

namespace elmo {
namespace {

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 48;  // steps, tokens: past any run
constexpr std::int64_t kMaxLanes = 65536;
constexpr std::int64_t kMaxUnroll = 4096;
constexpr int kMaxThreads = 1024;

/// An option that takes whole steps, or a time with its unit: "500", "30s", "10m", "2h".
void add_checkpoint_interval(CLI::App* app, TrainFlags& flags, const std::string& group) {
  const std::string name = "--checkpoint-every";
  const auto assign = [name, &flags](const std::string& text) {
    const std::string unit = text.empty() ? "" : text.substr(text.size() - 1);
    const double seconds = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    if (seconds == 0) {
      flags.checkpoint_steps = parse_whole(name, text, 1, kMaxCount);
      return;
    }
    const std::string number = text.substr(0, text.size() - 1);
    flags.checkpoint_steps = 0;
    flags.checkpoint_seconds = seconds * static_cast<double>(parse_whole(name, number, 1, 1000000));
  };
  app->add_option_function<std::string>(name, assign,
                                        "Time or steps between checkpoints: 30s, 10m, 2h,\n"
                                        "or a number of steps (default: 10m)")
      ->option_text("TIME|STEPS")
      ->group(group);
}

constexpr const char* kOptimisation = "Optimisation";

void add_count(CLI::App* app, const std::string& name, std::uint64_t& count, const char* unit,
               const std::string& help, const std::string& group) {
  add_whole(app, name, count, unit, std::uint64_t{1}, kMaxCount, help)->group(group);
}

void add_vocabulary_flags(CLI::App* app, TrainFlags& flags) {
  const std::string group = "Vocabulary of the softmax";
  CLI::Option* file = app->add_option("--vocab", flags.vocabulary,
                                      "Words, one a line, with <S>, </S> and <UNK> among\n"
                                      "them (default: counted from the text)")
                          ->option_text("FILE")
                          ->group(group);
  add_whole(app, "--min-count", flags.limits.min_count, "N", std::uint64_t{1}, kMaxCount,
            "Words that occur less often are <UNK> (default: 1)")
      ->group(group)
      ->excludes(file);
  add_whole(app, "--max-vocab", flags.limits.max_words, "N", std::int64_t{4}, kMaxVocabulary,
            "Words at most, the most frequent ones (default: all)")
      ->group(group)
      ->excludes(file);
}

void add_optimisation_flags(CLI::App* app, TrainFlags& flags) {
  const std::string group = kOptimisation;
  TrainingOptions& training = flags.training;
  CLI::Option* epochs = add_number(app, "--epochs", flags.epochs, "E",
                                   "Times to go through the text: the plan, at whose end\n"
                                   "the learning rate has decayed (default: " +
                                       human_number(static_cast<double>(flags.epochs), 3) + ")");
  epochs->group(group);
  CLI::Option* steps = add_whole(app, "--steps", flags.steps, "N", std::uint64_t{1}, kMaxCount,
                                 "Instead of --epochs: steps of the plan");
  steps->group(group)->excludes(epochs);
  add_choice<TrainingState>(
      app, "--state", training.state,
      {{"sentence", TrainingState::sentence}, {"carry", TrainingState::carry}},
      "State that a sentence begins from: sentence, zero,\n"
      "as embed does by default; carry, what the sentence\n"
      "before it left (default: sentence)")
      ->group(group);
  add_whole(app, "--batch", training.lanes, "N", std::int64_t{1}, kMaxLanes,
            "Sentences side by side (default: 128)")
      ->group(group);
  add_whole(app, "--unroll", training.unroll, "TOKENS", std::int64_t{1}, kMaxUnroll,
            "Tokens of each of them in a step; gradients go back\n"
            "no further (default: 20)")
      ->group(group);
  add_whole(app, "--samples", training.samples, "N", std::int64_t{1}, kMaxVocabulary,
            "Words that a step's softmax is estimated from\n"
            "(default: 8192)")
      ->group(group);
  add_number(app, "--dropout", training.dropout, "RATE",
             "Share of each layer's inputs that is dropped\n"
             "(default: 0.1)")
      ->group(group);
  add_choice<Optimizer>(app, "--optimizer", training.optimizer,
                        {{"adam", Optimizer::adam}, {"adagrad", Optimizer::adagrad}},
                        "How gradients change the parameters (default: adam)")
      ->group(group);
  add_number(app, "--learning-rate", flags.learning_rate, "RATE",
             "At its peak (default: 0.001 for adam, 0.2 for\nadagrad)")
      ->group(group);
  add_number(app, "--weight-decay", training.weight_decay, "RATE",
             "Decoupled from the gradient (default: 0)")
      ->group(group);
  add_choice<Decay>(app, "--decay", training.decay,
                    {{"cosine", Decay::cosine}, {"linear", Decay::linear}, {"none", Decay::none}},
                    "What becomes of the learning rate after the warm-up\n(default: cosine)")
      ->group(group);
  add_steps(app, "--warmup-steps", flags.warmup_steps,
            "Steps over which the learning rate grows (default: a\n"
            "twentieth of the plan, at most 1000)");
  add_number(app, "--gradient-clip", training.gradient_clip, "NORM",
             "Norm that the gradient is shrunk to where it is\n"
             "larger; 0: never (default: 10)")
      ->group(group);
  add_whole(app, "--seed", training.seed, "N", std::uint64_t{0},
            std::numeric_limits<std::uint64_t>::max(), "Of all that is random (default: 0)")
      ->group(group);
  add_whole(app, "--threads", training.threads, "N", 1, kMaxThreads,
            "Threads that compute, in all (default: one a core)")
      ->group(group);
}

void add_run_flags(CLI::App* app, TrainFlags& flags) {
  const std::string group = "Run";
  app->add_option("-o,--output", flags.output,
                  "Folder for the model, its softmax and vocabulary, the\n"
                  "checkpoints and progress.jsonl; made where it is missing")
      ->option_text("DIR")
      ->required()
      ->group(group);
  app->add_option("--valid", flags.valid,
                  "Text that is not trained on and whose perplexity is\n"
                  "told; a file or a folder, read as FILE is")
      ->option_text("FILE")
      ->required()
      ->group(group);
  add_count(app, "--valid-every", flags.valid_every, "STEPS",
            "Validate, and save the model, after so many steps\n"
            "(default: 1000), and at the end",
            group);
  add_count(app, "--valid-tokens", flags.valid_tokens, "TOKENS",
            "So much of the text is used then (default: 50000); at\n"
            "the end all of it",
            group);
  add_checkpoint_interval(app, flags, group);
  add_whole(app, "--keep", flags.keep, "N", std::size_t{1}, std::size_t{1000},
            "Checkpoints that are kept (default: 2)")
      ->group(group);
  add_count(app, "--max-steps", flags.max_steps, "N",
            "Stop after so many steps of this run, before the plan\n"
            "ends; --resume goes on",
            group);
  add_number(app, "--max-minutes", flags.max_minutes, "MINUTES",
             "Stop after so much time, likewise")
      ->group(group);
  app->add_flag("--resume", flags.resume,
                "Go on from the last checkpoint in DIR; begin where\n"
                "there is none")
      ->group(group);
  app->add_flag("--overwrite", flags.overwrite, "Replace the run or the model in DIR")
      ->group(group);
  add_choice<Dtype>(app, "--dtype", flags.dtype,
                    {{"float32", Dtype::float32}, {"float16", Dtype::float16}},
                    "Numbers of the saved model (default: float32)")
      ->group(group);
  app->add_flag("--plot", flags.plot, "Draw the curves, DIR/curves.svg, at every validation")
      ->group(group);
  app->add_flag("--quiet", flags.quiet, "Show errors only, no progress and no summary")
      ->group(group);
}

void expect(bool holds, const char* option, float found, const char* expected) {
  if (holds) return;
  throw RequestError(std::string(option) + ": found " +
                     human_number(static_cast<double>(found), 6) + ", expected " + expected);
}

}  // namespace

void add_steps(CLI::App* app, const std::string& name, std::optional<std::uint64_t>& steps,
               const std::string& help) {
  const auto assign = [name, &steps](const std::string& text) {
    steps = parse_whole(name, text, 0, kMaxCount);
  };
  app->add_option_function<std::string>(name, assign, help)->option_text("N")->group(kOptimisation);
}

void add_train_flags(CLI::App* app, TrainFlags& flags) {
  add_input_flags(app, flags.input);
  add_vocabulary_flags(app, flags);
  add_optimisation_flags(app, flags);
  add_run_flags(app, flags);
  app->footer(
      "Exit codes: 0 done, 1 failure, or a loss that is not finite, 2 usage, 3 bad input,\n"
      "4 stopped before the plan's end, by a signal, --max-steps or --max-minutes, and to\n"
      "be taken up with --resume.");
}

void check_train_flags(const CLI::App& app, const TrainFlags& flags) {
  check_input_flags(app, flags.input);
  if (flags.resume && flags.overwrite) {
    throw RequestError("--resume goes on with what --overwrite would remove; give one of them");
  }
  if (flags.valid == kStandardInput) {
    throw RequestError("--valid: found standard input, expected a file, for it is read many times");
  }
  const TrainingOptions& training = flags.training;
  expect(flags.epochs > 0, "--epochs", flags.epochs, "more than 0");
  expect(training.dropout >= 0 && training.dropout < 1, "--dropout", training.dropout,
         "at least 0 and less than 1");
  expect(app.count("--learning-rate") == 0 || flags.learning_rate > 0, "--learning-rate",
         flags.learning_rate, "more than 0");
  expect(training.weight_decay >= 0, "--weight-decay", training.weight_decay, "at least 0");
  expect(training.gradient_clip >= 0, "--gradient-clip", training.gradient_clip, "at least 0");
  expect(app.count("--max-minutes") == 0 || flags.max_minutes > 0, "--max-minutes",
         flags.max_minutes, "more than 0");
}

}  // namespace elmo
