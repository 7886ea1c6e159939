// The options that say which model to compute with.
#pragma once

namespace elmo {

class Options;

struct ModelRequest;

/// Registers the options of a model; `request` has to outlive `app`'s parsing.
void add_model_flags(Options app, ModelRequest& request);

}  // namespace elmo
