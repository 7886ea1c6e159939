#include "cli/senses/report.h"

#include "cli/common/reporter.h"
#include "core/text.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

double percent(const SenseCount& count) { return 100 * count.f1(); }

SenseScores sum_of(const std::vector<SenseSet>& sets) {
  SenseScores all;
  for (const SenseSet& set : sets) all += set.scores;
  return all;
}

void add_scores(Json& json, const SenseScores& scores) {
  json["instances"] = scores.first_candidate.instances;
  json["first_candidate"] = percent(scores.first_candidate);
  json["most_frequent"] = percent(scores.most_frequent);
  for (const SenseScores::Layer& layer : scores.layers) {
    json["layers"][layer.name] = {{"average", percent(layer.average)},
                                  {"exemplar", percent(layer.exemplar)}};
  }
}

std::string table(const std::string& name, const SenseScores& scores) {
  const SenseCount& first = scores.first_candidate;
  std::string text = name + ": " + human_count(first.instances, "instance");
  if (first.answered < first.instances) {
    text += ", " + human_count(first.instances - first.answered) + " of words without any sense";
  }
  text += formatted("\n  first candidate %.1f, most frequent sense %.1f\n", percent(first),
                    percent(scores.most_frequent));
  text += formatted("  %-8s %8s %9s\n", "layer", "average", "exemplar");
  for (const SenseScores::Layer& layer : scores.layers) {
    text += formatted("  %-8s %8.1f %9.1f\n", layer.name.c_str(), percent(layer.average),
                      percent(layer.exemplar));
  }
  return text;
}

}  // namespace

std::string senses_json(const std::vector<SenseSet>& sets) {
  Json json{{"sets", Json::array()}, {"all", Json::object()}};
  for (const SenseSet& set : sets) {
    Json one{{"file", set.file}};
    add_scores(one, set.scores);
    json["sets"].push_back(std::move(one));
  }
  add_scores(json["all"], sum_of(sets));
  return json_document(json);
}

std::string senses_text(const std::vector<SenseSet>& sets) {
  std::string text;
  for (const SenseSet& set : sets) text += table(escaped_name(set.file), set.scores);
  if (sets.size() > 1) text += table("all", sum_of(sets));
  return text;
}

std::string answers_text(const SensesResult& result) {
  std::string text;
  if (result.layers.size() == 1) {
    for (const SenseAnswer& answer : result.answers) {
      if (answer.keys.front()) text += answer.id + ' ' + *answer.keys.front() + '\n';
    }
    return text;
  }
  text = "id";
  for (const std::string& layer : result.layers) text += '\t' + layer;
  text += '\n';
  for (const SenseAnswer& answer : result.answers) {
    text += answer.id;
    for (const std::optional<std::string>& key : answer.keys) text += '\t' + key.value_or("");
    text += '\n';
  }
  return text;
}

}  // namespace elmo
