#include "core/inference/carried_state.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace elmo {

std::vector<float> serialize(const StartStates& states) {
  std::vector<float> values;
  for (const LstmState& state : states) {
    for (const LstmState::Layer& layer : state.layers) {
      values.insert(values.end(), layer.h.begin(), layer.h.end());
      values.insert(values.end(), layer.c.begin(), layer.c.end());
    }
  }
  return values;
}

StartStates deserialize(const LstmOptions& options, int lanes, std::span<const float> values) {
  StartStates states{LstmState::zero(options, lanes), LstmState::zero(options, lanes)};
  if (values.empty()) return states;
  const std::size_t expected = serialize(states).size();
  if (values.size() != expected) {
    throw InputError("the carried state holds " + std::to_string(values.size()) +
                     " numbers instead of " + std::to_string(expected));
  }
  const float* from = values.data();
  for (LstmState& state : states) {
    for (LstmState::Layer& layer : state.layers) {
      for (AlignedVector<float>* part : {&layer.h, &layer.c}) {
        std::copy_n(from, part->size(), part->begin());
        from += part->size();
      }
    }
  }
  return states;
}

}  // namespace elmo
