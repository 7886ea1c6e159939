#include "cli/task/options.h"

#include <algorithm>
#include <optional>

#include "cli/common/human.h"
#include "cli/common/option_groups.h"
#include "cli/common/options.h"
#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/labeled/kinds.h"

namespace elmo {
namespace {

constexpr NumberRange kDecay{.least = 0, .most = 1, .least_end = NumberRange::End::excluded};
constexpr std::uint64_t kMaxLayer = 1'000'000;  // more than any model has
constexpr std::uint64_t kMaxTaskSteps = std::uint64_t{1} << 40;

/// Returns the numbers of "0,1,2"; nothing if an item is not a number or occurs twice.
std::optional<std::vector<std::uint64_t>> seeds_of(std::string_view list) {
  std::vector<std::uint64_t> seeds;
  for (const std::string_view item : comma_list(list)) {
    const std::optional<std::uint64_t> seed = whole_number(item);
    if (!seed || std::ranges::count(seeds, *seed) > 0) return std::nullopt;
    seeds.push_back(*seed);
  }
  return seeds;
}

/// Returns the mix of a name or of a layer number; nothing if `text` is neither.
std::optional<MixKind> mix_kind(const std::string& text) {
  if (const std::optional<MixKind> kind = kMixKinds.find(text)) return kind;
  const std::optional<std::uint64_t> layer = whole_number(text);
  return layer && *layer <= kMaxLayer ? std::optional(MixKind::layer) : std::nullopt;
}

/// Sets the defaults of the kind of task; with `paper`, those of published models.
void set_defaults(TaskTrainFlags& flags, bool paper) {
  const TaskKindEntry& kind = task_kind(flags.options.kind);
  const TaskDefaults& defaults = paper ? kind.paper : kind.defaults;
  flags.options.layers = defaults.layers;
  flags.options.hidden = defaults.hidden;
  flags.options.dropout = defaults.dropout;
  flags.options.mix.dropout = defaults.elmo_dropout;
  flags.plan.batch = defaults.batch;
  flags.plan.rate = defaults.rate;
  flags.plan.label_weights = defaults.label_weights;
  flags.plan.average = defaults.average;
  flags.plan.clip = defaults.clip;
}

/// The names of the kinds for which `holds` is true: "classify, pair".
template <typename Holds>
std::string kinds_where(const Holds& holds) {
  std::string names;
  for (const TaskKindEntry& kind : task_kinds()) {
    if (holds(kind)) names.append(names.empty() ? "" : ", ").append(kind.name);
  }
  return names;
}

/// The default of every kind: "128 (tag, pair), 32 (classify)".
template <typename Number>
std::string defaults_of(Number TaskDefaults::*setting) {
  std::vector<std::pair<Number, std::string>> kinds;  // by value
  for (const TaskKindEntry& kind : task_kinds()) {
    const Number value = kind.defaults.*setting;
    const auto found = std::ranges::find(kinds, value, &std::pair<Number, std::string>::first);
    if (found == kinds.end()) {
      kinds.emplace_back(value, kind.name);
    } else {
      found->second.append(", ").append(kind.name);
    }
  }
  std::string text;
  for (const auto& [value, names] : kinds) {
    text += (text.empty() ? "" : "; ") + human_number(static_cast<double>(value), 6);
    if (kinds.size() > 1) text += " (" + names + ")";
  }
  return text;
}

constexpr const char* kLayers = "Layers of the biLM";

void add_elmo_place(Options app, TaskTrainFlags& flags) {
  add_choice(app, "--elmo", flags.options.elmo, kElmoPlaces,
             "Where to concatenate the mixed layers: `input`, with the word vector; `output`, with "
             "the biLSTM output; `both`, two mixes")
      ->group(kLayers);
  add_checked(
      app, "--mix", "MIX", "all, top, average or the number of a layer",
      "all, top, average or 0, 1, …",
      [](const std::string& text) { return mix_kind(text).has_value(); },
      [&flags](const std::string& text) {
        flags.options.mix.kind = *mix_kind(text);
        flags.options.mix.layer = static_cast<std::int64_t>(whole_number(text).value_or(0));
      },
      "Layer mix: `all` (learned weights), `average`, `top`, or one layer by number (`0`: token "
      "layer)")
      ->default_str("all")
      ->group(kLayers);
}

void add_elmo_flags(Options app, TaskTrainFlags& flags) {
  MixOptions& mix = flags.options.mix;
  add_number(app, "--lambda", mix.lambda, "λ", kNotNegative,
             "Weight penalty λ‖w‖² of learned mixes; a large λ equalizes the layers")
      ->group(kLayers);
  add_number(app, "--elmo-dropout", mix.dropout, "RATE", kShare,
             "Dropout of the mix, before --dropout")
      ->default_str(defaults_of(&TaskDefaults::elmo_dropout))
      ->group(kLayers);
  app->add_flag("--layer-norm", mix.layer_norm,
                "Normalize each layer over the sentence before mixing")
      ->group(kLayers);
}

void add_model_shape(Options app, TaskTrainFlags& flags) {
  const std::string group = "Shape of the model";
  TaskOptions& options = flags.options;
  add_whole(app, "--layers", options.layers, "N", std::int64_t{1}, std::int64_t{8},
            "Number of biLSTM layers")
      ->default_str(defaults_of(&TaskDefaults::layers))
      ->group(group);
  add_whole(app, "--hidden", options.hidden, "N", std::int64_t{1}, std::int64_t{4096},
            "LSTM units per direction")
      ->default_str(defaults_of(&TaskDefaults::hidden))
      ->group(group);
  add_whole(app, "--word-dim", options.word_columns, "N", std::int64_t{1}, std::int64_t{4096},
            "Width of the trained word vectors")
      ->group(group);
  app->add_option("--words", flags.words,
                  "Pretrained word vectors in the text format of GloVe or word2vec, which stay as "
                  "they are")
      ->type_name("FILE")
      ->excludes("--word-dim")
      ->group(group);
  app->add_flag("--train-words", flags.train_words, "Train the vectors of --words, too")
      ->needs(app->get_option("--words"))
      ->group(group);
  add_whole(app, "--char-filters", options.character_filters, "N", std::int64_t{0},
            std::int64_t{4096}, "Filters of the character CNN; 0 omits it")
      ->group(group);
  add_number(app, "--dropout", options.dropout, "RATE", kShare,
             "Dropout of biLSTM inputs and outputs; for texts, half of it after the first layer")
      ->default_str(defaults_of(&TaskDefaults::dropout))
      ->group(group);
}

void add_plan(Options app, TaskTrainFlags& flags) {
  const std::string group = "Optimization";
  TaskPlan& plan = flags.plan;
  add_whole(app, "--batch", plan.batch, "N", std::uint64_t{1}, std::uint64_t{65536},
            "Examples per step")
      ->default_str(defaults_of(&TaskDefaults::batch))
      ->group(group);
  add_number(app, "--learning-rate", plan.rate, "RATE", kPositive, "Learning rate of Adam")
      ->default_str(defaults_of(&TaskDefaults::rate))
      ->group(group);
  add_number(app, "--weight-decay", plan.weight_decay, "RATE", kNotNegative,
             "Weight decay, decoupled from the gradient")
      ->group(group);
  add_choice(app, "--label-weights", plan.label_weights, kLabelWeights,
             "What examples count by their labels: `equal`, all the same; `dev`, so that labels "
             "have the shares they have in --dev")
      ->default_str("dev (" + kinds_where([](const TaskKindEntry& kind) {
                      return kind.defaults.label_weights == LabelWeights::dev;
                    }) +
                    "); else equal")
      ->group(group);
  add_number(app, "--gradient-clip", plan.clip, "NORM", kNotNegative,
             "Maximum gradient norm; 0 disables clipping")
      ->default_str(defaults_of(&TaskDefaults::clip))
      ->group(group);
  add_whole(app, "--evaluations", plan.evaluations, "N", std::uint64_t{1}, std::uint64_t{100000},
            "Evaluations on --dev at most, an epoch apart; of little data, --min-steps are divided "
            "among 16")
      ->group(group);
  add_whole(app, "--min-steps", plan.min_steps, "N", std::uint64_t{0}, kMaxTaskSteps,
            "No run ends before this step")
      ->group(group);
  add_whole(app, "--patience", plan.patience, "N", std::uint64_t{0}, std::uint64_t{100000},
            "Evaluations without improvement before training stops; 0 disables early stopping")
      ->group(group);
  add_number(app, "--decay", plan.decay, "FACTOR", kDecay,
             "Factor of the learning rate when scores stop improving")
      ->group(group);
  add_whole(app, "--decay-patience", plan.decay_patience, "N", std::uint64_t{1},
            std::uint64_t{100000}, "Evaluations without improvement before the learning rate drops")
      ->group(group);
  add_number(app, "--average", plan.average, "DECAY", kShare,
             "Decay per step of the moving average of weights that is evaluated and kept; 0 "
             "disables it")
      ->default_str(defaults_of(&TaskDefaults::average))
      ->group(group);
  Option seed = add_whole(app, "--seed", plan.seed, "N", std::uint64_t{0}, ~std::uint64_t{0},
                          "Random seed of weights, dropout and example order");
  seed->group(group);
  add_checked(
      app, "--seeds", "N,N…", "whole numbers separated by commas",
      "different whole numbers, such as 0,1,2",
      [](const std::string& text) { return seeds_of(text).has_value(); },
      [&flags](const std::string& text) { flags.seeds = *seeds_of(text); },
      "Train once per seed, in folders `seed-N`; report mean and standard deviation, keep the best")
      ->excludes(seed)
      ->group(group);
}

void add_run(Options app, TaskTrainFlags& flags) {
  const std::string group = "Run";
  Option resume = app->add_flag("--resume", flags.resume, "Resume the run in the folder");
  resume->group(group);
  app->add_flag("--overwrite", flags.overwrite, "Replace the folder's contents")
      ->excludes(resume)
      ->group(group);
  add_whole(app, "--checkpoint-steps", flags.session.checkpoint_steps, "N", std::uint64_t{1},
            kMaxTaskSteps, "Steps between checkpoints")
      ->default_str("one per minute")
      ->group(group);
  add_whole(app, "--max-steps", flags.session.max_steps, "N", std::uint64_t{1}, kMaxTaskSteps,
            "Stop after N steps of this process; resume later")
      ->default_str("none")
      ->group(group);
  app->add_flag("--json", flags.json, "Print the scores as JSON")->group(group);
  app->add_flag("--plot", flags.plot, "Plot losses and scores to `curves.svg` at every evaluation")
      ->group(group);
}

/// Adds the labeled files and the folder, which `output` describes.
void add_files(Options app, TaskTrainFlags& flags, const std::string& output) {
  std::vector<std::string> names;
  std::string summaries;
  for (const TaskKindEntry& kind : task_kinds()) {
    names.emplace_back(kind.name);
    summaries.append(summaries.empty() ? ": `" : "; `").append(kind.name);
    summaries.append("`, ").append(kind.summary);
  }
  // Registered, and so assigned, before the options whose defaults it decides.
  add_word(
      app, "--kind", names, std::string(task_kind(flags.options.kind).name),
      [&flags](const std::string& name) {
        flags.options.kind = task_kind(name)->kind;
        set_defaults(flags, false);
      },
      "What is labeled" + summaries);
  add_word(
      app, "--preset", {"default", "paper"}, "default",
      [&flags](const std::string& name) { set_defaults(flags, name == "paper"); },
      "Sizes of the model: `default`, learned in minutes on two cores; `paper`, as published");
  app->add_option("--train", flags.train,
                  "Labeled training data: columns, CoNLL-U, TSV, JSON lines or SQuAD's JSON")
      ->type_name("FILE")
      ->required();
  app->add_option("--dev", flags.dev, "Labeled data for evaluation, in the same formats")
      ->type_name("FILE")
      ->required();
  app->add_option("-o,--output", flags.output, output)->type_name("DIR");
  add_task_data_flags(app, flags.data);
}

/// Adds the model's shape and how it is trained.
void add_training(Options app, TaskTrainFlags& flags) {
  add_elmo_flags(app, flags);
  add_model_shape(app, flags);
  add_plan(app, flags);
  add_run(app, flags);
  add_feature_flags(app, flags.features, "`features` in the folder of the run");
}

}  // namespace

void add_column(Options app, TaskDataFlags& flags) { add_column(app, flags.column); }

void add_task_data_flags(Options app, TaskDataFlags& flags) {
  add_column(app, flags);
  add_tokenizer_flags(app, flags.tokenizer, "Options");
  app->add_flag("--skip-unanswerable", flags.skip_unanswerable,
                "Skip and count questions without an answer, which SQuAD 2.0 has (qa)");
}

void add_task_train_flags(Options app, TaskTrainFlags& flags) {
  add_files(app, flags, "Folder for the run and its model");
  app->add_option("--test", flags.test,
                  "Labeled data that the trained model is scored on at the end; likewise")
      ->type_name("FILE")
      ->default_str("none");
  add_elmo_place(app, flags);
  add_training(app, flags);
  app->add_flag(
         "--dry-run", flags.dry_run,
         "Run a few steps on a sample, write nothing, and estimate activations, steps, memory "
         "and time of the whole run")
      ->group("Run");
}

void add_task_compare_flags(Options app, TaskTrainFlags& flags) {
  add_files(app, flags, "Folder for tables and pictures");
  app->get_option("--output")->required();
  add_training(app, flags);
  app->get_option("--seeds")->description(
      "Train each model once per seed; report mean and standard deviation");
}

void check_task_train_flags(const Options& app, const TaskTrainFlags& flags) {
  const bool elmo = flags.options.elmo != ElmoPlace::none;
  for (const char* option : {"--mix", "--elmo-dropout", "--layer-norm", "--lambda", "--features",
                             "--features-dtype", "--precision"}) {
    only_with(app, option, elmo, "--elmo input, output or both");
  }
  only_with(app, "--lambda", flags.options.mix.kind == MixKind::all, "--mix all");
  if (!flags.dry_run && flags.output.empty()) throw RequestError("--output is required");
  if (flags.dry_run && (flags.resume || flags.overwrite)) {
    throw RequestError("--dry-run writes nothing, so there is nothing to resume or overwrite");
  }
  check_task_compare_flags(app, flags);
}

void check_task_compare_flags(const Options& app, const TaskTrainFlags& flags) {
  const auto has_one_label = [](const TaskKindEntry& kind) {
    return kind.named_labels && !kind.shape.token_labels && !kind.shape.records;
  };
  only_with(app, "--label-weights", has_one_label(task_kind(flags.options.kind)),
            "--kind " + kinds_where(has_one_label));
  only_with(
      app, "--column", task_kind(flags.options.kind).shape.token_labels,
      "--kind " + kinds_where([](const TaskKindEntry& kind) { return kind.shape.token_labels; }));
  only_with(app, "--skip-unanswerable", flags.options.kind == TaskKind::qa, "--kind qa");
  for (const char* option : {"--tokenizer", "--locale"}) {
    only_with(
        app, option, task_kind(flags.options.kind).shape.segments,
        "--kind " + kinds_where([](const TaskKindEntry& kind) { return kind.shape.segments; }));
  }
}

void add_predictor_flags(Options app, PredictorFlags& flags) {
  PredictorRequest& request = flags.request;
  app->add_option("DIR", request.folder, "Folder of a model, as `elmo task train` makes it")
      ->required();
  add_model_flags(app, request.model);
  add_precision(app, request.precision, "Precision of the biLM's products")
      ->default_str("float32")
      ->group("Computing");
  add_threads(app, request.threads)->group("Computing");
  app->add_flag("--quiet", flags.quiet, "Print only errors and results");
}

}  // namespace elmo
