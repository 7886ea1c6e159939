#include "core/tasks/role_scores.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "core/tasks/common/spans.h"

namespace elmo {

namespace {

constexpr std::string_view kContinues = "C-";
constexpr std::string_view kPredicate = "V";

}  // namespace

std::vector<RoleArgument> role_arguments(std::span<const std::string> labels) {
  std::vector<RoleArgument> arguments;
  std::map<std::string, std::size_t> last;  // last argument of each role
  for (const LabelSpan& span : spans_of(labels)) {
    const bool continues = span.type.starts_with(kContinues);
    const std::string role = continues ? span.type.substr(kContinues.size()) : span.type;
    const auto former = last.find(role);
    if (continues && former != last.end()) {
      arguments[former->second].parts.emplace_back(span.begin, span.end);
      continue;
    }
    last[role] = arguments.size();
    arguments.push_back({role, {{span.begin, span.end}}});
  }
  std::erase_if(arguments,
                [](const RoleArgument& argument) { return argument.role == kPredicate; });
  return arguments;
}

void RoleScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const auto& gold = record.gold->as<FrameGold>();
  const std::vector<std::string> expected = labels_.names_of(gold.labels);
  const std::vector<std::string> predicted =
      labels_.names_of(prediction.as<FramePrediction>().labels);
  if (expected.size() != predicted.size()) {
    throw std::logic_error("the record and the prediction differ in the number of labels");
  }
  if (gold.predicates.empty()) return;
  const std::size_t tokens = expected.size() / gold.predicates.size();
  for (std::size_t first = 0; first < expected.size(); first += tokens) {
    add_frame(std::span(expected).subspan(first, tokens),
              std::span(predicted).subspan(first, tokens));
  }
}

void RoleScores::add_frame(std::span<const std::string> expected,
                           std::span<const std::string> predicted) {
  const std::vector<RoleArgument> wanted = role_arguments(expected);
  const auto count = [this](const RoleArgument& argument, std::uint64_t AgreementCounts::*which) {
    ++(all_.*which);
    ++(roles_[argument.role].*which);
  };
  for (const RoleArgument& argument : wanted) count(argument, &AgreementCounts::expected);
  for (const RoleArgument& argument : role_arguments(predicted)) {
    count(argument, &AgreementCounts::predicted);
    if (std::ranges::find(wanted, argument) != wanted.end()) {
      count(argument, &AgreementCounts::correct);
    }
  }
}

std::vector<ScoreFigure> RoleScores::figures() const {
  std::vector<ScoreFigure> roles;
  for (const auto& [role, counts] : roles_) roles.push_back(counts_figure(role, counts));
  return {{"precision", all_.precision()},
          {"recall", all_.recall()},
          {"f1", all_.f1()},
          {"labels", std::move(roles)}};
}

}  // namespace elmo
