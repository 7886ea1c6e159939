#include "io/train/bilm_state.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/error.h"

namespace elmo {

Checkpoint checkpoint_of(const BilmState& state) {
  const StepMeans& means = state.means;
  const nlohmann::json sums{means.steps,         means.last_step,     means.loss_forward,
                            means.loss_backward, means.gradient_norm, means.learning_rate};
  return {state.counters, {}, std::to_string(state.seconds) + ' ' + sums.dump()};
}

void read_state(const Checkpoint& checkpoint, BilmState& state) {
  const std::string_view text = checkpoint.metadata;
  state.counters = checkpoint.counters;
  const std::size_t space = std::min(text.find(' '), text.size());
  state.seconds = std::strtod(std::string(text.substr(0, space)).c_str(), nullptr);
  try {
    const auto sums = nlohmann::json::parse(text.substr(space));
    sums.at(0).get_to(state.means.steps);
    sums.at(1).get_to(state.means.last_step);
    sums.at(2).get_to(state.means.loss_forward);
    sums.at(3).get_to(state.means.loss_backward);
    sums.at(4).get_to(state.means.gradient_norm);
    sums.at(5).get_to(state.means.learning_rate);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("the means of the last steps cannot be read: ") + error.what());
  }
}

}  // namespace elmo
