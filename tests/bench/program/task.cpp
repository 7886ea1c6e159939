#include "tests/bench/program/task.h"

#include <memory>

#include "cli/common/process.h"
#include "core/error.h"
#include "core/resources.h"
#include "core/tasks/common/task_learner.h"
#include "io/engine/features.h"
#include "io/engine/task/data.h"
#include "io/files/paths.h"
#include "io/labeled/examples.h"
#include "io/tasks/kinds.h"
#include "tests/bench/limits/matmul_peak.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/median.h"

namespace elmo {
namespace {

constexpr std::uint64_t kBatch = 32;

/// Returns the multiplications and additions of the biLSTM's products for a token: forward, and
/// backward for weights and inputs.
double lstm_flop(const TaskOptions& options) {
  const std::int64_t inputs = options.word_columns + options.character_filters +
                              (options.elmo_at_input() ? options.elmo_columns() : 0);
  const std::int64_t weights = 2 * 4 * options.hidden * (inputs + options.hidden);
  return 3.0 * 2.0 * static_cast<double>(weights);
}

/// Returns the result of measure_task(). Throws Stopped.
TaskBenchResult measure(const BenchFlags& flags, const Measuring& measuring) {
  TaskBenchResult result;
  result.text = flags.files.front();
  result.threads = threads_or_available(flags.threads);
  measuring.begin("the activations");
  const LabeledKind& kind = *labeled_kind("tag");
  ExampleInput input;
  input.file = result.text;
  input.stop = &measuring.stop();
  LabelSet labels;
  TaskExamples examples = read_examples(*open_examples(input, kind, labels));
  prepare_spans(examples, std::nullopt, labels);
  const WordVocabulary words = count_words(examples);
  look_up_words(words, examples);

  const ScratchFolder scratch;
  FeatureOptions features;
  features.threads = result.threads;
  RunListener silent;
  FeatureStore store(open_model(flags.model).loaded, features, scratch.path(), silent,
                     measuring.stop());
  const auto texts = texts_of(examples);
  const std::unique_ptr<ActivationSource> activations =
      store.open("features", *texts, tokens_of(examples));
  if (!activations) throw Stopped();

  TaskOptions options;
  options.hidden = flags.hidden;
  options.bilm = {store.options().lstm.n_layers, store.options().lstm.projection_dim};
  TaskPlan plan;
  plan.batch = kBatch;
  result.model = flags.model.model.empty() ? "the default model" : flags.model.model;
  result.hidden = options.hidden;
  result.batch = plan.batch;
  result.flop_per_token = lstm_flop(options);
  TaskCorpus corpus(examples.texts, examples.records, activations.get());
  result.sentences = corpus.size();
  result.tokens = corpus.tokens();
  const std::unique_ptr<TaskModel> model = kind.task.make(options, words, labels.names());
  model->initialize(plan.seed);
  Workers workers(result.threads);
  TaskTrainer trainer(*model, corpus, plan, workers);

  std::vector<double> seconds;
  std::uint64_t step = 0;
  for (int run = 0; run <= flags.repeat; ++run) {
    measuring.begin("the matmul peak");
    result.peaks.push_back(measure_matmul_peak(Precision::float32, result.threads).best());
    measuring.begin("an epoch");
    const double epoch = seconds_of([&] {
      for (std::uint64_t i = 0; i < trainer.steps_per_epoch(); ++i) {
        measuring.stop_if_asked();
        trainer.step(step++, plan.rate);
      }
    });
    if (run > 0) seconds.push_back(epoch);  // the first one allocates memory
  }
  result.peak = median(result.peaks);
  result.task.per_second = static_cast<double>(result.tokens) / median(seconds);
  result.task.share = result.flop_per_token * result.task.per_second / result.peak;
  return result;
}

}  // namespace

std::optional<TaskBenchResult> measure_task(const BenchFlags& flags,
                                            const std::function<void(const std::string&)>& tell,
                                            const std::atomic<bool>& stop) {
  if (flags.files.size() != 1) {
    throw RequestError("--task measures with one file of labeled sentences; found " +
                       std::to_string(flags.files.size()) + " files");
  }
  try {
    return measure(flags, Measuring(flags.repeat, tell, stop));
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const ReadingStopped&) {
    return std::nullopt;
  }
}

}  // namespace elmo
