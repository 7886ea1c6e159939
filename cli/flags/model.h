// The options that say which model to compute with.
#pragma once

namespace CLI {
class App;
}

namespace elmo {

struct ModelRequest;

/// Registers the options of a model; `request` has to outlive `app`'s parsing.
void add_model_flags(CLI::App* app, ModelRequest& request);

}  // namespace elmo
