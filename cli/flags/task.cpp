#include "cli/flags/task.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <optional>

#include "cli/flags/options.h"
#include "cli/numbers/human.h"
#include "core/error.h"
#include "core/tasks/kinds.h"
#include "io/labelled/tokens/labelled_sentences.h"

namespace elmo {
namespace {

constexpr NumberRange kDecay{.least = 0, .most = 1, .least_end = NumberRange::End::excluded};
constexpr std::uint64_t kMostLayer = 1'000'000;  // past any model
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 40;

/// The numbers of "0,1,2"; nothing where one of them is none, or is there twice.
std::optional<std::vector<std::uint64_t>> seeds_of(std::string_view list) {
  std::vector<std::uint64_t> seeds;
  for (const std::string_view item : comma_list(list)) {
    const std::optional<std::uint64_t> seed = whole_number(item);
    if (!seed || std::ranges::count(seeds, *seed) > 0) return std::nullopt;
    seeds.push_back(*seed);
  }
  return seeds;
}

/// The mix that a name or the number of a layer means; nothing where it is neither.
std::optional<MixKind> mix_kind(const std::string& text) {
  if (const std::optional<MixKind> kind = kMixKinds.find(text)) return kind;
  const std::optional<std::uint64_t> layer = whole_number(text);
  return layer && *layer <= kMostLayer ? std::optional(MixKind::layer) : std::nullopt;
}

/// A default of every kind: "128 (tag, pair), 32 (classify)".
template <typename Number>
std::string defaults_of(Number TaskDefaults::*setting) {
  std::vector<std::pair<Number, std::string>> kinds;  // of each value
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

void add_elmo_place(CLI::App* app, TaskTrainFlags& flags) {
  add_choice(app, "--elmo", flags.options.elmo, kElmoPlaces,
             "Where the mixed layers stand: `input`, beside the word's own vector; "
             "`output`, beside what the biLSTM makes of it; `both`, two mixes")
      ->group(kLayers);
  add_checked(
      app, "--mix", "MIX", "all, top, average or the number of a layer",
      "all, top, average or 0, 1, …",
      [](const std::string& text) { return mix_kind(text).has_value(); },
      [&flags](const std::string& text) {
        flags.options.mix.kind = *mix_kind(text);
        flags.options.mix.layer = static_cast<std::int64_t>(whole_number(text).value_or(0));
      },
      "How layers are mixed: `all`, in learned shares; `average`, in equal ones; `top`, the last "
      "layer alone; `0`, the token layer, `1`, … one layer alone. The factor gamma is learned")
      ->default_str("all")
      ->group(kLayers);
}

void add_elmo_flags(CLI::App* app, TaskTrainFlags& flags) {
  MixOptions& mix = flags.options.mix;
  add_number(
      app, "--lambda", mix.lambda, "λ", kNotNegative,
      "λ‖w‖² is added to the loss where the shares, softmax(w), are learned: a large λ makes "
      "them nearly equal")
      ->group(kLayers);
  add_number(app, "--elmo-dropout", mix.dropout, "RATE", kShare,
             "Share of the mix that is dropped, before --dropout")
      ->group(kLayers);
  app->add_flag("--layer-norm", mix.layer_norm,
                "Bring each layer to mean 0 and variance 1 over the sentence before it is mixed")
      ->group(kLayers);
}

void add_model_shape(CLI::App* app, TaskTrainFlags& flags) {
  const std::string group = "Shape of the model";
  TaskOptions& options = flags.options;
  add_whole(app, "--layers", options.layers, "N", std::int64_t{1}, std::int64_t{8},
            "biLSTMs one above the other")
      ->group(group);
  add_whole(app, "--hidden", options.hidden, "N", std::int64_t{1}, std::int64_t{4096},
            "Units of a direction of a biLSTM")
      ->default_str(defaults_of(&TaskDefaults::hidden))
      ->group(group);
  add_whole(app, "--word-dim", options.word_columns, "N", std::int64_t{1}, std::int64_t{4096},
            "Numbers of a word's vector, which is trained with the task")
      ->group(group);
  app->add_option("--words", flags.words,
                  "Word vectors to begin with, in the text format of GloVe and word2vec")
      ->type_name("FILE")
      ->excludes("--word-dim")
      ->group(group);
  add_whole(app, "--char-filters", options.character_filters, "N", std::int64_t{0},
            std::int64_t{4096}, "Filters of the character CNN; 0: the model has none")
      ->group(group);
  add_number(
      app, "--dropout", options.dropout, "RATE", kShare,
      "Share of each biLSTM's inputs and outputs that is dropped; of texts, half of it behind "
      "the first layer")
      ->default_str(defaults_of(&TaskDefaults::dropout))
      ->group(group);
}

void add_plan(CLI::App* app, TaskTrainFlags& flags) {
  const std::string group = "Optimisation";
  TaskPlan& plan = flags.plan;
  add_whole(app, "--batch", plan.batch, "N", std::uint64_t{1}, std::uint64_t{65536},
            "Examples of a step")
      ->group(group);
  add_number(app, "--learning-rate", plan.rate, "RATE", kPositive, "Learning rate of Adam")
      ->default_str(defaults_of(&TaskDefaults::rate))
      ->group(group);
  add_number(app, "--weight-decay", plan.weight_decay, "RATE", kNotNegative,
             "Decay of the weights, decoupled from the gradient")
      ->group(group);
  add_number(app, "--gradient-clip", plan.clip, "NORM", kNotNegative,
             "Longer gradients are shortened to this norm; 0: never")
      ->group(group);
  add_whole(app, "--evaluations", plan.evaluations, "N", std::uint64_t{1}, std::uint64_t{100000},
            "Evaluations on --dev at most, an epoch apart; of little data, --min-steps are divided "
            "among 16")
      ->group(group);
  add_whole(app, "--min-steps", plan.min_steps, "N", std::uint64_t{0}, kMostSteps,
            "No run ends before this step")
      ->group(group);
  add_whole(app, "--patience", plan.patience, "N", std::uint64_t{0}, std::uint64_t{100000},
            "Evaluations without a better score that end the run; 0: none do")
      ->group(group);
  add_number(app, "--decay", plan.decay, "FACTOR", kDecay,
             "What the learning rate is multiplied by where scores do not get better")
      ->group(group);
  add_whole(app, "--decay-patience", plan.decay_patience, "N", std::uint64_t{1},
            std::uint64_t{100000}, "Evaluations without a better score that lower the rate")
      ->group(group);
  add_number(app, "--average", plan.average, "DECAY", kShare,
             "What is evaluated and kept is a moving average of the weights, which decays so much "
             "a step; 0: the weights themselves")
      ->group(group);
  CLI::Option* seed = add_whole(app, "--seed", plan.seed, "N", std::uint64_t{0}, ~std::uint64_t{0},
                                "Of initial weights, dropout and the order of examples");
  seed->group(group);
  add_checked(
      app, "--seeds", "N,N…", "whole numbers with commas between them",
      "different whole numbers, such as 0,1,2",
      [](const std::string& text) { return seeds_of(text).has_value(); },
      [&flags](const std::string& text) { flags.seeds = *seeds_of(text); },
      "Train once with each seed, in a folder `seed-N` of the output each, and tell the scores' "
      "mean and standard deviation; the best of them becomes the model")
      ->excludes(seed)
      ->group(group);
}

void add_run(CLI::App* app, TaskTrainFlags& flags) {
  const std::string group = "Run";
  CLI::Option* resume =
      app->add_flag("--resume", flags.resume, "Go on with the run that the folder holds");
  resume->group(group);
  app->add_flag("--overwrite", flags.overwrite, "Replace what the folder holds")
      ->excludes(resume)
      ->group(group);
  add_whole(app, "--checkpoint-steps", flags.session.checkpoint_steps, "N", std::uint64_t{1},
            kMostSteps, "Steps between checkpoints")
      ->default_str("one a minute")
      ->group(group);
  add_whole(app, "--max-steps", flags.session.max_steps, "N", std::uint64_t{1}, kMostSteps,
            "Stop after so many steps of this process, to be resumed")
      ->default_str("none")
      ->group(group);
  app->add_flag("--json", flags.json, "Print the scores as JSON")->group(group);
  app->add_flag("--plot", flags.plot,
                "Draw losses and scores in `curves.svg` of the output at every evaluation")
      ->group(group);
}

/// The labelled files and the folder, which `output` describes.
void add_files(CLI::App* app, TaskTrainFlags& flags, const std::string& output) {
  std::vector<std::string> names;
  std::string summaries;
  for (const TaskKindEntry& kind : task_kinds()) {
    names.emplace_back(kind.name);
    summaries.append(summaries.empty() ? ": `" : "; `").append(kind.name);
    summaries.append("`, ").append(kind.summary);
  }
  // Registered before the options whose defaults it decides, and so assigned before them.
  add_word(
      app, "--kind", names, std::string(task_kind(flags.options.kind).name),
      [&flags](const std::string& name) {
        const TaskKindEntry& kind = *task_kind(name);
        flags.options.kind = kind.kind;
        flags.options.hidden = kind.defaults.hidden;
        flags.options.dropout = kind.defaults.dropout;
        flags.plan.rate = kind.defaults.rate;
      },
      "What is labelled" + summaries);
  app->add_option(
         "--train", flags.train,
         "Labelled data. Tokens: columns (token TAB label), CoNLL-U or JSON Lines with "
         "`tokens` and `labels`. Texts: label TAB text, or JSON Lines with `text` or "
         "`tokens` and `label`. Pairs: label TAB text TAB text, or JSON Lines with `text1` "
         "and `text2`, `tokens1` and `tokens2`, or SNLI's names")
      ->type_name("FILE")
      ->required();
  app->add_option("--dev", flags.dev, "Labelled data that scores are told on; likewise")
      ->type_name("FILE")
      ->required();
  app->add_option("-o,--output", flags.output, output)->type_name("DIR")->required();
  add_task_data_flags(app, flags.data);
}

/// The model's shape and how it is trained.
void add_training(CLI::App* app, TaskTrainFlags& flags) {
  add_elmo_flags(app, flags);
  add_model_shape(app, flags);
  add_plan(app, flags);
  add_run(app, flags);
  add_feature_flags(app, flags.features, "`features` in the folder of the run");
}

}  // namespace

void add_column(CLI::App* app, TaskDataFlags& flags) {
  add_word(app, "--column", flags.column, conllu_label_columns(),
           "The column of CoNLL-U that holds the labels of tokens");
}

void add_task_data_flags(CLI::App* app, TaskDataFlags& flags) {
  add_column(app, flags);
  app->add_option("--locale", flags.locale,
                  "Language whose rules segment labelled texts, such as `de` or `pt-BR`")
      ->type_name("LOCALE")
      ->default_str("root");
}

void add_task_train_flags(CLI::App* app, TaskTrainFlags& flags) {
  add_files(app, flags, "Folder of the run and of the model that it trains");
  app->add_option("--test", flags.test,
                  "Labelled data that the trained model is scored on at the end; likewise")
      ->type_name("FILE")
      ->default_str("none");
  add_elmo_place(app, flags);
  add_training(app, flags);
}

void add_task_compare_flags(CLI::App* app, TaskTrainFlags& flags) {
  add_files(app, flags, "Folder of the comparison, its tables and its pictures");
  add_training(app, flags);
  app->get_option("--seeds")->description(
      "Train each model once with each seed, and tell the scores' mean and standard "
      "deviation");
}

void check_task_train_flags(const CLI::App& app, const TaskTrainFlags& flags) {
  const bool elmo = flags.options.elmo != ElmoPlace::none;
  for (const char* option : {"--mix", "--elmo-dropout", "--layer-norm", "--lambda", "--features"}) {
    only_with(app, option, elmo, "--elmo input, output or both");
  }
  only_with(app, "--lambda", flags.options.mix.kind == MixKind::all, "--mix all");
  check_task_compare_flags(app, flags);
}

void check_task_compare_flags(const CLI::App& app, const TaskTrainFlags& flags) {
  const bool tag = flags.options.kind == TaskKind::tag;
  only_with(app, "--column", tag, "--kind tag");
  only_with(app, "--locale", !tag, "--kind classify or pair");
}

}  // namespace elmo
