// The options that say how layers are mixed.
#pragma once

#include <optional>
#include <string>

#include "core/inference/options.h"

namespace elmo {

class Option;
class Options;

struct TaskMixRequest;

/// Registers the option `name`, which it returns, and --place in that group; `request` has to
/// outlive `app`'s parsing.
Option add_task_mix_flags(Options app, const std::string& name, TaskMixRequest& request,
                          const std::string& group);

/// Registers --mix-weights, --mix (with --place), --gamma and --layer-norm in that group; `options`
/// and `request` have to outlive `command`'s parsing.
void add_mixing_flags(Options command, EmbedOptions& options, TaskMixRequest& request,
                      const std::string& group);

/// RequestError for those of them that mean nothing for these layers (nothing: no option says
/// which), or beside what a task model has learned.
void check_mixing_flags(const Options& command, std::optional<LayerSelection> layers,
                        const TaskMixRequest& request);

}  // namespace elmo
