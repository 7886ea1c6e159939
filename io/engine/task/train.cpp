#include "io/engine/task/train.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "core/error.h"
#include "core/kernels/random.h"
#include "core/resources.h"
#include "core/tasks/common/task_corpus.h"
#include "core/text.h"
#include "core/version.h"
#include "core/workers.h"
#include "io/engine/features.h"
#include "io/engine/run_settings.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/train/checkpoint.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEvaluations = "evaluations";

/// Returns the number of examples and a checksum of everything that training learns from.
std::string examples_text(const TaskExamples& examples, const TaskData& data) {
  Checksum checksum;
  for (const std::string& label : data.labels.names()) checksum.add(label + "\n");
  for (const TaskRecord& record : examples.records) {
    for (const std::uint64_t text : record.texts) {
      const Sentence& sentence = examples.texts[text].sentence;
      for (std::size_t token = 0; token < sentence.size(); ++token) {
        checksum.add(sentence.token(token));
        checksum.add("\n");
      }
      checksum.add("\n");
    }
    checksum.add(record.gold->text());
  }
  return human_count(examples.records.size(), "example") + ", " + checksum.hex();
}

/// Returns the score of a model on `corpus`, or nothing if `stop` became true.
std::optional<double> score_of(const TaskData& data, TaskModel& model, TaskCorpus& corpus,
                               Workers& workers, const std::atomic<bool>& stop) {
  const auto scores = data.kind->task.scores(data.learned, data.labels);
  return score_corpus(model, corpus, *scores, workers, stop);
}

void note_data(RunListener& listener, const TaskData& data) {
  const auto size = [](const TaskExamples& examples) {
    return human_count(tokens_of(examples), "token") + " in " +
           human_count(examples.records.size(), "example");
  };
  listener.note(
      size(data.train) + " to train on, " + size(data.dev) + " to evaluate on" +
      (data.test ? ", " + size(*data.test) + " to test on; " : "; ") +
      (data.kind->task.named_labels ? human_count(data.learned.size(), "label") + ", " : "") +
      human_count(static_cast<std::uint64_t>(data.words->rows() - 1), "word"));
  constexpr std::uint64_t kFewLabels = 256;  // their pairs cost almost nothing
  const std::uint64_t labels = data.learned.size();
  if (data.kind->task.weighs_label_pairs && labels > kFewLabels) {
    listener.note("the CRF scores each pair of adjacent labels: " + human_count(labels * labels) +
                  " operations a token");
  }
  const std::size_t unknown = static_cast<std::size_t>(data.labels.size()) - data.learned.size();
  if (unknown == 0 || !data.kind->task.named_labels) return;
  listener.note(human_count(unknown, "label") +
                " of the other data not in the training data, counted as wrong");
}

/// Returns the settings that a checkpoint depends on. The number of evaluations ends a run, and
/// changes its steps only if it is small, so a run can continue with a larger number otherwise.
Provenance checkpoint_provenance(Provenance settings, const TaskPlan& plan,
                                 std::uint64_t steps_per_epoch) {
  std::erase_if(settings, [](const auto& setting) { return setting.first == kEvaluations; });
  settings.emplace_back("steps_between_evaluations",
                        number_text(steps_between_evaluations(plan, steps_per_epoch)));
  return settings;
}

/// Throws InputError if a run has made more evaluations than `plan` allows, because its best one
/// may be among them.
void check_evaluations(const fs::path& folder, const TaskPlan& plan, std::size_t made) {
  if (made <= plan.evaluations) return;
  throw InputError(folder.string() + " has made " + human_count(made) +
                   " evaluations; expected at most " + Setting{"evaluations"} + " " +
                   human_count(plan.evaluations) +
                   ". Resume with at least as many, or start in another folder");
}

/// Throws RequestError if the folder for runs of several seeds must not be used. Its model is the
/// best of these runs.
void check_folder_of_seeds(const fs::path& folder, RunMode mode) {
  if (mode != RunMode::resume) return check_task_folder(folder, mode);
  if (training_run_in(folder).empty()) return;
  throw RequestError(folder.string() + " holds a run of one seed; expected one of several",
                     Remedy{"begin_anew"});
}

const TaskOutcome& best_of(const TaskResult& result) {
  const auto is_worse = [&result](const TaskOutcome& one, const TaskOutcome& other) {
    return result.metric.is_better(other.best.score, one.best.score);
  };
  return *std::ranges::max_element(result.outcomes, is_worse);
}

/// Saves the model of one seed as the model of the run.
void publish(const fs::path& folder, std::uint64_t seed, const LabeledKind& kind) {
  const LoadedTask task = load_task(seed_folder(folder, seed), std::span(&kind, 1));
  save_task(folder, task.description, *task.words, *task.model);
}

/// Describes the tokenizer of raw text.
TokenizerDescription text_tokenizer(const TaskData& data) {
  FormatOptions text;
  text.tokenizer = data.tokenizer;
  return describe_tokenizer(text);
}

/// Returns a model for the data with random weights from `seed`, and the word vectors that were
/// read, if any.
std::unique_ptr<TaskModel> new_task_model(const TaskData& data, std::uint64_t seed) {
  std::unique_ptr<TaskModel> model = data.kind->task.make(data.options, *data.words, data.learned);
  model->initialize(seed);
  if (!data.vectors) return model;
  for (Parameter* parameter : model->parameters()) {
    if (parameter->name == "words") parameter->values = data.vectors->values;
  }
  return model;
}

/// Notes that the number of evaluations ended a run, and how to train longer. `continues`: see
/// can_continue().
void note_early_end(const TaskLearner& learner, bool continues, const TaskRunServices& services) {
  services.listener.note(
      "ended by " + Setting{"evaluations"} + " " + human_count(learner.evaluations().size()) +
      " with the best score at number " + human_count(learner.best().number) +
      "; more evaluations may find a better one: repeat the command with a larger number and " +
      (continues && !services.compares ? Setting{"resume"} : Setting{"overwrite"}) +
      (continues || services.compares
           ? ""
           : ", because that number sets the steps between evaluations"));
}

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
  std::map<std::uint64_t, std::uint64_t> numbers;  // numbers of the texts in the sample
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

Provenance task_provenance(const TaskRequest& request, const TaskData& data, std::uint64_t seed) {
  const TaskPlan& plan = request.plan;
  TaskDescription description{data.kind, data.options, data.learned, data.bilm, {}};
  description.tokenizer = text_tokenizer(data);
  const auto number = [](auto value) { return number_text(value); };
  Checksum words;
  for (const std::string& word : data.words->words()) words.add(word + "\n");
  if (data.vectors) words.add(std::as_bytes(std::span(data.vectors->values)));
  Provenance provenance;
  // Compares one by one, so that an error names only the differences.
  const Json described = parse_json(description_text(description));
  for (const auto& [name, value] : std::get<Json::Object>(described.value())) {
    provenance.emplace_back(name, value.dump());
  }
  const Provenance others{{"train", examples_text(data.train, data)},
                          {"dev", examples_text(data.dev, data)},
                          {"words", request.words + " " + words.hex()},
                          {"features", request.features.folder},
                          {"features_dtype", data.features_dtype},
                          {"precision", data.precision},
                          {"batch", number(plan.batch)},
                          {kEvaluations, number(plan.evaluations)},
                          {"min_steps", number(plan.min_steps)},
                          {"patience", number(plan.patience)},
                          {"decay", number(plan.decay) + " after " + number(plan.decay_patience)},
                          {"learning_rate", number(plan.rate)},
                          {"weight_decay", number(plan.weight_decay)},
                          {"label_weights", std::string(kLabelWeights.word(plan.label_weights))},
                          {"average", number(plan.average)},
                          {"gradient_clip", number(plan.clip)},
                          {"seed", number(seed)},
                          {kToolVersion, std::string(version())}};
  provenance.insert(provenance.end(), others.begin(), others.end());
  return provenance;
}

std::optional<TaskOutcome> train_task(const TaskRequest& request, TaskData& data,
                                      const fs::path& folder, std::uint64_t seed, bool resume,
                                      const TaskRunServices& services) {
  RunListener& listener = services.listener;
  TaskPlan plan = request.plan;
  plan.seed = seed;
  Workers workers(threads_or_available(request.features.threads));
  // The workers compute almost everything.
  set_threads_of_this_thread(1);
  const std::unique_ptr<TaskModel> model = new_task_model(data, seed);
  TaskDescription description{data.kind, data.options, data.learned, data.bilm, {}, data.bilm_name};
  description.tokenizer = text_tokenizer(data);
  if (plan.label_weights == LabelWeights::dev) {
    weigh_labels(data.dev.records, data.learned.size(), data.train.records);
  }
  const TaskServices learner_services = {
      [&](const std::atomic<bool>& stopped) {
        return score_of(data, *model, *data.dev.corpus, workers, stopped);
      },
      [path = folder / kMetricsFile](std::span<const TaskEvaluation> evaluations) {
        write_task_progress(path, evaluations);
      },
      data.metric};
  const std::function<double()> clock = start_clock();
  TaskTrainer trainer(*model, *data.train.corpus, plan, workers);
  // The newest checkpoint is enough.
  RunCheckpoints<TaskState> checkpoints(
      folder,
      checkpoint_provenance(task_provenance(request, data, seed), plan, trainer.steps_per_epoch()),
      1);
  TaskLearner learner(*model, trainer, plan, learner_services);
  Session<TaskLearner> session(learner, request.session, {checkpoints, services.sessions, clock});
  services.sessions.model_begins(folder, data.metric);
  if (resume && session.resume()) {
    for (const std::string& note : checkpoints.notes()) listener.note(note);
    listener.note("resumed from step " + human_count(learner.step()));
    check_evaluations(folder, plan, learner.evaluations().size());
  }
  const SessionEnd end = session.run(services.stop);
  listener.progress_ended();
  const auto stopped = [&](const std::string& where) {
    listener.note("stopped " + where + "; repeat the command with " + Setting{"resume"} +
                  " to continue");
    return std::nullopt;
  };
  if (end == SessionEnd::stopped) return stopped("at step " + human_count(learner.step()));
  std::optional<double> test;
  if (data.test) {
    test = score_of(data, *model, *data.test->corpus, workers, services.stop);
    if (!test) return stopped("while scoring the test data");
  }
  description.mixes = learned_mixes(data.options, *model);
  save_task(folder, description, *data.words, *model);
  const std::span<const TaskEvaluation> evaluations = learner.evaluations();
  const TaskEvaluation& best = learner.best();
  const bool early = ended_early(plan, evaluations.size(), evaluations.size() - best.number);
  if (early) note_early_end(learner, can_continue(plan, trainer.steps_per_epoch()), services);
  return TaskOutcome{seed, {evaluations.begin(), evaluations.end()}, best, early, description.mixes,
                     test};
}

std::optional<TaskResult> train_tasks(const TaskRequest& request, const TaskRunServices& services) {
  std::optional<OpenedModel> bilm = task_bilm(request);
  RunListener& listener = services.listener;
  const fs::path folder = request.output;
  const bool single = request.seeds.empty();
  const std::vector<std::uint64_t> seeds = request.all_seeds();
  const auto folder_of = [&](std::uint64_t seed) {
    return single ? folder : seed_folder(folder, seed);
  };
  const RunMode mode = run_mode(request.resume, request.overwrite);
  require_no_vectors(folder);
  if (!single) check_folder_of_seeds(folder, mode);
  for (const std::uint64_t seed : seeds) check_task_folder(folder_of(seed), mode);
  auto lock = std::make_unique<OutputFolder>(folder);
  listener.note(lock->warning());
  std::optional<TaskData> data = load_task_data(request, std::move(bilm), listener, services.stop);
  if (!data) {
    listener.note("stopped while computing activations; repeat the command with " +
                  Setting{"resume"} + " to continue");
    return std::nullopt;
  }
  note_data(listener, *data);
  if (request.overwrite) remove_task(folder);
  TaskResult result{data->metric, {}, nullptr};
  for (const std::uint64_t seed : seeds) {
    const fs::path own = folder_of(seed);
    const MadeFolder made(own);
    if (seeds.size() > 1) listener.note("seed " + std::to_string(seed));
    std::optional<TaskOutcome> outcome =
        train_task(request, *data, own, seed, request.resume, services);
    if (!outcome) return std::nullopt;
    result.outcomes.push_back(*std::move(outcome));
  }
  if (!single) {
    const std::uint64_t best = best_of(result).seed;
    publish(folder, best, *request.kind);
    listener.note("seed " + std::to_string(best) + " is the best; its folder is " +
                  seed_folder(folder, best).string() + ", and each seed has one");
  }
  result.lock = std::move(lock);
  return result;
}

DryTaskTraining measure_task_training(const TaskRequest& request) {
  std::optional<OpenedModel> bilm = task_bilm(request);
  TaskData data = read_task_data(request, bilm, kNeverStop);
  const TaskPlan& plan = request.plan;
  DryTaskTraining found;
  found.kind = data.kind->task.name;
  found.examples = data.train.records.size();
  found.tokens = tokens_of(data.train);
  found.dev_examples = data.dev.records.size();
  found.labels = data.kind->task.named_labels ? data.learned.size() : 0;
  found.words = static_cast<std::uint64_t>(data.words->rows() - 1);
  found.models = std::max<std::uint64_t>(1, request.seeds.size());

  const TaskExamples sample = sample_of(data.train, kSampledSteps * plan.batch, plan.seed);
  const ScratchFolder scratch;
  std::unique_ptr<ActivationSource> activations;
  if (bilm) {
    RunListener silent;
    FeatureStore store(std::move(bilm->loaded), request.features, scratch.path(), silent,
                       kNeverStop);
    data.options.bilm = {store.options().lstm.n_layers, store.options().lstm.projection_dim};
    const auto texts = texts_of(sample);
    const double seconds =
        seconds_of([&] { activations = store.open("sample", *texts, tokens_of(sample)); });
    const auto tokens = static_cast<double>(found.tokens + tokens_of(data.dev) +
                                            (data.test ? tokens_of(*data.test) : 0));
    found.features_seconds = seconds / static_cast<double>(tokens_of(sample)) * tokens;
    const auto values = static_cast<double>(activations->layout().values_per_token());
    found.features_bytes = static_cast<std::uint64_t>(
        tokens * values * static_cast<double>(format_of(new_dtype(request.features)).bytes));
  }

  Workers workers(threads_or_available(request.features.threads));
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
