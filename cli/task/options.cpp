// The options of `elmo task`: models for labeled data, on the layers of a biLM.
#include "cli/common/options.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/common/option_groups.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/task/report.h"
#include "cli/task/request.h"
#include "core/text.h"
#include "io/engine/task/comparison.h"
#include "io/engine/task/evaluation.h"
#include "io/engine/task/prediction.h"
#include "io/engine/task/train.h"
#include "io/tasks/task_description.h"

namespace elmo {
namespace {

constexpr NumberRange kDecay{.least = 0, .most = 1, .least_end = NumberRange::End::excluded};
constexpr std::uint64_t kMaxLayer = 1'000'000;  // more than any model has
constexpr std::uint64_t kMaxTaskSteps = std::uint64_t{1} << 40;

/// Returns the numbers of "0,1,2"; nothing if an item is not a number or occurs twice.
std::optional<std::vector<std::uint64_t>> seeds_of(std::string_view list) {
  std::vector<std::uint64_t> seeds;
  for (const std::string_view item : split(list, ',')) {
    const std::optional<std::uint64_t> seed = number_of<std::uint64_t>(item);
    if (!seed || std::ranges::count(seeds, *seed) > 0) return std::nullopt;
    seeds.push_back(*seed);
  }
  return seeds;
}

/// Returns the mix of a name or of a layer number; nothing if `text` is neither.
std::optional<MixKind> mix_kind(const std::string& text) {
  if (const std::optional<MixKind> kind = kMixKinds.find(text)) return kind;
  const std::optional<std::uint64_t> layer = number_of<std::uint64_t>(text);
  return layer && *layer <= kMaxLayer ? std::optional(MixKind::layer) : std::nullopt;
}

/// Sets the defaults for the kind of task; with `paper`, the defaults of published models.
void set_defaults(TaskRequest& request, bool paper) {
  const TaskKind& kind = request.kind->task;
  const TaskDefaults& defaults = paper ? kind.paper : kind.defaults;
  request.options = static_cast<const TaskOptions&>(defaults);
  request.plan = static_cast<const TaskPlan&>(defaults);
}

/// The default of every kind: "128 (tag, pair), 32 (classify)".
template <typename Setting>
std::string defaults_of(const Setting& setting) {
  std::vector<std::pair<double, std::string>> kinds;  // by value
  for (const LabeledKind& kind : labeled_kinds()) {
    const auto value = static_cast<double>(std::invoke(setting, kind.task.defaults));
    const auto found = std::ranges::find(kinds, value, &std::pair<double, std::string>::first);
    if (found == kinds.end()) {
      kinds.emplace_back(value, kind.task.name);
    } else {
      found->second.append(", ").append(kind.task.name);
    }
  }
  std::string text;
  for (const auto& [value, names] : kinds) {
    text += (text.empty() ? "" : "; ") + human_number(value, 6);
    if (kinds.size() > 1) text += " (" + names + ")";
  }
  return text;
}

constexpr const char* kLayers = "Layers of the biLM";

void add_elmo_place(const Options& command, TaskRequest& request) {
  const Options app = command.in_group(kLayers);
  add_choice(app, "--elmo", request.options.elmo, kElmoPlaces,
             "Where the layers enter: `input`, beside the word vector; `output`, beside the biLSTM "
             "output; `both`, with a mix each");
  add_checked(
      app, "--mix", "MIX", "all, top, average, concat or the number of a layer",
      "all, top, average, concat or 0, 1, …",
      [](const std::string& text) { return mix_kind(text).has_value(); },
      [&request](const std::string& text) {
        request.options.mix.kind = *mix_kind(text);
        request.options.mix.layer =
            static_cast<std::int64_t>(number_of<std::uint64_t>(text).value_or(0));
      },
      "Layer mix: `all` (learned weights), `average`, `top`, or one layer by number (`0`: token "
      "layer); or `concat`, all layers side by side")
      .default_str("all");
}

void add_elmo_flags(const Options& command, TaskRequest& request) {
  const Options app = command.in_group(kLayers);
  MixOptions& mix = request.options.mix;
  add_number(app, "--lambda", mix.lambda, "λ", kNotNegative,
             "Weight penalty λ‖w‖² of learned mixes; a large λ equalizes the layers");
  add_number(app, "--elmo-dropout", mix.dropout, "RATE", kShare,
             "Dropout of the mix or concatenation, before --dropout")
      .default_str(defaults_of([](const TaskDefaults& defaults) { return defaults.mix.dropout; }));
  app.add_flag("--layer-norm", mix.layer_norm, "Normalize each layer over the sentence first");
}

void add_model_shape(const Options& command, TaskRequest& request) {
  const Options app = command.in_group("Shape of the model");
  TaskOptions& options = request.options;
  add_whole(app, "--layers", options.layers, "N", std::int64_t{1}, std::int64_t{8},
            "Number of biLSTM layers")
      .default_str(defaults_of(&TaskOptions::layers));
  add_whole(app, "--hidden", options.hidden, "N", std::int64_t{1}, std::int64_t{4096},
            "LSTM units per direction")
      .default_str(defaults_of(&TaskOptions::hidden));
  add_whole(app, "--word-dim", options.word_columns, "N", std::int64_t{1}, std::int64_t{4096},
            "Width of the trained word vectors");
  app.add_option("--words", request.words, "FILE",
                 "Pretrained word vectors in the text format of GloVe or word2vec, which stay as "
                 "they are")
      .excludes("--word-dim");
  app.add_flag("--train-words", request.train_words, "Train the vectors of --words, too")
      .needs(app.get_option("--words"));
  add_whole(app, "--char-filters", options.character_filters, "N", std::int64_t{0},
            std::int64_t{4096}, "Filters of the character CNN; 0 omits it");
  add_number(
      app, "--dropout", options.dropout, "RATE", kShare,
      "Dropout of biLSTM inputs and outputs; `classify` uses half of it after the input, `coref` "
      "0.4 of it")
      .default_str(defaults_of(&TaskOptions::dropout));
}

void add_plan(const Options& command, TaskRequest& request) {
  const Options app = command.in_group("Optimization");
  TaskPlan& plan = request.plan;
  add_whole(app, "--batch", plan.batch, "N", std::uint64_t{1}, std::uint64_t{65536},
            "Examples per step")
      .default_str(defaults_of(&TaskPlan::batch));
  add_number(app, "--learning-rate", plan.rate, "RATE", kPositive, "Learning rate of Adam")
      .default_str(defaults_of(&TaskPlan::rate));
  add_number(app, "--weight-decay", plan.weight_decay, "RATE", kNotNegative,
             "Weight decay, decoupled from the gradient");
  add_choice(app, "--label-weights", plan.label_weights, kLabelWeights,
             "Weights of examples: `equal`, or `dev`, which gives labels the shares that they "
             "have in --dev")
      .default_str("dev (" + names_of_kinds([](const LabeledKind& kind) {
                     return kind.task.defaults.label_weights == LabelWeights::dev;
                   }) +
                   "); else equal");
  add_number(app, "--gradient-clip", plan.clip, "NORM", kNotNegative,
             "Maximum gradient norm; 0 disables clipping")
      .default_str(defaults_of(&TaskPlan::clip));
  add_whole(app, "--evaluations", plan.evaluations, "N", std::uint64_t{1}, std::uint64_t{100000},
            "Maximum number of evaluations on --dev, one per epoch; with little data, one per "
            "sixteenth of --min-steps");
  add_whole(app, "--min-steps", plan.min_steps, "N", std::uint64_t{0}, kMaxTaskSteps,
            "No run ends before this step");
  add_whole(app, "--patience", plan.patience, "N", std::uint64_t{0}, std::uint64_t{100000},
            "Evaluations without improvement before training stops; 0 disables early stopping");
  add_number(app, "--decay", plan.decay, "FACTOR", kDecay,
             "Factor of the learning rate when scores stop improving");
  add_whole(app, "--decay-patience", plan.decay_patience, "N", std::uint64_t{1},
            std::uint64_t{100000},
            "Evaluations without improvement before the learning rate drops");
  add_number(app, "--average", plan.average, "DECAY", kShare,
             "Decay per step of the moving average of weights that is evaluated and kept; 0 "
             "disables it")
      .default_str(defaults_of(&TaskPlan::average));
  Option seed = add_seed(app, plan.seed, "Random seed of weights, dropout and example order");
  add_checked(
      app, "--seeds", "N,N…", "whole numbers separated by commas",
      "different whole numbers, such as 0,1,2",
      [](const std::string& text) { return seeds_of(text).has_value(); },
      [&request](const std::string& text) { request.seeds = *seeds_of(text); },
      "Train once per seed, in folders `seed-N`; report mean and standard deviation, keep the best")
      .excludes(seed);
}

void add_run(const Options& command, TaskFlags& flags, TaskRequest& request) {
  const Options app = command.in_group("Run");
  Option resume = app.add_flag("--resume", request.resume, "Resume the run in the folder");
  app.add_flag("--overwrite", request.overwrite, "Replace the run in the folder").excludes(resume);
  add_whole(app, "--checkpoint-steps", request.session.checkpoint_steps, "N", std::uint64_t{1},
            kMaxTaskSteps, "Steps between checkpoints")
      .default_str("one per minute");
  add_whole(app, "--max-steps", request.session.max_steps, "N", std::uint64_t{1}, kMaxTaskSteps,
            "Stop each model after N steps of this process; --resume continues")
      .default_str("none");
  app.add_flag("--json", flags.json, "Print the scores as JSON");
}

void add_text_column(const Options& app, TableNames& table) {
  add_checked(
      app, "--text-column", "NAME", "name, or two names for pairs", "names of columns",
      [](const std::string& names) { return std::ranges::count(split(names, ','), "") == 0; },
      [&table](const std::string& names) {
        for (const std::string_view name : split(names, ',')) table.texts.emplace_back(name);
      },
      "Column of the texts in a table (TSV or CSV) whose first line names the columns; for pair "
      "two, separated by a comma")
      .default_str("text, sentence; sentence1,sentence2; and other usual names");
}

/// Adds the options for how labeled files are read.
template <typename Request>
void add_data_options(const Options& app, Request& request) {
  add_column(app, request.column);
  add_text_column(app, request.table);
  app.add_option("--label-column", request.table.label, "NAME",
                 "Column of the labels in such a table")
      .default_str("label and other usual names");
  add_tokenizer_flags(app, request.tokenizer);
  app.add_flag("--skip-unanswerable", request.skip_unanswerable,
               "Skip and count questions without an answer, which SQuAD 2.0 has (qa)");
}

/// Adds the labeled files and the folder, which `output` describes.
void add_files(const Options& app, TaskRequest& request, const std::string& output) {
  std::vector<std::string> names;
  std::string summaries;
  for (const LabeledKind& kind : labeled_kinds()) {
    names.emplace_back(kind.task.name);
    summaries.append(summaries.empty() ? ": `" : "; `").append(kind.task.name);
    summaries.append("`, ").append(kind.task.summary);
  }
  // Must be registered, and so assigned, before the options whose defaults depend on it.
  add_word(
      app, "--kind", names, std::string(request.kind->task.name),
      [&request](const std::string& name) {
        request.kind = labeled_kind(name);
        set_defaults(request, false);
      },
      "What is labeled" + summaries);
  add_word(
      app, "--preset", {"default", "paper"}, "default",
      [&request](const std::string& name) { set_defaults(request, name == "paper"); },
      "Sizes and training settings: `default`, learned in minutes to hours on two cores; `paper`, "
      "as published");
  app.add_option("--train", request.train, "FILE",
                 "Labeled training data: columns, CoNLL-U, TSV, CSV, JSON Lines or SQuAD's JSON")
      .required();
  app.add_option("--dev,--valid", request.dev, "FILE",
                 "Labeled data for evaluation, in the same formats")
      .required();
  app.add_option("-o,--output", request.output, "DIR", output);
  add_data_options(app, request);
}

/// Adds the model's shape and how it is trained.
void add_training(const Options& app, TaskFlags& flags, TaskRequest& request) {
  add_elmo_flags(app, request);
  add_model_shape(app, request);
  add_plan(app, request);
  add_run(app, flags, request);
  add_feature_flags(app, request.features, flags.quiet, "`features` in the folder of the run");
}

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const ComparedSetting& setting : all_settings({})) names.push_back(setting.name);
  return names;
}

/// Returns the words of "a,b"; nothing if one of them is not in `allowed` or occurs twice.
std::optional<std::vector<std::string>> words_of(const std::string& list,
                                                 const std::vector<std::string>& allowed) {
  std::vector<std::string> words;
  for (const std::string_view word : split(list, ',')) {
    if (std::ranges::count(allowed, word) == 0 || std::ranges::count(words, word) > 0) {
      return std::nullopt;
    }
    words.emplace_back(word);
  }
  return words;
}

void add_settings(const Options& command, ComparisonRequest& request) {
  const Options app = command.in_group("Comparison");
  request.settings = setting_names();
  const std::string all = joined(request.settings, ",");
  const auto meaning = [](const ComparedSetting& setting) {
    return '`' + setting.name + "`, " + setting.meaning;
  };
  add_checked(
      app, "--settings", "NAME,NAME...", all, "different settings among " + all,
      [](const std::string& list) { return words_of(list, setting_names()).has_value(); },
      [&request](const std::string& list) { request.settings = *words_of(list, setting_names()); },
      "Settings to compare: " + joined(all_settings({}), "; ", meaning))
      .default_str("all of them");
  add_numbers(app, "--fractions", request.fractions, "F,F...",
              std::string("Also train ") + kSizedSettings +
                  " on these fractions of the training data, sampled by seed (more than 0, at most "
                  "1); 1 is always included")
      .default_str("1");
}

/// Adds DIR, the model options, --precision, --threads and --quiet.
void add_predictor(const Options& app, TaskFlags& flags, PredictorRequest& request) {
  app.add_argument("DIR", request.folder, "Folder of a model, as `elmo task train` makes it")
      .required();
  add_model_flags(app, request.model);
  add_choice(app, "--precision", request.precision, kPrecisions,
             "Precision of the biLM's arithmetic (products)")
      .default_str("float32")
      .group("Computing");
  add_threads(app, request.threads).group("Computing");
  app.add_flag("--quiet", flags.quiet, "Print only errors and results");
}

ExitCode train_tasks_and_report(const TaskCommand<TaskRequest>& command) {
  const TaskRequest& request = command.request;
  check_training(command, request);
  if (command.dry_run) {
    const DryTaskTraining found = measure_task_training(request);
    standard_output().write(command.json ? dry_task_json(found) : dry_task_text(found));
    return kDone;
  }
  TaskReport report(command, request.output);
  const std::optional<TaskResult> result =
      train_tasks(request, {report, report, stop_on_signals()});
  if (!result) return kStopped;
  report.ended(*result);
  standard_output().write(command.json ? outcomes_json(result->outcomes, result->metric)
                                       : outcomes_text(result->outcomes, result->metric));
  return kDone;
}

ExitCode compare_and_report(const TaskCommand<ComparisonRequest>& command) {
  const ComparisonRequest& request = command.request;
  check_comparison(command.given, request);
  TaskReport report(command, request.output);
  const std::optional<ComparisonResult> result =
      run_comparison(request, {report, report, stop_on_signals()});
  if (!result) return kStopped;
  standard_output().write(
      publish_comparison(request.output, *result, command.json, command.picture));
  report.note("tables and pictures are in " + request.output);
  return kDone;
}

ExitCode predict_and_report(const TaskCommand<PredictionRequest>& command) {
  const PredictionRequest& request = command.request;
  RunReport report(command.quiet);
  const LabeledKind& kind = *read_task_description(request.folder).kind;
  const PredictionForms forms = prediction_forms(request, kind, report);
  check_prediction(command.given, kind, forms);
  predict_files(request, forms, report, standard_output());
  return kDone;
}

ExitCode evaluate_and_report(const TaskCommand<TaskEvaluationRequest>& command) {
  const TaskEvaluationRequest& request = command.request;
  check_evaluation(command.given, *read_task_description(request.folder).kind);
  RunReport report(command.quiet);
  BufferedOutput output(standard_output());
  const TaskEvaluationResult result = evaluate_task(
      request, report, [&](const WrongLabels& wrong) { output.write(differences_text(wrong)); });
  output.write(command.json ? scores_json(result) : scores_text(result));
  output.flush();
  return kDone;
}

void add_task_train(const Options& app, Command& chosen) {
  const auto bound = std::make_shared<TaskCommand<TaskRequest>>();
  TaskRequest& request = bound->request;
  Options command = app.add_subcommand("train", "Train a model on labeled data");
  add_files(command, request, "Folder for the run and its model");
  command
      .add_option("--test", request.test, "FILE",
                  "Test data, scored once after training; formats as for --train")
      .default_str("none");
  add_elmo_place(command, request);
  add_training(command, *bound, request);
  command
      .add_flag("--plot", bound->plot, "Plot losses and scores to `curves.svg` at every evaluation")
      .group("Run");
  command
      .add_flag(
          "--dry-run", bound->dry_run,
          "Run a few steps on a sample, write nothing, and estimate activations, steps, memory "
          "and time of the whole run")
      .group("Run");
  run_if_chosen(command, bound, train_tasks_and_report, chosen);
}

void add_task_compare(const Options& app, Command& chosen) {
  const auto bound = std::make_shared<TaskCommand<ComparisonRequest>>();
  ComparisonRequest& request = bound->request;
  Options command =
      app.add_subcommand("compare", "Compare scores with and without the biLM in several settings");
  add_files(command, request, "Folder for tables and pictures");
  command.get_option("--output").required();
  add_training(command, *bound, request);
  command.get_option("--seeds").description(
      "Train each model once per seed; report mean and standard deviation");
  add_settings(command, request);
  add_picture_flags(command, bound->picture);
  command.footer(
      "Trains a model for each setting, seed and fraction of the training data, on activations "
      "computed once. DIR gets tables (`comparison.md`, `comparison.json`) and pictures: "
      "`weights.svg`, the learned layer weights (as figure 2 of Peters et al. 2018), `epochs.svg`, "
      "and with --fractions `sizes.svg`, the score by training size (figure 1). Scores are of the "
      "best evaluation "
      "on --dev, with standard deviation over --seeds. Models are not kept.");
  run_if_chosen(command, bound, compare_and_report, chosen);
}

void add_task_predict(const Options& app, Command& chosen) {
  const auto bound = std::make_shared<TaskCommand<PredictionRequest>>();
  PredictionRequest& request = bound->request;
  Options command = app.add_subcommand("predict", "Label text with a trained model");
  add_predictor(command, *bound, request);
  add_input_flags(command, request.input);
  command.remove_option(command.get_option("--input-format"));
  command.remove_option(command.get_option("--word-column"));
  add_choice(
      command, "--input-format", request.form, kTextForms,
      "Input format: `text`, raw UTF-8; `tokens`, one tokenized sentence per line; `jsonl`, one "
      "JSON record per line; `conllu`, CoNLL-U; `columns`, token TAB label, or label TAB text")
      .default_str("by the files' names and first lines, otherwise text")
      .group("Input");
  add_choice(
      command, "--format", request.format, kPredictionFormats,
      "Output format: `columns`, token TAB label, or label TAB text; `conllu`; `jsonl`, with spans "
      "and probabilities; `squad`, the answers as SQuAD's scorer reads them")
      .default_str("as the input; columns for text and tokens; jsonl for qa, srl and coref");
  add_column(command, request.column);
  add_text_column(command, request.table);
  run_if_chosen(command, bound, predict_and_report, chosen);
}

void add_task_evaluate(const Options& app, Command& chosen) {
  const auto bound = std::make_shared<TaskCommand<TaskEvaluationRequest>>();
  TaskEvaluationRequest& request = bound->request;
  Options command = app.add_subcommand("evaluate", "Score a trained model on labeled data");
  add_predictor(command, *bound, request);
  command.add_argument("FILE", request.file, "Labeled data, as in `elmo task train`").required();
  add_data_options(command, request);
  Option json = command.add_flag("--json", bound->json, "Print JSON with exact numbers");
  command
      .add_flag("--differences", request.differences,
                "Print each wrong label first (tag, classify, pair, srl): file, line, token or "
                "texts, gold label and predicted label; for srl the predicate before the token")
      .excludes(json);
  run_if_chosen(command, bound, evaluate_and_report, chosen);
}

}  // namespace

void add_task(const Options& app, Command& chosen) {
  Options task =
      app.add_subcommand("task", "Train, apply and score task models on a biLM's layers");
  task.require_subcommand();
  add_task_train(task, chosen);
  add_task_predict(task, chosen);
  add_task_evaluate(task, chosen);
  add_task_compare(task, chosen);
}

}  // namespace elmo
