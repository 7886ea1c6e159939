// The options for mixing layers.
#pragma once

#include <optional>
#include <string>

#include "core/inference/options.h"

namespace elmo {

class Option;
class Options;

struct TaskMixRequest;

/// Registers the option `name` and --place under the heading `group`. Returns the option `name`.
/// `request` must outlive the parsing of `app`.
Option add_task_mix_flags(Options app, const std::string& name, TaskMixRequest& request,
                          const std::string& group);

/// Registers --mix-weights, --mix (with --place), --gamma and --layer-norm under the heading
/// `group`. `options` and `request` must outlive the parsing of `command`.
void add_mixing_flags(Options command, EmbedOptions& options, TaskMixRequest& request,
                      const std::string& group);

/// Throws RequestError for mixing options that have no effect on `layers`, or that conflict with
/// the mix of a task model. `layers` is empty if no option selects layers.
void check_mixing_flags(const Options& command, std::optional<LayerSelection> layers,
                        const TaskMixRequest& request);

}  // namespace elmo
