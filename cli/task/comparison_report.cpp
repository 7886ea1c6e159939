#include "cli/task/comparison_report.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "cli/common/human.h"
#include "cli/common/reporter.h"
#include "cli/task/report.h"

namespace elmo {
namespace {

std::string layer_name(std::size_t layer) { return layer == 0 ? "x" : std::to_string(layer); }

std::string percent(double fraction) { return human_number(100 * fraction, 4) + " %"; }

/// Mean and deviation as "70.12 ± 0.34".
std::string score_text(const ComparedGroup& group) {
  const SeedStatistics statistics = seed_statistics(group.outcomes);
  return formatted("%.2f", statistics.mean) +
         (group.outcomes.size() > 1 ? formatted(" ± %.2f", statistics.deviation) : "");
}

std::string row_text(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + '\n';
}

std::string head_text(const std::vector<std::string>& cells) {
  return row_text(cells) + row_text(std::vector<std::string>(cells.size(), "---"));
}

std::string scores_table(std::span<const ComparedGroup> groups, TaskMetric metric) {
  std::map<std::string, std::string> meanings;
  for (const ComparedSetting& setting : all_settings({})) meanings[setting.name] = setting.meaning;
  std::string table = head_text(
      {"setting", "layers of the biLM", std::string(score_name(metric)) + " on dev", "seeds"});
  for (const ComparedGroup& group : groups) {
    if (group.fraction < 1.0) continue;
    std::string seeds;
    for (const TaskOutcome& outcome : group.outcomes) {
      seeds += (seeds.empty() ? "" : ", ") + formatted("%.2f", outcome.best.score);
    }
    table += row_text({group.setting, meanings[group.setting], score_text(group), seeds});
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

std::string sizes_table(std::span<const ComparedGroup> groups) {
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
    row[static_cast<std::size_t>(column - settings.begin()) + 2] = score_text(group);
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

}  // namespace

std::string comparison_json(std::span<const ComparedGroup> groups, TaskMetric metric) {
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
  return json_document({{"metric", kTaskMetrics.word(metric)},
                        {"settings", std::move(settings)},
                        {"sizes", std::move(sizes)}});
}

std::string comparison_markdown(std::span<const ComparedGroup> groups, TaskMetric metric) {
  std::string text = scores_table(groups, metric);
  for (const std::string& table : {weights_table(groups), sizes_table(groups)}) {
    if (!table.empty()) text += '\n' + table;
  }
  return text;
}

}  // namespace elmo
