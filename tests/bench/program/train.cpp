#include "tests/bench/program/train.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/common/process.h"
#include "core/error.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/resources.h"
#include "core/train/bilm/trainer.h"
#include "io/files/paths.h"
#include "io/model/model.h"
#include "io/train/corpus.h"
#include "tests/bench/limits/matmul_peak.h"
#include "tests/bench/program/median.h"
#include "tests/bench/program/text.h"
#include "tests/bench/program/training_cost.h"

namespace elmo {
namespace {

constexpr int kStepsPerRun = 5;

}  // namespace

std::optional<TrainBenchResult> measure_training(
    const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
    const std::atomic<bool>& stop) {
  TrainBenchResult result;
  const BenchText text(flags);
  result.text = text.name();
  result.threads = threads_or_available(flags.threads);

  tell("the text");
  const ScratchFolder scratch;
  std::optional<EncodedCorpus> encoded;
  text.read([&](SentenceSource& source) {
    encoded = encode_corpus(source, scratch / "corpus", "bench", {{}, &stop});
  });
  if (!encoded) return std::nullopt;
  const VocabularyLimits limits;
  Vocabulary vocabulary = build_vocabulary(*encoded, limits);
  const std::vector<std::int32_t> targets = target_rows(*encoded, vocabulary);
  ModelOptions model = *preset(flags.preset);
  result.model = flags.preset + ", random";
  if (!flags.model.model.empty() || !flags.model.options.empty()) {
    const ModelLocation location = locate_model(flags.model);
    require_trainable(flags.model.model, location);
    model = read_options(location.options).options;
    result.model = location.options.name();
  }
  // A word-level model reads the words that it predicts.
  if (!model.char_cnn) model.n_tokens_vocab = vocabulary.size();
  const Corpus corpus = training_view(*encoded, targets, targets);
  Parameters parameters(model);
  initialize_parameters(parameters, model, 0);
  TrainingOptions options;
  options.threads = result.threads;
  options.precision = flags.precision;
  result.lanes = options.lanes;
  result.unroll = options.unroll;
  result.samples = std::min(options.samples, vocabulary.size());
  result.flop_per_token = training_flop_per_token(model, result.samples);
  result.flop_per_distinct_token = training_flop_per_distinct_token(model);
  Trainer trainer({model, std::move(parameters),
                   initialize_softmax(std::move(vocabulary), {}, model.lstm.projection_dim, 0)},
                  options, corpus);

  std::vector<double> seconds;
  std::vector<double> flop;
  double predicted = 0.0;
  double distinct = 0.0;
  for (int run = 0; run <= flags.repeat; ++run) {
    tell("the matmul peak");
    result.peaks.push_back(measure_matmul_peak(flags.precision, result.threads).best());
    tell("training");
    const auto begin = std::chrono::steady_clock::now();
    double run_flop = 0.0;
    for (int step = 0; step < kStepsPerRun; ++step) {
      if (stop) return std::nullopt;
      const StepResult done = trainer.step();
      run_flop += result.flop_per_token * static_cast<double>(done.tokens) +
                  result.flop_per_distinct_token * static_cast<double>(done.distinct_tokens);
      predicted += static_cast<double>(done.tokens);
      distinct += static_cast<double>(done.distinct_tokens);
    }
    if (run == 0) continue;  // allocates memory and makes primitives
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    flop.push_back(run_flop);
  }
  result.peak = median(result.peaks);
  result.distinct_share = distinct / predicted;
  std::vector<double> shares;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    shares.push_back(flop[i] / seconds[i] / result.peak);
  }
  result.train.share = median(shares);
  result.train.per_second =
      static_cast<double>(kStepsPerRun * result.lanes * result.unroll) / median(seconds);
  return result;
}

}  // namespace elmo
