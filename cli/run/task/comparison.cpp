#include "cli/run/task/comparison.h"

#include <algorithm>

namespace elmo {

std::vector<ComparedSetting> all_settings(const MixOptions& mix) {
  const auto mixed = [&mix](MixKind kind, float lambda) {
    MixOptions options = mix;
    options.kind = kind;
    options.layer = 0;
    options.lambda = lambda;
    return options;
  };
  const MixOptions learned = mixed(MixKind::all, mix.lambda);
  return {
      {"none", ElmoPlace::none, learned, "no layer of the biLM"},
      {"x", ElmoPlace::input, mixed(MixKind::layer, 0.0F), "input, the token layer alone"},
      {"top", ElmoPlace::input, mixed(MixKind::top, 0.0F), "input, the last layer alone"},
      {"average", ElmoPlace::input, mixed(MixKind::average, 0.0F), "input, all in equal shares"},
      {"lambda-1", ElmoPlace::input, mixed(MixKind::all, 1.0F), "input, all learned, λ = 1"},
      {"input", ElmoPlace::input, learned, "input, all learned"},
      {"output", ElmoPlace::output, learned, "output, all learned"},
      {"both", ElmoPlace::both, learned, "input and output, all learned"},
  };
}

std::vector<ComparedGroup> grouped(std::span<const ComparedModel> models) {
  std::vector<ComparedGroup> groups;
  for (const ComparedModel& model : models) {
    auto group = std::ranges::find_if(groups, [&model](const ComparedGroup& other) {
      return other.setting == model.setting && other.fraction == model.fraction;
    });
    if (group == groups.end()) {
      groups.push_back({model.setting, model.fraction, model.examples, model.batch, {}});
      group = groups.end() - 1;
    }
    group->outcomes.push_back(model.outcome);
  }
  return groups;
}

}  // namespace elmo
