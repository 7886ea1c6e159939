// `elmo task compare`: how much a biLM helps, where, with which mix, and with how much data.
#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/task/commands.h"
#include "cli/commands/task/train.h"
#include "cli/flags/options.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/report.h"
#include "cli/report/task/comparison_report.h"
#include "cli/run/task/comparison.h"
#include "cli/run/task/comparison_log.h"
#include "cli/run/task/data.h"
#include "core/error.h"
#include "core/kernels/random_bits.h"
#include "core/train/permutation.h"
#include "io/files/atomic_file.h"
#include "io/files/lock.h"
#include "io/files/paths.h"
#include "io/labelled/task/task_folder.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSized = "none and input";

struct CompareFlags {
  TaskTrainFlags task;
  std::vector<std::string> settings;
  std::vector<float> fractions;  // below 1
};

/// A number as people write it, not as float32 rounds it.
double written(float number) { return std::stod(human_number(static_cast<double>(number), 6)); }

class Comparison {
 public:
  explicit Comparison(const CompareFlags& flags)
      : flags_(flags), folder_(flags.task.output), report_(flags.task.features.quiet) {
    for (const ComparedSetting& setting : all_settings(flags.task.options.mix)) {
      if (std::ranges::count(flags.settings, setting.name) > 0) settings_.push_back(setting);
    }
  }

  ExitCode run() {
    prepare_folder();
    const FolderLock lock(folder_);
    if (!lock.warning().empty()) report_.line(lock.warning());
    log_.emplace(folder_);
    TaskTrainFlags task = flags_.task;
    task.options.elmo = ElmoPlace::input;
    data_ = load_task_data(task, folder_, stop_);
    if (!data_) return stopped();
    base_ = data_->options;
    records_ = data_->train.records;
    std::vector<double> fractions{1.0};
    for (const float fraction : flags_.fractions) fractions.push_back(written(fraction));
    for (const double fraction : fractions) {
      if (!train_size(fraction)) return stopped();
    }
    tell();
    return kDone;
  }

 private:
  void prepare_folder() const {
    const bool holds = fs::exists(folder_ / kComparisonLog);
    if (holds && !flags_.task.resume && !flags_.task.overwrite) {
      throw RequestError(folder_.string() + " holds a comparison already",
                         Remedy::resume_or_replace);
    }
    make_folder(folder_);
    if (!flags_.task.overwrite) return;
    remove_path(folder_ / kComparisonLog);
    remove_folder(folder_ / kRun);
  }

  std::vector<std::uint64_t> seeds() const {
    if (flags_.task.seeds.empty()) return {flags_.task.plan.seed};
    return flags_.task.seeds;
  }

  /// All models of one size; false where it was stopped.
  bool train_size(double fraction) {
    for (const std::uint64_t seed : seeds()) {
      take_part(fraction, seed);
      for (const ComparedSetting& setting : settings_) {
        const bool sized = setting.name == "none" || setting.name == "input";
        if (fraction < 1.0 && !sized) continue;
        if (!train_model(setting, fraction, seed)) return false;
      }
    }
    return true;
  }

  /// Leaves a part of the training examples, drawn by the seed, and their words.
  void take_part(double fraction, std::uint64_t seed) {
    const auto all = static_cast<double>(records_.size());
    const auto size =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(fraction * all)));
    if (size == data_->train.records.size() && size == records_.size()) return;
    const Permutation order(records_.size(), random_key(seed, RandomUse::shuffle, 0));
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t i = 0; i < size; ++i) chosen.push_back(order(i));
    std::ranges::sort(chosen);
    data_->train.records.clear();
    for (const std::uint64_t index : chosen) data_->train.records.push_back(records_[index]);
    if (!data_->vectors) data_->words = std::make_unique<WordVocabulary>(count_words(data_->train));
    look_up_words(*data_->words, data_->train);
    look_up_words(*data_->words, data_->dev);
    make_corpora(*data_);
  }

  bool train_model(const ComparedSetting& setting, double fraction, std::uint64_t seed) {
    data_->options = base_;
    data_->options.elmo = setting.place;
    data_->options.mix = setting.mix;
    const RunFingerprint fingerprint = task_fingerprint(flags_.task, *data_, seed);
    const std::string name =
        setting.name + "-" + human_number(fraction, 6) + "-" + std::to_string(seed);
    const fs::path own = folder_ / kRun / name;
    std::optional<ComparedModel> model = log_->find(setting.name, fraction, seed, fingerprint);
    if (!model) {
      report_.line(setting.name + ", " + human_count(data_->train.records.size(), "example") +
                   ", seed " + std::to_string(seed));
      TaskTrainFlags task = flags_.task;
      task.resume = true;  // what is there is this comparison's
      prepare_task_folder(own, ExistingRun::resumed);
      const std::optional<TaskOutcome> outcome = train_task(task, *data_, own, seed, stop_);
      if (!outcome) return false;
      model = {setting.name, fraction, data_->train.records.size(), task.plan.batch, *outcome};
      log_->add(*model, fingerprint);
    }
    remove_folder(own);
    models_.push_back(*std::move(model));
    return true;
  }

  void tell() const {
    const std::vector<ComparedGroup> groups = grouped(models_);
    const bool spans = data_->spans;
    const std::string table = comparison_markdown(groups, spans);
    const std::string json = comparison_json(groups, spans);
    replace_file(folder_ / "comparison.md", table);
    replace_file(folder_ / "comparison.json", json);
    replace_file(folder_ / "weights.svg", weights_svg(groups));
    replace_file(folder_ / "epochs.svg", epochs_svg(groups, spans));
    if (!flags_.fractions.empty()) replace_file(folder_ / "sizes.svg", sizes_svg(groups, spans));
    remove_folder(folder_ / kRun);
    standard_output().write(flags_.task.json ? json : table);
    report_.line("tables and pictures are in " + folder_.string());
  }

  ExitCode stopped() const {
    report_.line("stopped with " + human_count(models_.size(), "model") +
                 " trained; the same command with --resume goes on");
    return kStopped;
  }

  static constexpr const char* kRun = "run";  // the folder of the model that is being trained

  const CompareFlags& flags_;
  fs::path folder_;
  Report report_;
  const std::atomic<bool>& stop_ = stop_on_signals();
  std::vector<ComparedSetting> settings_;
  std::optional<ComparisonLog> log_;
  std::optional<TaskData> data_;
  TaskOptions base_;
  std::vector<TaskRecord> records_;  // of all training examples
  std::vector<ComparedModel> models_;
};

std::vector<std::string> setting_names() {
  std::vector<std::string> names;
  for (const ComparedSetting& setting : all_settings({})) names.push_back(setting.name);
  return names;
}

/// The words of "a,b"; nothing where one of them is none of `allowed`, or is there twice.
std::optional<std::vector<std::string>> words_of(const std::string& list,
                                                 const std::vector<std::string>& allowed) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    if (std::ranges::count(allowed, word) == 0 || std::ranges::count(words, word) > 0) {
      return std::nullopt;
    }
    words.push_back(word);
    begin = end + 1;
  }
  return words;
}

void add_settings(CLI::App* app, CompareFlags& flags) {
  const std::string group = "Comparison";
  flags.settings = setting_names();
  std::string all;
  std::string meanings;
  for (const ComparedSetting& setting : all_settings({})) {
    all += (all.empty() ? "" : ",") + setting.name;
    meanings += (meanings.empty() ? "`" : "; `") + setting.name + "`, " + setting.meaning;
  }
  add_checked(
      app, "--settings", "NAME,NAME...", all, "different settings among " + all,
      [](const std::string& list) { return words_of(list, setting_names()).has_value(); },
      [&flags](const std::string& list) { flags.settings = *words_of(list, setting_names()); },
      "Settings to compare: " + meanings)
      ->default_str("all of them")
      ->group(group);
  add_numbers(app, "--fractions", flags.fractions, "F,F...",
              std::string("Parts of the training examples, drawn by the seed, to train ") + kSized +
                  " on, too; each more than 0, and 1 goes without saying")
      ->default_str("1")
      ->group(group);
}

void check_fractions(CompareFlags& flags) {
  std::erase_if(flags.fractions, [](float fraction) { return written(fraction) == 1.0; });
  std::vector<float> found;
  for (const float fraction : flags.fractions) {
    if (!(fraction > 0.0F && fraction < 1.0F)) {
      throw RequestError("--fractions: found " + human_number(static_cast<double>(fraction), 6) +
                         ", expected parts of 1, such as 0.01,0.1,1");
    }
    if (std::ranges::count(found, written(fraction), written) == 0) found.push_back(fraction);
  }
  flags.fractions = found;
}

}  // namespace

void add_task_compare(CLI::App& app, Command& chosen) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand(
      "compare", "Train with and without a biLM, in several ways, and compare the scores");
  add_task_compare_flags(command, flags->task);
  add_settings(command, *flags);
  command->footer(
      "A model is trained for each setting and seed, and for each part of the training data, on "
      "activations that are computed once. DIR keeps tables (`comparison.md`, `comparison.json`) "
      "and pictures: `weights.svg`, the learned weights of the layers (as figure 2 of Peters et "
      "al. 2018), `sizes.svg`, the score against the size of the training data (figure 1), and "
      "`epochs.svg`. Scores are those of the best evaluation on --dev, with the standard deviation "
      "over --seeds. The models themselves are not kept.");
  command->callback([command, flags, &chosen] {
    check_task_compare_flags(*command, flags->task);
    check_fractions(*flags);
    chosen = [flags] { return Comparison(*flags).run(); };
  });
}

}  // namespace elmo
