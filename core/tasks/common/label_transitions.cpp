#include "core/tasks/common/label_transitions.h"

#include <optional>

#include "core/tasks/common/spans.h"

namespace elmo {

LabelTransitions label_transitions(std::span<const std::string> labels) {
  LabelTransitions transitions = LabelTransitions::all(static_cast<std::int64_t>(labels.size()));
  const std::optional<SpanScheme> scheme = span_scheme(labels);
  if (!scheme) return transitions;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    transitions.begins[i] = may_follow(*scheme, "", labels[i]) ? 1 : 0;
    transitions.ends[i] = may_follow(*scheme, labels[i], "") ? 1 : 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      transitions.follows[i * labels.size() + j] =
          may_follow(*scheme, labels[i], labels[j]) ? 1 : 0;
    }
  }
  return transitions;
}

}  // namespace elmo
