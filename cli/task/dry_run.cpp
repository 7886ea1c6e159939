#include "cli/task/dry_run.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "cli/common/features.h"
#include "cli/common/measured.h"
#include "cli/common/process.h"
#include "cli/task/data.h"
#include "cli/task/train_task.h"
#include "core/kernels/random.h"
#include "core/resources.h"
#include "core/tasks/common/task_learner.h"
#include "core/tasks/kinds.h"
#include "core/train/permutation.h"

namespace elmo {
namespace {

// Steps in the sample: enough for different steps, few enough to embed quickly.
constexpr std::uint64_t kSampledSteps = 16;

/// Returns some examples, drawn by the seed, with their texts, in the order of the file.
TaskExamples sample_of(const TaskExamples& all, std::uint64_t count, std::uint64_t seed) {
  TaskExamples sample;
  sample.name = all.name;
  const Permutation order(all.records.size(), random_key(seed, RandomUse::shuffle, 0));
  std::set<std::uint64_t> drawn;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, all.records.size()); ++i) {
    drawn.insert(order(i));
  }
  std::map<std::uint64_t, std::uint64_t> numbers;  // of texts in the sample
  for (const std::uint64_t record : drawn) {
    sample.records.push_back(all.records[record]);
    for (const std::uint64_t text : sample.records.back().texts) numbers[text] = 0;
  }
  // Sentences of a document are stored one after the other, and documents in their order.
  for (auto& [text, number] : numbers) {
    number = sample.texts.size();
    sample.texts.push_back(all.texts[text]);
  }
  for (TaskRecord& record : sample.records) {
    for (std::uint64_t& text : record.texts) text = numbers.at(text);
  }
  return sample;
}

}  // namespace

DryTaskTraining measure_task_training(const TaskRequest& request, std::optional<LoadedModel> bilm) {
  TaskData data = read_task_data(request, kNeverStop);
  const TaskPlan& plan = request.plan;
  DryTaskTraining found;
  found.kind = task_kind(data.options.kind).name;
  found.examples = data.train.records.size();
  found.tokens = tokens_of(data.train);
  found.dev_examples = data.dev.records.size();
  found.labels = task_kind(data.options.kind).named_labels ? data.learned.size() : 0;
  found.words = static_cast<std::uint64_t>(data.words->rows() - 1);
  found.models = std::max<std::uint64_t>(1, request.seeds.size());

  const TaskExamples sample = sample_of(data.train, kSampledSteps * plan.batch, plan.seed);
  const ScratchFolder scratch;
  std::unique_ptr<ActivationSource> activations;
  if (bilm) {
    RunListener silent;
    FeatureStore store(*std::move(bilm), request.features, scratch.path(), silent, kNeverStop);
    data.options.bilm = {store.options().lstm.n_layers, store.options().lstm.projection_dim};
    ExampleTexts texts(sample);
    const double seconds =
        seconds_of([&] { activations = store.open("sample", texts, tokens_of(sample)); });
    const auto tokens = static_cast<double>(found.tokens + tokens_of(data.dev) +
                                            (data.test ? tokens_of(*data.test) : 0));
    found.features_seconds = seconds / static_cast<double>(tokens_of(sample)) * tokens;
    const auto values = static_cast<double>(activations->layout().values_per_token());
    found.features_bytes = static_cast<std::uint64_t>(
        tokens * values * static_cast<double>(dtype_bytes(new_dtype(request.features))));
  }

  Workers workers(request.features.threads > 0 ? request.features.threads : available_threads());
  const std::unique_ptr<TaskModel> model = new_task_model(data, plan.seed);
  for (const Parameter* parameter : model->parameters()) found.parameters += parameter->size();
  TaskCorpus corpus(sample.texts, sample.records, activations.get());
  TaskTrainer trainer(*model, corpus, plan, workers);
  std::uint64_t step = 0;
  const double step_seconds =
      median_step_seconds([&] { trainer.step(step++, static_cast<float>(plan.rate)); });

  found.steps_per_epoch = (found.examples + plan.batch - 1) / plan.batch;
  found.steps = plan.evaluations * steps_between_evaluations(plan, found.steps_per_epoch);
  found.epoch_seconds = step_seconds * static_cast<double>(found.steps_per_epoch);
  found.seconds = found.features_seconds + step_seconds * static_cast<double>(found.steps) *
                                               static_cast<double>(found.models);
  found.memory_bytes = peak_memory_bytes();
  return found;
}

}  // namespace elmo
