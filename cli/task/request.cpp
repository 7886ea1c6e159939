#include "cli/task/request.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/common/reporter.h"
#include "core/error.h"

namespace elmo {
namespace {

/// An option that affects some kinds only.
struct KindOption {
  const char* option;
  bool (*has_effect)(const LabeledKind& kind);
};

bool segments(const LabeledKind& kind) { return kind.task.shape.segments; }

bool has_tables(const LabeledKind& kind) {
  return std::ranges::any_of(kind.forms, &KindForm::table);
}

constexpr std::array<KindOption, 8> kKindOptions = {
    {{"--label-weights",
      [](const LabeledKind& kind) {
        return kind.task.named_labels && !kind.task.shape.token_labels && !kind.task.shape.records;
      }},
     {"--column", [](const LabeledKind& kind) { return kind.task.shape.token_labels; }},
     {"--text-column", has_tables},
     {"--label-column", has_tables},
     {"--skip-unanswerable", [](const LabeledKind& kind) { return kind.skips_unanswerable; }},
     {"--tokenizer", segments},
     {"--locale", segments},
     {"--contractions", segments}}};

void check_kind(const GivenFlags& given, const LabeledKind& kind) {
  for (const auto& [option, has_effect] : kKindOptions) {
    check_rules(given, {{option, has_effect(kind), "--kind " + names_of_kinds(has_effect)}});
  }
}

}  // namespace

void check_training(const TaskFlags& flags, const TaskRequest& request) {
  std::vector<FlagRule> rules;
  for (const char* option : {"--mix", "--elmo-dropout", "--layer-norm", "--lambda", "--features",
                             "--features-dtype", "--precision"}) {
    rules.push_back({option, request.uses_bilm(), "--elmo input, output or both"});
  }
  rules.push_back({"--lambda", request.options.mix.kind == MixKind::all, "--mix all"});
  check_rules(flags.given, rules);
  if (!flags.dry_run && request.output.empty()) throw RequestError("--output is required");
  if (flags.dry_run && (request.resume || request.overwrite)) {
    throw RequestError("--dry-run writes nothing, so there is nothing to resume or overwrite");
  }
  check_kind(flags.given, *request.kind);
}

void check_comparison(const GivenFlags& given, const ComparisonRequest& request) {
  check_kind(given, *request.kind);
  bool elmo = false;
  bool learned = false;
  for (const ComparedSetting& setting : settings_of(request)) {
    const bool uses = setting.elmo != ElmoPlace::none;
    elmo = elmo || uses;
    learned = learned || (uses && setting.mix.kind == MixKind::all && setting.name != "lambda-1");
  }
  check_rules(given, {{"--lambda", learned, "--settings input, output or both"},
                      {"--elmo-dropout", elmo, "--settings other than none"},
                      {"--layer-norm", elmo, "--settings other than none"}});
}

void check_evaluation(const GivenFlags& given, const LabeledKind& kind) {
  for (const auto& [option, has_effect] : kKindOptions) {
    if (!given.contains(option) || has_effect(kind)) continue;
    throw RequestError(std::string(option) + " has no effect on data of the kind " +
                       kind.task.name);
  }
}

void check_prediction(const GivenFlags& given, const LabeledKind& kind,
                      const PredictionForms& forms) {
  for (const char* const name : {"column", "lines", "tokenizer", "locale", "contractions",
                                 "text_field", "id_field", "text_column", "skip_bad_records"}) {
    const Setting setting{name};
    const std::optional<Message> missing = missing_for(setting, kind, forms);
    check_rules(given, {{option_of(setting), !missing, text_of(missing.value_or(Message()))}});
  }
}

}  // namespace elmo
