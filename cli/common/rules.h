// Checks of combinations of given options. The engine checks the resulting requests.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/inference/options.h"
#include "io/engine/mix.h"
#include "io/text/input/input_options.h"

namespace elmo {

/// The options on the command line, such as "--gamma". Positional arguments are not included.
using GivenFlags = std::set<std::string>;

/// A condition without which an option has no effect.
struct FlagRule {
  std::string flag;
  bool holds = false;
  std::string condition;  ///< the options that fulfill it, such as "--layers mix"
};

/// Throws RequestError, "--gamma makes sense only with --layers mix", for the first rule whose
/// option was given and whose condition does not hold.
void check_rules(const GivenFlags& given, const std::vector<FlagRule>& rules);

/// Throws RequestError if `flag`, which selects how raw text is divided, is given but `format` is
/// not raw text.
void check_segmentation_flag(const GivenFlags& given, const std::string& flag, InputFormat format);

/// Throws RequestError for --tokenizer, --locale or --contractions if they have no effect on
/// `format`. `by_model`: a model reads it, so that --tokenizer and --locale can say which tokens a
/// file of tokens has.
void check_tokenizer_flags(const GivenFlags& given, InputFormat format, bool by_model = true);

/// Throws RequestError for options that have no effect on the format of `input`; `by_model` as
/// above.
void check_input_flags(const GivenFlags& given, const InputOptions& input, bool by_model = true);

/// Throws RequestError if --lanes is given and the state is not carried.
void check_initial_state(const GivenFlags& given, InitialState state);

/// Throws RequestError for mixing options that have no effect on `layers`, or that conflict with
/// the mix of a task model. `layers` is empty if no option selects layers.
void check_mixing_flags(const GivenFlags& given, std::optional<LayerSelection> layers,
                        const TaskMixRequest& request);

}  // namespace elmo
