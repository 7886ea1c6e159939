// The options that were given on the command line, and what they require.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/error.h"

namespace elmo {

/// Their names, such as "--gamma". Positional arguments are not included.
using GivenOptions = std::set<std::string>;

/// A condition without which an option has no effect.
struct OptionRule {
  std::string option;
  bool holds = false;
  std::string condition;  ///< the options that fulfill it, such as "--layers mix"
};

/// Throws RequestError, "--gamma makes sense only with --layers mix", for the first rule whose
/// option was given and whose condition does not hold.
inline void check_rules(const GivenOptions& given, const std::vector<OptionRule>& rules) {
  for (const OptionRule& rule : rules) {
    if (rule.holds || !given.contains(rule.option)) continue;
    throw RequestError(rule.option + " makes sense only with " + rule.condition);
  }
}

}  // namespace elmo
