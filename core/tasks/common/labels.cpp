#include "core/tasks/common/labels.h"

#include "core/error.h"

namespace elmo {

void KnownLabels::add(const std::string& label, bool known) {
  if (label == "O") return;
  ++(known ? known_ : unknown_);
  if (!known && first_unknown_.empty()) first_unknown_ = label;
}

void KnownLabels::check(const std::string& file) const {
  if (unknown_ <= known_) return;
  throw InputError(file + ": training never saw " + std::to_string(unknown_) + " of the " +
                   std::to_string(known_ + unknown_) + " labels, such as '" + first_unknown_ +
                   "'; expected labels of the same kind as in the training data");
}

}  // namespace elmo
