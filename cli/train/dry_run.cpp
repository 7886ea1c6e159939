#include "cli/train/dry_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cli/common/measured.h"
#include "cli/common/process.h"
#include "cli/train/text.h"
#include "core/train/bilm/trainer.h"
#include "io/train/run_folder.h"

namespace elmo {
namespace {

constexpr std::uint64_t kValidatedTokens = 2000;

std::uint64_t tokens_of(const InputOptions& input) {
  const std::unique_ptr<TextSource> source = open_source(input);
  std::uint64_t tokens = 0;
  Sentence sentence;
  while (source->next(sentence)) tokens += sentence.size();
  return tokens;
}

/// Returns the estimated time of all validations of the plan, measured by a short one.
double validation_seconds(const InputOptions& training, const DryValidation& valid,
                          const TrainingWork& work, const Trainer& trainer) {
  check_validation(training, valid.text);
  const InputOptions input = validation_input(training, valid.text);
  TextValidator validator(input, work.options, work.read_words());
  std::uint64_t scored = 0;
  const double seconds = seconds_of([&] {
    scored =
        validator.validate(trainer, kValidatedTokens, kNeverStop, [](std::uint64_t) {})->tokens;
  });
  const double token_seconds = seconds / static_cast<double>(scored);
  const std::uint64_t all = tokens_of(input);
  const std::uint64_t before_the_end = (work.options.total_steps - 1) / valid.every;
  const double tokens =
      static_cast<double>(before_the_end) * static_cast<double>(std::min(all, valid.tokens)) +
      static_cast<double>(all);
  return tokens * token_seconds;
}

}  // namespace

DryTraining measure_training(const TrainingRequest& request, TrainingStart start,
                             const std::optional<DryValidation>& valid, RunListener& listener) {
  const ScratchFolder scratch;
  const EncodedCorpus encoded = encoded_corpus(request.input, scratch / kCorpusFile,
                                               ExistingRun::refused, listener, kNeverStop)
                                    .value();
  TrainingWork work = make_work(request, std::move(start), encoded);
  DryTraining found;
  found.plan = work.options;
  found.lines = lines_of(work, encoded);
  found.tokens = encoded.tokens().size();
  found.sentences = encoded.sentence_ends().size();
  found.distinct_tokens = encoded.types().size();
  found.vocabulary = static_cast<std::uint64_t>(work.softmax.vocabulary.size());
  found.parameters = work.parameters.count();
  found.softmax_parameters = work.softmax.weights.size() + work.softmax.bias.size();
  TrainingOptions options = work.options;
  options.frozen_steps = 0;  // frozen steps take less time
  const Corpus corpus = work.corpus(encoded);
  Trainer trainer({work.model, std::move(work.parameters), std::move(work.softmax)}, options,
                  corpus);
  const double step = median_step_seconds([&] { trainer.step(); });
  if (valid) found.validation_seconds = validation_seconds(request.input, *valid, work, trainer);
  found.seconds =
      step * static_cast<double>(found.plan.total_steps) + found.validation_seconds.value_or(0.0);
  found.step_tokens = static_cast<std::uint64_t>(found.plan.lanes * found.plan.unroll);
  found.tokens_per_second = static_cast<double>(found.step_tokens) / step;
  found.memory_bytes = peak_memory_bytes();
  return found;
}

}  // namespace elmo
