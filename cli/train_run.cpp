#include "cli/train_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/input_fingerprint.h"
#include "cli/report/curves.h"
#include "cli/report/error_message.h"
#include "cli/report/human.h"
#include "cli/report/report.h"
#include "cli/report/status_line.h"
#include "cli/signals.h"
#include "cli/train_text.h"
#include "core/error.h"
#include "core/evaluate/perplexity.h"
#include "core/inference/sentence_cutter.h"
#include "core/parallel/available_threads.h"
#include "core/train/trainer.h"
#include "core/version.h"
#include "io/files/atomic_file.h"
#include "io/files/lock.h"
#include "io/files/paths.h"
#include "io/model/save.h"
#include "io/train/checkpoint.h"
#include "io/train/corpus_file.h"
#include "io/train/corpus_vocabulary.h"
#include "io/train/fingerprint.h"
#include "io/train/metrics_log.h"
#include "io/train/step_means.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kCorpusFile = "corpus.tokens";
constexpr std::uint64_t kStepsOfRecord = 10;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Makes the folder. RequestError where it holds something that this run is not to touch.
fs::path prepared_folder(const TrainFlags& flags) {
  fs::path folder = flags.output;
  const bool run = fs::exists(folder / kMetricsFile);
  const bool model = holds_model(folder);
  if (!flags.overwrite && model && !run) {
    throw RequestError(
        flags.output +
        " holds a model that no run there made; choose another folder, or replace it "
        "with --overwrite");
  }
  if (!flags.overwrite && !flags.resume && run) {
    throw RequestError(flags.output +
                       " holds a run already; go on with --resume, or replace it with --overwrite");
  }
  make_folder(folder);
  return folder;
}

void remove_run(const fs::path& folder) {
  std::error_code error;
  remove_model(folder);
  for (const char* name : {kCurvesFile, "checkpoints", kMetricsFile}) {
    fs::remove_all(folder / name, error);
    if (error) {
      throw SystemError("cannot remove " + (folder / name).string() + ": " + error.message());
    }
  }
}

TrainingOptions training_options(const TrainFlags& flags, const EncodedCorpus& corpus,
                                 bool softmax_first) {
  TrainingOptions options = flags.training;
  const std::uint64_t predictions = corpus.tokens().size() + corpus.sentence_ends().size();
  const auto step_tokens = static_cast<double>(options.lanes * options.unroll);
  const double steps = static_cast<double>(flags.epochs) * static_cast<double>(predictions);
  options.total_steps =
      flags.steps > 0 ? flags.steps : static_cast<std::uint64_t>(std::ceil(steps / step_tokens));
  options.warmup_steps =
      flags.warmup_steps.value_or(std::min<std::uint64_t>(options.total_steps / 20, 1000));
  const float rate = options.optimizer == Optimizer::adam ? 1e-3F : 0.2F;
  options.learning_rate = flags.learning_rate > 0 ? flags.learning_rate : rate;
  if (softmax_first) {
    options.frozen_steps = flags.softmax_steps.value_or(options.total_steps / 4);
  }
  if (options.threads == 0) {
    options.threads = available_threads();
  }
  return options;
}

/// What of a run's state is neither the trainer's nor in the log.
struct RunState {
  StepMeans means;
  double seconds = 0.0;

  std::string text() const { return std::to_string(seconds) + ' ' + means.text(); }
  static RunState parse(const std::string& text) {
    const std::size_t space = std::min(text.find(' '), text.size());
    return {StepMeans::parse(std::string_view(text).substr(space)),
            std::strtod(text.c_str(), nullptr)};
  }
};

class TrainingRun {
 public:
  TrainingRun(const TrainFlags& flags, TrainingStart start, const fs::path& folder,
              const EncodedCorpus& corpus, const std::atomic<bool>& stop, Clock::time_point begin);

  ExitCode run();

 private:
  enum class End { planned, stopped };

  Trainer make_trainer(TrainingStart start, const EncodedCorpus& corpus);
  void restore();
  End train();
  void step();
  bool validation_due() const;
  bool validate();
  void save() const;
  void write_checkpoint();
  bool checkpoint_due() const;
  bool limit_reached() const;
  double seconds() const { return state_.seconds + seconds_since(begin_); }
  std::string status() const;
  std::string where_to_go_on() const;

  const TrainFlags& flags_;
  const std::atomic<bool>& stop_;
  const fs::path& folder_;
  Report report_;
  const Clock::time_point begin_;  // of this process, the reading of the text included
  TokenizerDescription tokenizer_;
  TrainingOptions options_;
  RunFingerprint fingerprint_;
  std::vector<std::int32_t> targets_;
  Corpus corpus_;
  Trainer trainer_;
  std::optional<MetricsLog> log_;
  StatusLine line_;

  RunState state_;
  Clock::time_point trained_from_;  ///< when the first step of this process began
  StepResult last_;                 ///< of the step done last by this process
  std::uint64_t step_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t first_step_ = 0;  ///< of this process
  std::uint64_t first_tokens_ = 0;
  double step_seconds_ = 0.0;  ///< spent in steps by this process
  std::optional<std::uint64_t> checkpoint_step_;
  Clock::time_point checkpoint_time_ = Clock::now();
};

TrainingRun::TrainingRun(const TrainFlags& flags, TrainingStart start, const fs::path& folder,
                         const EncodedCorpus& corpus, const std::atomic<bool>& stop,
                         Clock::time_point begin)
    : flags_(flags),
      stop_(stop),
      folder_(folder),
      report_(flags.quiet),
      begin_(begin),
      tokenizer_(describe_tokenizer(flags.input)),
      options_(training_options(flags, corpus, start.pretrained && !start.softmax)),
      trainer_(make_trainer(std::move(start), corpus)),
      line_(flags.quiet) {
  restore();
}

Trainer TrainingRun::make_trainer(TrainingStart start, const EncodedCorpus& corpus) {
  SoftmaxLayer softmax = start.softmax
                             ? std::move(*start.softmax)
                             : new_softmax(flags_, corpus, start.model.lstm.projection_dim);
  targets_ = target_rows(corpus, softmax.vocabulary);
  corpus_ = training_view(corpus, targets_);
  fingerprint_ = training_fingerprint(start.model, options_, softmax.vocabulary, corpus.checksum());
  fingerprint_.insert(fingerprint_.end(),
                      {{"start", start.name},
                       {"validation", input_files_text(validation_input(flags_)) + ", " +
                                          human_count(flags_.valid_tokens, "token") + " every " +
                                          human_count(flags_.valid_every, "step")},
                       {"threads", std::to_string(options_.threads)},
                       {"tool_version", std::string(version())}});

  const std::uint64_t tokens = corpus_.tokens.size();
  const std::uint64_t unknown = unknown_tokens(corpus, softmax.vocabulary);
  report_.line(human_count(tokens, "token") + " in " +
               human_count(corpus_.sentence_count(), "sentence") + ", " +
               human_count(corpus_.types.size()) + " of them distinct; vocabulary of " +
               human_count(static_cast<std::uint64_t>(softmax.vocabulary.size()), "word") + ", " +
               human_number(100.0 * static_cast<double>(unknown) / static_cast<double>(tokens), 3) +
               " % of the tokens are <UNK>");
  report_.line(human_count(options_.total_steps, "step") + " of " +
               human_count(static_cast<std::uint64_t>(options_.lanes * options_.unroll), "token") +
               (options_.frozen_steps > 0 ? ", the first " + human_count(options_.frozen_steps) +
                                                " train the softmax alone"
                                          : "") +
               "; " + human_count(start.parameters.count()) + " parameters, and " +
               human_count(softmax.weights.size() + softmax.bias.size()) + " of the softmax");
  return {start.model, options_, std::move(start.parameters), std::move(softmax), corpus_};
}

void TrainingRun::restore() {
  if (flags_.resume) {
    const std::vector<StateArray> arrays = trainer_.state();
    if (const std::optional<RestoredCheckpoint> point =
            read_newest_checkpoint(folder_, fingerprint_, arrays)) {
      for (const std::string& damaged : point->damaged) report_.line(damaged);
      const TrainerCounters& counters = point->checkpoint.counters;
      trainer_.restore(counters);
      state_ = RunState::parse(point->checkpoint.metadata);
      step_ = first_step_ = counters.step;
      tokens_ = first_tokens_ = counters.tokens;
      checkpoint_step_ = step_;
      report_.line("goes on from step " + human_count(step_));
    }
  }
  if (flags_.overwrite) remove_run(folder_);
  log_.emplace(folder_ / kMetricsFile, step_);
}

std::string TrainingRun::where_to_go_on() const {
  if (!checkpoint_step_) return "there is no checkpoint yet; nothing to go on from";
  return "the checkpoint of step " + human_count(*checkpoint_step_) +
         " is kept; the same command with --resume goes on from it";
}

ExitCode TrainingRun::run() {
  if (step_ == options_.total_steps && !validation_due()) {
    save();
    report_.line(flags_.output +
                 " is complete; there is nothing to resume, the model is saved anew");
    return kDone;
  }
  trained_from_ = Clock::now();
  try {
    if (train() == End::stopped) {
      if (checkpoint_step_ != step_) write_checkpoint();
      save();
      report_.line("stopped at step " + human_count(step_) + " of " +
                   human_count(options_.total_steps) + "; the same command with --resume goes on");
      return kStopped;
    }
  } catch (const NumericError& error) {
    line_.clear();
    throw NumericError(
        message_of(error) +
        "\nWith the same settings it will happen again: begin anew in another folder" +
        (checkpoint_step_
             ? "; the checkpoint of step " + human_count(*checkpoint_step_) + " is kept"
             : ""));
  } catch (const SystemError& error) {
    line_.clear();
    throw SystemError(message_of(error) + "\n" + where_to_go_on());
  }
  report_.line(human_count(step_, "step") + ", " + human_count(tokens_, "token") + ", " +
               human_time(std::chrono::duration<double>(seconds())) + "; the model is in " +
               flags_.output);
  return kDone;
}

TrainingRun::End TrainingRun::train() {
  while (true) {
    if (validation_due() && !validate()) return End::stopped;
    if (step_ == options_.total_steps) return End::planned;
    if (stop_ || limit_reached()) return End::stopped;
    step();
    if (checkpoint_due()) write_checkpoint();
  }
}

void TrainingRun::step() {
  const Clock::time_point begin = Clock::now();
  last_ = trainer_.step();
  step_seconds_ += seconds_since(begin);
  step_ = last_.step;
  tokens_ += last_.tokens;
  state_.means.add(last_);
  if (step_ % kStepsOfRecord == 0 || step_ == options_.total_steps) {
    log_->add(state_.means.take(tokens_, seconds()));
  }
  if (line_.due()) line_.show(status());
}

bool TrainingRun::limit_reached() const {
  if (flags_.max_steps > 0 && step_ - first_step_ >= flags_.max_steps) return true;
  return flags_.max_minutes > 0 &&
         seconds_since(begin_) >= 60.0 * static_cast<double>(flags_.max_minutes);
}

bool TrainingRun::checkpoint_due() const {
  if (step_ == options_.total_steps) return true;
  if (flags_.checkpoint_steps > 0) return step_ % flags_.checkpoint_steps == 0;
  return seconds_since(checkpoint_time_) >= flags_.checkpoint_seconds;
}

void TrainingRun::write_checkpoint() {
  log_->sync();
  RunState state = state_;
  state.seconds = seconds();
  const std::vector<StateArray> arrays = trainer_.state();
  elmo::write_checkpoint(folder_, {trainer_.counters(), fingerprint_, state.text()}, arrays,
                         flags_.keep);
  checkpoint_step_ = step_;
  checkpoint_time_ = Clock::now();
}

bool TrainingRun::validation_due() const {
  if (step_ == 0) return false;
  const std::vector<ValidationRecord>& done = log_->records().validation;
  if (!done.empty() && done.back().step == step_) return false;
  return step_ % flags_.valid_every == 0 || step_ == options_.total_steps;
}

/// False where it was stopped.
bool TrainingRun::validate() {
  const std::unique_ptr<TextSource> text = open_source(validation_input(flags_));
  SentenceCutter source(*text, kDefaultMaxSentenceTokens);
  PerplexityOptions options;
  options.threads = options_.threads;
  if (step_ < options_.total_steps) options.max_tokens = flags_.valid_tokens;
  if (options_.state == TrainingState::carry) {
    options.initial_state = InitialState::carry;
    options.lanes = static_cast<int>(options_.lanes);
  }
  const Bilm model(trainer_.model(), Parameters(trainer_.parameters()), Precision::float32,
                   std::nullopt);
  const auto progress = [this](const EmbedProgress& done) {
    if (!line_.due()) return;
    line_.show("step " + human_count(step_) + ": validating, " + human_count(done.tokens, "token"));
  };
  const PerplexityResult result =
      perplexity(model, trainer_.softmax(), source, options, stop_, progress, nullptr);
  if (!result.completed) return false;

  save();
  const ValidationRecord record{
      step_,    result.tokens, result.perplexity(0), result.perplexity(1), result.average(),
      seconds()};
  log_->add(record);
  if (flags_.plot) {
    const std::array<PlottedRun, 1> runs{PlottedRun{flags_.output, log_->records()}};
    replace_file(folder_ / kCurvesFile, curves_svg(runs));
  }
  line_.clear();
  const std::string loss = last_.step == 0  // the step was another process's
                               ? ""
                               : "loss " + human_number(last_.loss[0], 5) + " forward, " +
                                     human_number(last_.loss[1], 5) + " backward; ";
  report_.line("step " + human_count(step_) + ": " + loss + "validation perplexity " +
               human_number(record.average, 5) + " (" + human_number(record.forward, 5) +
               " forward, " + human_number(record.backward, 5) + " backward) over " +
               human_count(record.tokens, "token"));
  return true;
}

void TrainingRun::save() const {
  SaveOptions save;
  save.existing = ExistingModel::replaced;
  save.dtype = flags_.dtype;
  save.softmax = &trainer_.softmax();
  save.tokenizer = &tokenizer_;
  save_model(folder_, trainer_.model(), trainer_.parameters(), nullptr, save);
}

std::string TrainingRun::status() const {
  const auto steps = static_cast<double>(step_ - first_step_);
  const auto left = static_cast<double>(options_.total_steps - step_);
  const auto rate = static_cast<double>(tokens_ - first_tokens_) / step_seconds_;
  std::string text =
      "step " + human_count(step_) + " of " + human_count(options_.total_steps) + ", " +
      human_count(static_cast<std::uint64_t>(rate)) + " tokens/s, ETA " +
      human_time(std::chrono::ceil<std::chrono::seconds>(
          std::chrono::duration<double>(seconds_since(trained_from_) / steps * left))) +
      ", loss " + human_number(last_.loss[0], 5) + " " + human_number(last_.loss[1], 5) +
      ", rate " + human_number(static_cast<double>(last_.learning_rate), 3);
  const std::vector<ValidationRecord>& done = log_->records().validation;
  if (!done.empty()) text += ", valid " + human_number(done.back().average, 5);
  return text;
}

}  // namespace

ExitCode run_training(const TrainFlags& flags, TrainingStart start) {
  if (!start.model.char_cnn) {
    throw RequestError("a word-level model cannot be trained; expected one that reads characters");
  }
  const Clock::time_point begin = Clock::now();
  const std::atomic<bool>& stop = stop_on_signals();
  check_validation(flags);
  const fs::path folder = prepared_folder(flags);
  const FolderLock lock(folder);
  if (!lock.warning().empty()) Report(flags.quiet).line(lock.warning());
  const std::optional<EncodedCorpus> corpus = encoded_corpus(flags, folder / kCorpusFile, stop);
  if (!corpus) {
    Report(flags.quiet).line("stopped while it read the text; the same command begins again");
    return kStopped;
  }
  return TrainingRun(flags, std::move(start), folder, *corpus, stop, begin).run();
}

}  // namespace elmo
