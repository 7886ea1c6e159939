#include "cli/run/dry_run_training.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench/median.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/json.h"
#include "cli/run/scratch_folder.h"
#include "cli/run/train_text.h"
#include "core/train/trainer.h"
#include "io/train/run_folder.h"
#include "io/train/text_validator.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;

// The sample: so many steps, or what is computed in this time, after one in which memory is taken.
constexpr std::size_t kMaxTimedSteps = 50;
constexpr double kSeconds = 10;
constexpr std::uint64_t kValidatedTokens = 2000;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// The median time of a step.
double step_seconds(Trainer& trainer) {
  trainer.step();
  std::vector<double> times;
  const steady_clock::time_point start = steady_clock::now();
  while (times.size() < kMaxTimedSteps && (times.empty() || seconds_since(start) < kSeconds)) {
    const steady_clock::time_point begin = steady_clock::now();
    trainer.step();
    times.push_back(seconds_since(begin));
  }
  return median(times);
}

std::uint64_t tokens_of(const InputOptions& input) {
  const std::unique_ptr<TextSource> source = open_source(input);
  std::uint64_t tokens = 0;
  Sentence sentence;
  while (source->next(sentence)) tokens += sentence.size();
  return tokens;
}

/// What all validations of the plan take, by a short one.
double validation_seconds(const TrainFlags& flags, const TrainingWork& work,
                          const Trainer& trainer) {
  if (flags.valid.empty()) return 0;
  check_validation(flags);
  const InputOptions input = validation_input(flags);
  TextValidator validator(input, work.options, work.read_words());
  const steady_clock::time_point start = steady_clock::now();
  const auto scores =
      validator.validate(trainer, kValidatedTokens, kNeverStop, [](std::uint64_t) {});
  const double token_seconds = seconds_since(start) / static_cast<double>(scores->tokens);
  const std::uint64_t all = tokens_of(input);
  const std::uint64_t before_the_end = (work.options.total_steps - 1) / flags.session.valid_every;
  const double tokens = static_cast<double>(before_the_end) *
                            static_cast<double>(std::min(all, flags.session.valid_tokens)) +
                        static_cast<double>(all);
  return tokens * token_seconds;
}

/// What this process has taken at most so far.
std::uint64_t memory_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
}

}  // namespace

ExitCode run_dry_training(const TrainFlags& flags, TrainingStart start) {
  const ScratchFolder scratch;
  const EncodedCorpus encoded = encoded_corpus(flags, scratch / kCorpusFile, kNeverStop).value();
  TrainingWork work = make_work(flags, std::move(start), encoded);
  const std::vector<std::string> lines = lines_of(work, encoded);
  const std::uint64_t parameters = work.parameters.count();
  const std::uint64_t softmax_parameters = work.softmax.weights.size() + work.softmax.bias.size();
  const TrainingOptions planned = work.options;
  TrainingOptions options = planned;
  options.frozen_steps = 0;  // such steps take less
  const Corpus corpus = work.corpus(encoded);
  const auto words = static_cast<std::uint64_t>(work.softmax.vocabulary.size());
  Trainer trainer(work.model, options, std::move(work.parameters), std::move(work.softmax), corpus);
  const double step = step_seconds(trainer);
  const double validating = validation_seconds(flags, work, trainer);
  const double seconds = step * static_cast<double>(planned.total_steps) + validating;
  const auto step_tokens = static_cast<std::uint64_t>(planned.lanes * planned.unroll);
  const double rate = static_cast<double>(step_tokens) / step;
  const std::uint64_t memory = memory_bytes();

  if (flags.json) {
    standard_output().write(json_document({{"tokens", encoded.tokens().size()},
                                           {"sentences", encoded.sentence_ends().size()},
                                           {"distinct_tokens", encoded.types().size()},
                                           {"vocabulary", words},
                                           {"steps", planned.total_steps},
                                           {"softmax_steps", planned.frozen_steps},
                                           {"tokens_per_step", step_tokens},
                                           {"parameters", parameters},
                                           {"softmax_parameters", softmax_parameters},
                                           {"memory_bytes", memory},
                                           {"threads", planned.threads},
                                           {"tokens_per_second", rate},
                                           {"validation_seconds", validating},
                                           {"seconds", seconds}}));
    return kDone;
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  text += "about " + human_bytes(memory) + " of memory\n";
  text += "about " + human_time(std::chrono::duration<double>(seconds)) + " to the end, at " +
          human_count(static_cast<std::uint64_t>(rate)) + " tokens/s on " +
          human_count(static_cast<std::uint64_t>(planned.threads), "thread") +
          ", from a few steps" +
          (flags.valid.empty() ? "; validations are not counted"
                               : ", " + human_time(std::chrono::duration<double>(validating)) +
                                     " of it for validations") +
          '\n';
  standard_output().write(text);
  return kDone;
}

}  // namespace elmo
