#include "io/train/bilm_state.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/json/json_document.h"

namespace elmo {

Checkpoint checkpoint_of(const BilmState& state) {
  const StepMeans& means = state.means;
  const Json sums{means.steps,         means.last_step,     means.loss_forward,
                  means.loss_backward, means.gradient_norm, means.learning_rate};
  return {state.counters, {}, std::to_string(state.seconds) + ' ' + sums.dump()};
}

void read_state(const Checkpoint& checkpoint, BilmState& state) {
  const std::string_view text = checkpoint.metadata;
  state.counters = checkpoint.counters;
  const std::size_t space = std::min(text.find(' '), text.size());
  state.seconds = std::strtod(std::string(text.substr(0, space)).c_str(), nullptr);
  const JsonDocument json(text.substr(space), "the means of the last steps", "six numbers");
  const std::vector<JsonNode> sums = json.root().elements();
  if (sums.size() != 6) json.root().refuse("six numbers");
  StepMeans& means = state.means;
  means.steps = sums[0].count();
  means.last_step = sums[1].count();
  means.loss_forward = sums[2].number();
  means.loss_backward = sums[3].number();
  means.gradient_norm = sums[4].number();
  means.learning_rate = sums[5].float_number();
}

}  // namespace elmo
