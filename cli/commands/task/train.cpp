#include "cli/commands/task/train.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/error_message.h"
#include "cli/report/json.h"
#include "cli/report/report.h"
#include "cli/report/task/report.h"
#include "core/error.h"
#include "core/parallel/available_threads.h"
#include "core/parallel/threads.h"
#include "core/tasks/common/corpus_evaluator.h"
#include "core/tasks/kinds.h"
#include "core/version.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/lock.h"
#include "io/json/json_document.h"
#include "io/json/number_text.h"
#include "io/labelled/task/task_folder.h"
#include "io/labelled/task/task_state.h"
#include "io/train/checkpoint.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

/// A checksum of all that is learned from the examples.
std::string examples_text(const TaskExamples& examples, const LabelSet& labels) {
  Checksum checksum;
  const auto add_sentence = [&](const Sentence& sentence) {
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      checksum.add(sentence.token(token));
      checksum.add("\n");
    }
    checksum.add("\n");
  };
  for (const TaskRecord& record : examples.records) {
    add_sentence(record.text);
    add_sentence(record.second);
    for (const std::int32_t label : record.labels) checksum.add(labels[label] + "\n");
  }
  return human_count(examples.records.size(), "example") + ", " + checksum.hex();
}

int worker_count(const TaskTrainFlags& flags) {
  return flags.features.threads > 0 ? flags.features.threads : available_threads();
}

/// A new model, its word vectors those that were read.
std::unique_ptr<TaskModel> new_model(const TaskData& data, std::uint64_t seed) {
  std::unique_ptr<TaskModel> model =
      task_kind(data.options.kind).make(data.options, *data.words, data.learned);
  model->initialize(seed);
  if (!data.vectors) return model;
  for (Parameter* parameter : model->parameters()) {
    if (parameter->name == "words") parameter->values = data.vectors->values;
  }
  return model;
}

SessionEnd run_session(Session<TaskLearner>& session, TaskReport& listener,
                       const std::atomic<bool>& stop) {
  try {
    const SessionEnd end = session.run(stop);
    listener.clear();
    return end;
  } catch (const Error&) {
    listener.clear();
    throw;
  }
}

ExistingRun existing_run(const TaskTrainFlags& flags) {
  if (flags.overwrite) return ExistingRun::replaced;
  return flags.resume ? ExistingRun::resumed : ExistingRun::refused;
}

void report_data(const Report& report, const TaskData& data) {
  const auto size = [](const TaskExamples& examples) {
    std::uint64_t tokens = 0;
    for (const TaskRecord& record : examples.records) tokens += record.tokens();
    return human_count(tokens, "token") + " in " + human_count(examples.records.size(), "example");
  };
  report.line(size(data.train) + " to train on, " + size(data.dev) + " to evaluate on; " +
              human_count(data.learned.size(), "label") + ", " +
              human_count(static_cast<std::uint64_t>(data.words->rows() - 1), "word"));
  constexpr std::uint64_t kFewLabels = 256;  // whose pairs cost next to nothing
  const std::uint64_t labels = data.learned.size();
  if (task_kind(data.options.kind).weighs_label_pairs && labels > kFewLabels) {
    report.line("the CRF weighs each label behind each other one: " + human_count(labels * labels) +
                " operations a token");
  }
  const std::size_t unknown = static_cast<std::size_t>(data.labels.size()) - data.learned.size();
  report.count(unknown, "label",
               "of the development data not among those to be learned, and so never right");
}

/// The seeds' own folders, or that of the run itself.
fs::path folder_of(const TaskTrainFlags& flags, std::uint64_t seed) {
  const fs::path folder = flags.output;
  return flags.seeds.empty() ? folder : seed_folder(folder, seed);
}

/// Makes the best seed's model that of the run, and draws the seeds together.
void publish_seeds(const TaskTrainFlags& flags, std::span<const TaskOutcome> outcomes, bool spans) {
  const auto best = std::max_element(
      outcomes.begin(), outcomes.end(),
      [](const TaskOutcome& a, const TaskOutcome& b) { return a.best.score < b.best.score; });
  const LoadedTask task = load_task(folder_of(flags, best->seed));
  save_task(flags.output, task.description, *task.words, *task.model);
  if (!flags.plot) return;
  std::vector<PlottedTask> runs;
  for (const TaskOutcome& outcome : outcomes) {
    runs.push_back({"seed " + std::to_string(outcome.seed), outcome.evaluations});
  }
  replace_file(fs::path(flags.output) / kCurvesFile, task_curves_svg(runs, score_name(spans)));
}

}  // namespace

RunFingerprint task_fingerprint(const TaskTrainFlags& flags, const TaskData& data,
                                std::uint64_t seed) {
  const TaskPlan& plan = flags.plan;
  const TaskDescription description{data.options, data.learned, data.bilm, {}};
  const auto number = [](auto value) { return number_text(value); };
  Checksum words;
  for (const std::string& word : data.words->words()) words.add(word + "\n");
  RunFingerprint fingerprint;
  // One by one, so that an error names what differs and not all.
  const Json described = parse_json(description_text(description));
  for (const auto& [name, value] : std::get<Json::Object>(described.value())) {
    fingerprint.emplace_back(name, value.dump());
  }
  const RunFingerprint others{
      {"train", examples_text(data.train, data.labels)},
      {"dev", examples_text(data.dev, data.labels)},
      {"words", flags.words + " " + words.hex()},
      {"features", flags.features.folder},
      {"batch", number(plan.batch)},
      {"evaluations", number(plan.evaluations)},
      {"min_steps", number(plan.min_steps)},
      {"patience", number(plan.patience)},
      {"decay", number(plan.decay) + " after " + number(plan.decay_patience)},
      {"learning_rate", number(plan.rate)},
      {"weight_decay", number(plan.weight_decay)},
      {"average", number(plan.average)},
      {"gradient_clip", number(plan.clip)},
      {"seed", number(seed)},
      {"tool_version", std::string(version())}};
  fingerprint.insert(fingerprint.end(), others.begin(), others.end());
  return fingerprint;
}

std::optional<TaskOutcome> train_task(const TaskTrainFlags& flags, TaskData& data,
                                      const fs::path& folder, std::uint64_t seed,
                                      const std::atomic<bool>& stop) {
  TaskPlan plan = flags.plan;
  plan.seed = seed;
  Workers workers(worker_count(flags));
  // What the workers do not compute is little.
  set_threads_of_this_thread(1);
  const std::unique_ptr<TaskModel> model = new_model(data, seed);
  TaskDescription description{data.options, data.learned, data.bilm, {}};
  // The newest checkpoint is enough.
  RunCheckpoints<TaskState> checkpoints(folder, task_fingerprint(flags, data, seed), 1);

  CorpusEvaluator evaluator(*data.dev_corpus, data.labels,
                            task_kind(data.options.kind).scores(data.learned), workers);
  TaskProgressFile log(folder / kMetricsFile);
  SteadyClock clock;
  TaskTrainer trainer(*model, *data.train_corpus, plan, workers);
  TaskLearner learner(*model, trainer, plan, {evaluator, log});
  TaskReport listener(flags, folder, data.spans, learner);
  Session<TaskLearner> session(learner, flags.session, {checkpoints, listener, clock});
  const Report report(flags.features.quiet);
  if (flags.resume && session.resume()) {
    for (const std::string& damaged : checkpoints.damaged()) report.line(damaged);
    report.line("goes on from step " + human_count(learner.step()));
  }
  if (run_session(session, listener, stop) == SessionEnd::stopped) {
    report.line("stopped at step " + human_count(learner.step()) +
                "; the same command with --resume goes on");
    return std::nullopt;
  }
  description.mixes = learned_mixes(data.options, *model);
  save_task(folder, description, *data.words, *model);
  const std::span<const TaskEvaluation> evaluations = learner.evaluations();
  const TaskEvaluation& best = learner.best();
  const bool early = ended_early(plan, evaluations.size(), evaluations.size() - best.number);
  if (early) {
    report.line("ended by --evaluations " + human_count(plan.evaluations) +
                " with the best score at number " + human_count(best.number) +
                ": more evaluations may find a better one");
  }
  return TaskOutcome{
      seed, {evaluations.begin(), evaluations.end()}, best, early, description.mixes};
}

ExitCode run_task_train(const TaskTrainFlags& flags) {
  const std::atomic<bool>& stop = stop_on_signals();
  const Report report(flags.features.quiet);
  const fs::path folder = flags.output;
  prepare_task_folder(folder, existing_run(flags));
  const FolderLock lock(folder);
  if (!lock.warning().empty()) report.line(lock.warning());
  std::optional<TaskData> data = load_task_data(flags, folder, stop);
  if (!data) {
    report.line("stopped while it computed activations; the same command with --resume goes on");
    return kStopped;
  }
  report_data(report, *data);
  std::vector<std::uint64_t> seeds = flags.seeds;
  if (seeds.empty()) seeds.push_back(flags.plan.seed);
  if (flags.overwrite) remove_task(folder);
  std::vector<TaskOutcome> outcomes;
  for (const std::uint64_t seed : seeds) {
    const fs::path own = folder_of(flags, seed);
    prepare_task_folder(own, ExistingRun::resumed);
    if (seeds.size() > 1) report.line("seed " + std::to_string(seed));
    std::optional<TaskOutcome> outcome = train_task(flags, *data, own, seed, stop);
    if (!outcome) return kStopped;
    outcomes.push_back(*std::move(outcome));
  }
  if (!flags.seeds.empty()) publish_seeds(flags, outcomes, data->spans);
  const SeedStatistics statistics = seed_statistics(outcomes);
  report.line(std::string(score_name(data->spans)) + " on dev " +
              formatted("%.2f", statistics.mean) +
              (seeds.size() > 1 ? formatted(" ± %.2f", statistics.deviation) + " over " +
                                      human_count(seeds.size(), "seed")
                                : "") +
              "; the model is in " + flags.output);
  if (flags.json) standard_output().write(outcomes_json(outcomes, data->spans));
  return kDone;
}

}  // namespace elmo
