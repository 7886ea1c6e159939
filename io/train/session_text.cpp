#include "io/train/session_text.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace elmo {

std::string session_text(const SessionState& state) {
  const StepMeans& means = state.means;
  const nlohmann::json sums{means.steps,         means.last_step,     means.loss_forward,
                            means.loss_backward, means.gradient_norm, means.learning_rate};
  return std::to_string(state.seconds) + ' ' + sums.dump();
}

SessionState parse_session(std::string_view text, TrainerCounters counters) {
  SessionState state;
  state.counters = std::move(counters);
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
    return state;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("the means of the last steps cannot be read: ") + error.what());
  }
}

}  // namespace elmo
