// `elmo task compare`: how much a biLM helps a task, by position, mix and size of the data.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/human.h"
#include "cli/common/options.h"
#include "cli/common/process.h"
#include "cli/common/reporter.h"
#include "cli/task/comparison.h"
#include "cli/task/comparison_report.h"
#include "cli/task/options.h"
#include "cli/task/report.h"
#include "cli/task/task.h"
#include "cli/task/train.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/model/model.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSized = "none and input";  // as in is_sized()

struct CompareFlags {
  TaskTrainFlags task;
  std::vector<std::string> settings;
  std::vector<float> fractions;
};

/// Returns the decimal number that was typed, without the rounding to float32.
double written(float number) { return std::stod(human_number(static_cast<double>(number), 6)); }

/// Returns the different parts below 1. RequestError for numbers that are not parts.
std::vector<double> parts_of(const std::vector<float>& fractions) {
  std::vector<double> parts;
  for (const float fraction : fractions) {
    const double part = written(fraction);
    if (!(part > 0.0 && part <= 1.0)) {
      throw RequestError("--fractions: found " + human_number(part, 6) +
                         ", expected parts of 1, such as 0.01,0.1,1");
    }
    if (part < 1.0 && std::ranges::count(parts, part) == 0) parts.push_back(part);
  }
  return parts;
}

/// Writes the tables and the pictures into the folder, and prints one of them.
void publish(const CompareFlags& flags, std::span<const ComparedGroup> groups, TaskMetric metric) {
  const fs::path folder = flags.task.output;
  const std::string table = comparison_markdown(groups, metric);
  const std::string json = comparison_json(groups, metric);
  replace_file(folder / "comparison.md", table);
  replace_file(folder / "comparison.json", json);
  replace_file(folder / "weights.svg", weights_svg(groups));
  replace_file(folder / "epochs.svg", epochs_svg(groups, metric));
  if (!parts_of(flags.fractions).empty()) {
    replace_file(folder / "sizes.svg", sizes_svg(groups, metric));
  }
  standard_output().write(flags.task.json ? json : table);
  Report(flags.task.features.quiet).line("tables and pictures are in " + folder.string());
}

ExitCode run_task_compare(const CompareFlags& flags) {
  LoadedModel bilm = load_model(flags.task.features.model);
  ComparisonRequest request{task_request(flags.task), {}, parts_of(flags.fractions)};
  for (const ComparedSetting& setting : all_settings(flags.task.options.mix)) {
    if (std::ranges::count(flags.settings, setting.name) > 0) request.settings.push_back(setting);
  }
  TaskReport report(flags.task.features.quiet, flags.task.plot);
  const auto compared = [&flags](std::span<const ComparedGroup> groups, TaskMetric metric) {
    publish(flags, groups, metric);
  };
  const ComparisonEnd end =
      run_comparison(request, std::move(bilm), report, compared, stop_on_signals());
  return end == ComparisonEnd::completed ? kDone : kStopped;
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
  for (const std::string_view word : comma_list(list)) {
    if (std::ranges::count(allowed, word) == 0 || std::ranges::count(words, word) > 0) {
      return std::nullopt;
    }
    words.emplace_back(word);
  }
  return words;
}

void add_settings(Options app, CompareFlags& flags) {
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

/// Throws RequestError for options that no setting uses.
void check_settings(const Options& app, const CompareFlags& flags) {
  bool sized = false;
  bool elmo = false;
  bool learned = false;
  for (const ComparedSetting& setting : all_settings(flags.task.options.mix)) {
    if (std::ranges::count(flags.settings, setting.name) == 0) continue;
    sized = sized || is_sized(setting);
    elmo = elmo || setting.place != ElmoPlace::none;
    learned = learned || (setting.place != ElmoPlace::none && setting.mix.kind == MixKind::all &&
                          setting.name != "lambda-1");
  }
  if (!parts_of(flags.fractions).empty() && !sized) {
    throw RequestError(std::string("--fractions: parts of the data are for the settings ") +
                       kSized + "; expected one of them in --settings");
  }
  only_with(app, "--lambda", learned, "--settings input, output or both");
  for (const char* option : {"--elmo-dropout", "--layer-norm"}) {
    only_with(app, option, elmo, "--settings other than none");
  }
}

}  // namespace

void add_task_compare(Options& app, Command& chosen) {
  const auto flags = std::make_shared<CompareFlags>();
  Options command =
      app.add_subcommand("compare", "Compare scores with and without the biLM in several settings");
  add_task_compare_flags(command, flags->task);
  add_settings(command, *flags);
  command->footer(
      "Trains a model for each setting, seed and fraction of the training data, on activations "
      "computed once. DIR gets tables (`comparison.md`, `comparison.json`) and pictures: "
      "`weights.svg`, the learned layer weights (as figure 2 of Peters et al. 2018), `sizes.svg`, "
      "the score by training size (figure 1), and `epochs.svg`. Scores are of the best evaluation "
      "on --dev, with standard deviation over --seeds. Models are not kept.");
  command->callback([command, flags, &chosen] {
    check_task_compare_flags(*command, flags->task);
    check_settings(*command, *flags);
    chosen = [flags] { return run_task_compare(*flags); };
  });
}

}  // namespace elmo
