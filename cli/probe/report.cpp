#include "cli/probe/report.h"

#include <utility>
#include <vector>

#include "core/text.h"

namespace elmo {
namespace {

constexpr const char* kMostFrequent = "most frequent";

Json score_json(const ProbeScore& dev, const std::optional<ProbeScore>& test) {
  Json json{{"dev", dev.accuracy}, {"dev_interval", {dev.low, dev.high}}};
  if (test) {
    json["test"] = test->accuracy;
    json["test_interval"] = {test->low, test->high};
  }
  json["unknown"] = (test ? *test : dev).unknown;
  json["dev_unknown"] = dev.unknown;
  return json;
}

Json corpus_json(const ProbeBaseline& corpus) {
  return {{"sentences", corpus.sentences},
          {"tokens", corpus.tokens},
          {"unknown_tokens", corpus.score.unknown_tokens},
          {"unseen_labels", corpus.unseen_labels}};
}

std::optional<ProbeScore> test_score(const ProbeSummary& summary) {
  if (!summary.test) return std::nullopt;
  return summary.test->score;
}

std::string cells(const ProbeScore& score) {
  return formatted("  %7.2f  %6.2f - %-6.2f  %7.2f", score.accuracy, score.low, score.high,
                   score.unknown);
}

std::string row(const std::string& name, const ProbeScore& dev,
                const std::optional<ProbeScore>& test) {
  return formatted("%-13s", name.c_str()) + cells(dev) + (test ? cells(*test) : "");
}

std::string corpus_line(const char* name, const ProbeBaseline& corpus) {
  std::string line = std::string(name) + ": " + human_count(corpus.tokens, "token") + " in " +
                     human_count(corpus.sentences, "sentence") + ", " +
                     human_count(corpus.score.unknown_tokens) + " of unknown words";
  if (corpus.unseen_labels > 0) {
    line += ", " + human_count(corpus.unseen_labels) + " with labels that training does not have";
  }
  return line + '\n';
}

/// Adds the score of the last category to a panel of all tokens and to one of unknown words.
void add_score(const ProbeScore& score, std::size_t curve, Panel& all, Panel& unknown) {
  const auto x = static_cast<double>(all.categories.size() - 1);
  all.curves[curve].points.push_back({x, score.accuracy, Bounds{score.low, score.high}});
  unknown.curves[curve].points.push_back({x, score.unknown});
}

}  // namespace

void ProbeReport::trained(const ProbeProgress& progress) {
  if (!due()) return;
  show("epoch " + std::to_string(progress.epoch) + " of " + std::to_string(epochs_) + ", " +
       human_count(progress.tokens, "token") + " of " + human_count(progress.all_tokens));
}

std::string probe_json(const ProbeSummary& summary) {
  Json layers = Json::object();
  for (const ProbeResult& result : summary.layers) {
    Json layer = score_json(result.dev, result.test);
    layer["epoch"] = result.epoch;
    layer["weight_decay"] = result.weight_decay;
    if (!result.shares.empty()) {
      layer["weights"] = result.shares;
      layer["gamma"] = result.gamma;
    }
    layers[result.layer] = std::move(layer);
  }
  Json json{{"layers", std::move(layers)},
            {"most_frequent", score_json(summary.dev.score, test_score(summary))},
            {"labels", summary.labels},
            {"train", {{"sentences", summary.train_sentences}, {"tokens", summary.train_tokens}}},
            {"dev", corpus_json(summary.dev)}};
  if (summary.test) json["test"] = corpus_json(*summary.test);
  return json_document(json);
}

std::string probe_table(const ProbeSummary& summary) {
  const std::string columns = "    95 % interval  unknown";
  std::string table = formatted("%-13s", "accuracy, %") + "      dev" + columns +
                      (summary.test ? "     test" + columns : "") + "  epoch\n";
  table += row(kMostFrequent, summary.dev.score, test_score(summary)) + '\n';
  for (const ProbeResult& result : summary.layers) {
    table += row(result.layer, result.dev, result.test) + formatted("  %5d\n", result.epoch);
  }
  table += '\n';
  const auto share = [](float number) { return formatted("%.3f", static_cast<double>(number)); };
  for (const ProbeResult& result : summary.layers) {
    if (result.shares.empty()) continue;
    table += "mix: weights " + joined(result.shares, ", ", share) +
             formatted(" (x, 1, ...), gamma %.3f\n", static_cast<double>(result.gamma));
  }
  table += "train: " + human_count(summary.train_tokens, "token") + " in " +
           human_count(summary.train_sentences, "sentence") + ", " +
           human_count(summary.labels, "label") + '\n' + corpus_line("dev", summary.dev);
  return table + (summary.test ? corpus_line("test", *summary.test) : "");
}

std::string probe_svg(const ProbeSummary& summary, const PictureSize& size) {
  Panel all{"Accuracy, %: all tokens", false, {{"dev", {}}}};
  if (summary.test) all.curves.push_back({"test", {}});
  Panel unknown = all;
  unknown.y = "Accuracy, %: unknown words";
  const auto add = [&](const std::string& name, const ProbeScore& dev,
                       const std::optional<ProbeScore>& test) {
    for (Panel* panel : {&all, &unknown}) panel->categories.push_back(name);
    add_score(dev, 0, all, unknown);
    if (test) add_score(*test, 1, all, unknown);
  };
  add(kMostFrequent, summary.dev.score, test_score(summary));
  for (const ProbeResult& result : summary.layers) add(result.layer, result.dev, result.test);
  return dots_svg("What each layer knows of labels; bars: 95 % intervals",
                  std::vector{all, unknown}, size);
}

}  // namespace elmo
