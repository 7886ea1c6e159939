#include "cli/run/task/comparison_log.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "cli/report/json.h"
#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"

namespace elmo {
namespace {

std::string checksum_of(const RunFingerprint& fingerprint) {
  Checksum checksum;
  for (const auto& [name, value] : fingerprint) checksum.add(name + "\n" + value + "\n");
  return checksum.hex();
}

Json json_of(const ComparedModel& model, const std::string& fingerprint) {
  const TaskOutcome& outcome = model.outcome;
  Json evaluations = Json::array();
  for (const TaskEvaluation& evaluation : outcome.evaluations) {
    evaluations.push_back({{"step", evaluation.step},
                           {"loss", evaluation.loss},
                           {"score", evaluation.score},
                           {"best", evaluation.best}});
  }
  Json mixes = Json::array();
  for (const LearnedMix& mix : outcome.mixes) {
    mixes.push_back({{"place", mix.place}, {"shares", mix.shares}, {"gamma", mix.gamma}});
  }
  return {{"setting", model.setting},  {"fraction", model.fraction},
          {"seed", outcome.seed},      {"examples", model.examples},
          {"batch", model.batch},      {"evaluations", std::move(evaluations)},
          {"mixes", std::move(mixes)}, {"fingerprint", fingerprint}};
}

ComparedModel model_of(const Json& json) {
  ComparedModel model;
  json.at("setting").get_to(model.setting);
  json.at("fraction").get_to(model.fraction);
  json.at("examples").get_to(model.examples);
  json.at("batch").get_to(model.batch);
  TaskOutcome& outcome = model.outcome;
  json.at("seed").get_to(outcome.seed);
  for (const Json& found : json.at("evaluations")) {
    TaskEvaluation evaluation;
    evaluation.number = outcome.evaluations.size() + 1;
    found.at("step").get_to(evaluation.step);
    found.at("loss").get_to(evaluation.loss);
    found.at("score").get_to(evaluation.score);
    found.at("best").get_to(evaluation.best);
    if (evaluation.best) outcome.best = evaluation;
    outcome.evaluations.push_back(evaluation);
  }
  for (const Json& found : json.at("mixes")) {
    LearnedMix& mix = outcome.mixes.emplace_back();
    found.at("place").get_to(mix.place);
    found.at("shares").get_to(mix.shares);
    found.at("gamma").get_to(mix.gamma);
  }
  return model;
}

}  // namespace

ComparisonLog::ComparisonLog(const std::filesystem::path& folder) : path_(folder / kComparisonLog) {
  std::ifstream file(path_);
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    try {
      const Json json = Json::parse(line);
      entries_.push_back({model_of(json), json.at("fingerprint").get<std::string>()});
    } catch (const Json::exception&) {
      throw InputError(path_.string() + ": line " + std::to_string(number) +
                           ": found no model of a comparison; expected the file as it was written",
                       Remedy::begin_anew);
    }
  }
}

std::optional<ComparedModel> ComparisonLog::find(const std::string& setting, double fraction,
                                                 std::uint64_t seed,
                                                 const RunFingerprint& fingerprint) const {
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return entry.model.setting == setting && entry.model.fraction == fraction &&
           entry.model.outcome.seed == seed;
  });
  if (found == entries_.end()) return std::nullopt;
  if (found->fingerprint != checksum_of(fingerprint)) {
    throw InputError(path_.string() + ": the model of " + setting +
                         " was trained on other data or with other options; give the same ones",
                     Remedy::begin_anew);
  }
  return found->model;
}

void ComparisonLog::add(const ComparedModel& model, const RunFingerprint& fingerprint) {
  entries_.push_back({model, checksum_of(fingerprint)});
  std::string text;
  for (const Entry& entry : entries_) text += json_of(entry.model, entry.fingerprint).dump() + '\n';
  replace_file(path_, text);
}

}  // namespace elmo
