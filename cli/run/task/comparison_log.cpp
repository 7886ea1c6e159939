#include "cli/run/task/comparison_log.h"

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/checksum.h"
#include "io/files/descriptor.h"
#include "io/json/json_document.h"

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

ComparedModel model_of(const JsonDocument& json) {
  ComparedModel model;
  model.setting = json["setting"].text();
  model.fraction = json["fraction"].number();
  model.examples = static_cast<std::uint64_t>(json["examples"].whole(1, 1LL << 53));
  model.batch = json["batch"].count();
  TaskOutcome& outcome = model.outcome;
  outcome.seed = json["seed"].count(std::numeric_limits<std::uint64_t>::max());
  for (const JsonNode& found : json["evaluations"].elements()) {
    TaskEvaluation evaluation;
    evaluation.number = outcome.evaluations.size() + 1;
    evaluation.step = found["step"].count();
    evaluation.loss = found["loss"].number();
    evaluation.score = found["score"].number();
    evaluation.best = found["best"].flag();
    if (evaluation.best) outcome.best = evaluation;
    outcome.evaluations.push_back(evaluation);
  }
  for (const JsonNode& found : json["mixes"].elements()) {
    LearnedMix& mix = outcome.mixes.emplace_back();
    mix.place = found["place"].text();
    for (const JsonNode& share : found["shares"].elements()) {
      mix.shares.push_back(share.float_number());
    }
    mix.gamma = found["gamma"].float_number();
  }
  return model;
}

}  // namespace

ComparisonLog::ComparisonLog(const std::filesystem::path& folder) : path_(folder / kComparisonLog) {
  std::istringstream file(read_file_if_there(path_).value_or(""));
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    try {
      const JsonDocument json(line, path_.string() + ": line " + std::to_string(number),
                              "a model of a comparison");
      entries_.push_back({model_of(json), json["fingerprint"].text()});
    } catch (const InputError& error) {
      throw InputError(error.what(), Remedy::begin_anew);
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
