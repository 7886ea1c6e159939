#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cli/common/reporter.h"
#include "cli/task/report.h"
#include "core/text.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

std::string layer_name(std::size_t layer) { return layer == 0 ? "x" : std::to_string(layer); }

std::string percent(double fraction) { return human_number(100 * fraction, 4) + " %"; }

/// Mean and deviation as "70.12 ± 0.34".
std::string score_text(const ComparedGroup& group, const TaskMetric& metric) {
  const SeedStatistics statistics = seed_statistics(group.outcomes);
  std::string mean = score_number(metric, statistics.mean);
  if (group.outcomes.size() == 1) return mean;
  return mean + " ± " + score_number(metric, statistics.deviation);
}

std::string row_text(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + '\n';
}

std::string head_text(const std::vector<std::string>& cells) {
  return row_text(cells) + row_text(std::vector<std::string>(cells.size(), "---"));
}

std::string scores_table(std::span<const ComparedGroup> groups, const TaskMetric& metric) {
  std::map<std::string, std::string> meanings;
  for (const ComparedSetting& setting : all_settings({})) meanings[setting.name] = setting.meaning;
  std::string table =
      head_text({"setting", "layers of the biLM", std::string(metric.title) + " on dev", "seeds"});
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    const std::string seeds = joined(group.outcomes, ", ", [&metric](const TaskOutcome& outcome) {
      return score_number(metric, outcome.best.score);
    });
    table += row_text({group.setting, meanings[group.setting], score_text(group, metric), seeds});
  }
  return table;
}

/// The means over seeds of s_j and of γ, for each position that has a mix.
std::vector<LearnedMix> mean_mixes(const ComparedGroup& group) {
  std::vector<LearnedMix> means = group.outcomes.front().mixes;
  const auto count = static_cast<float>(group.outcomes.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i].gamma = 0.0F;
    std::ranges::fill(means[i].shares, 0.0F);
    for (const TaskOutcome& outcome : group.outcomes) {
      means[i].gamma += outcome.mixes[i].gamma / count;
      for (std::size_t j = 0; j < means[i].shares.size(); ++j) {
        means[i].shares[j] += outcome.mixes[i].shares[j] / count;
      }
    }
  }
  return means;
}

std::string weights_table(std::span<const ComparedGroup> groups) {
  std::string table;
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    for (const LearnedMix& mix : mean_mixes(group)) {
      if (table.empty()) {
        std::vector<std::string> head{"setting", "mix at"};
        for (std::size_t j = 0; j < mix.shares.size(); ++j) head.push_back("s " + layer_name(j));
        head.emplace_back("γ");
        table = head_text(head);
      }
      std::vector<std::string> cells{group.setting, mix.place};
      for (const float share : mix.shares) {
        cells.push_back(formatted("%.3f", static_cast<double>(share)));
      }
      cells.push_back(formatted("%.3f", static_cast<double>(mix.gamma)));
      table += row_text(cells);
    }
  }
  return table;
}

/// Returns the settings that were trained on parts of the data, in their order.
std::vector<std::string> sized_settings(std::span<const ComparedGroup> groups) {
  std::vector<std::string> names;
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0 && std::ranges::count(names, group.setting) == 0) {
      names.push_back(group.setting);
    }
  }
  return names;
}

std::string sizes_table(std::span<const ComparedGroup> groups, const TaskMetric& metric) {
  const std::vector<std::string> settings = sized_settings(groups);
  if (settings.empty()) return {};
  std::vector<std::string> head{"training data", "examples"};
  head.insert(head.end(), settings.begin(), settings.end());
  std::map<double, std::vector<std::string>> rows;
  for (const ComparedGroup& group : groups) {
    const auto column = std::ranges::find(settings, group.setting);
    if (column == settings.end()) continue;
    std::vector<std::string>& row = rows[group.fraction];
    row.resize(head.size());
    row[0] = percent(group.fraction);
    row[1] = human_count(group.examples);
    row[static_cast<std::size_t>(column - settings.begin()) + 2] = score_text(group, metric);
  }
  std::string table = head_text(head);
  for (const auto& [fraction, row] : rows) table += row_text(row);
  return table;
}

Json group_json(const ComparedGroup& group) {
  const SeedStatistics statistics = seed_statistics(group.outcomes);
  Json seeds = Json::array();
  for (const TaskOutcome& outcome : group.outcomes) {
    seeds.push_back(
        {{"seed", outcome.seed}, {"score", outcome.best.score}, {"step", outcome.best.step}});
  }
  Json mixes = Json::object();
  for (const LearnedMix& mix : mean_mixes(group)) {
    mixes[mix.place] = {{"weights", mix.shares}, {"gamma", mix.gamma}};
  }
  return {{"score", statistics.mean},
          {"deviation", statistics.deviation},
          {"examples", group.examples},
          {"seeds", std::move(seeds)},
          {"mixes", std::move(mixes)}};
}

/// {"metric", "settings": {"none": {"score", "deviation", "seeds": […], "mixes"}, …}, "sizes": […]}
std::string comparison_json(std::span<const ComparedGroup> groups, const TaskMetric& metric) {
  Json settings = Json::object();
  Json sizes = Json::array();
  for (const ComparedGroup& group : groups) {
    Json json = group_json(group);
    if (group.fraction < 1.0) {
      json["setting"] = group.setting;
      json["fraction"] = group.fraction;
      sizes.push_back(std::move(json));
    } else {
      settings[group.setting] = std::move(json);
    }
  }
  return json_document(
      {{"metric", metric.name}, {"settings", std::move(settings)}, {"sizes", std::move(sizes)}});
}

/// Tables in Markdown: scores by setting, learned weights, scores by size of the training data.
std::string comparison_markdown(std::span<const ComparedGroup> groups, const TaskMetric& metric) {
  std::string text = scores_table(groups, metric);
  for (const std::string& table : {weights_table(groups), sizes_table(groups, metric)}) {
    if (!table.empty()) text += '\n' + table;
  }
  return text;
}

std::string score_title(const TaskMetric& metric) {
  std::string title = score_axis(metric);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

/// Returns the curve `name`. Creates it if it is missing.
Curve& curve_of(Panel& panel, const std::string& name) {
  const auto found = std::ranges::find(panel.curves, name, &Curve::name);
  if (found != panel.curves.end()) return *found;
  return panel.curves.emplace_back(Curve{name, {}});
}

/// Returns a diagram with one panel over all x of its curves.
std::string panel_svg(const std::string& title, Panel panel, const std::string& over,
                      bool logarithmic, const PictureSize& size) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0.0;
  for (Curve& curve : panel.curves) {
    std::ranges::sort(curve.points, {}, &Point::x);
    for (const Point& point : curve.points) {
      low = std::min(low, point.x);
      high = std::max(high, point.x);
    }
  }
  if (low > high) low = high = 1.0;  // no point
  if (!logarithmic) low = 0.0;
  if (low >= high) {
    low = high / 2;
    high = std::max(2 * high, 1.0);
  }
  return panels_svg(title, std::vector{std::move(panel)}, {over, low, high, logarithmic}, size);
}

}  // namespace

std::string weights_svg(std::span<const ComparedGroup> groups, const PictureSize& size) {
  Panel panel{"Weight s_j", false, {}};
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    for (std::size_t mix = 0; mix < group.outcomes.front().mixes.size(); ++mix) {
      const LearnedMix& first = group.outcomes.front().mixes[mix];
      for (std::size_t j = panel.curves.size(); j < first.shares.size(); ++j) {
        panel.curves.push_back({j == 0 ? "x" : "layer " + std::to_string(j), {}});
      }
      const auto x = static_cast<double>(panel.categories.size());
      panel.categories.push_back(group.setting == "both" ? "both, " + first.place : group.setting);
      for (std::size_t j = 0; j < panel.curves.size(); ++j) {
        double mean = 0.0;
        Bounds bounds{1.0, 0.0};
        for (const TaskOutcome& outcome : group.outcomes) {
          const auto share = static_cast<double>(outcome.mixes[mix].shares[j]);
          mean += share / static_cast<double>(group.outcomes.size());
          bounds = {std::min(bounds.low, share), std::max(bounds.high, share)};
        }
        panel.curves[j].points.push_back({x, mean, bounds});
      }
    }
  }
  return dots_svg(
      "Weights of the layers by setting, means over seeds; bars: from the least to the greatest",
      std::vector{panel}, size);
}

std::string sizes_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                      const PictureSize& size) {
  Panel panel{score_title(metric), false, {}};
  for (const ComparedGroup& group : groups) {
    const bool sized = std::ranges::any_of(groups, [&group](const ComparedGroup& other) {
      return other.setting == group.setting && other.fraction < 1.0;
    });
    if (!sized) continue;
    const auto score = [](const TaskOutcome& outcome) { return outcome.best.score; };
    const auto [least, greatest] = std::ranges::minmax_element(group.outcomes, {}, score);
    curve_of(panel, group.setting)
        .points.push_back({static_cast<double>(group.examples),
                           seed_statistics(group.outcomes).mean,
                           Bounds{score(*least), score(*greatest)}});
  }
  return panel_svg(
      "Score by size of the training data, mean over seeds; bars: from the least to the greatest",
      std::move(panel), "Training examples", true, size);
}

std::string epochs_svg(std::span<const ComparedGroup> groups, const TaskMetric& metric,
                       const PictureSize& size) {
  Panel panel{score_title(metric), false, {}};
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    std::map<std::uint64_t, std::vector<double>> scores;  // by step
    for (const TaskOutcome& outcome : group.outcomes) {
      for (const TaskEvaluation& evaluation : outcome.evaluations) {
        scores[evaluation.step].push_back(evaluation.score);
      }
    }
    Curve& curve = curve_of(panel, group.setting);
    for (const auto& [step, found] : scores) {
      double sum = 0.0;
      for (const double score : found) sum += score;
      curve.points.push_back(
          {static_cast<double>(step * group.batch) / static_cast<double>(group.examples),
           sum / static_cast<double>(found.size())});
    }
  }
  return panel_svg("Score by epoch, mean over seeds", std::move(panel), "Epochs", false, size);
}

std::string publish_comparison(const std::filesystem::path& folder, const ComparisonResult& result,
                               bool json, const PictureSize& size) {
  const std::string table = comparison_markdown(result.groups, result.metric);
  const std::string record = comparison_json(result.groups, result.metric);
  replace_file(folder / "comparison.md", table);
  replace_file(folder / "comparison.json", record);
  replace_file(folder / "weights.svg", weights_svg(result.groups, size));
  replace_file(folder / "epochs.svg", epochs_svg(result.groups, result.metric, size));
  if (!sized_settings(result.groups).empty()) {
    replace_file(folder / "sizes.svg", sizes_svg(result.groups, result.metric, size));
  } else {
    remove_path(folder / "sizes.svg");  // may be from a comparison with several sizes
  }
  return json ? record : table;
}

}  // namespace elmo
