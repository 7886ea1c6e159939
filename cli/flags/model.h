// The options that select the model to compute with.
#pragma once

namespace elmo {

class Options;

struct ModelRequest;

/// Registers the model options. `request` must outlive the parsing of `app`.
void add_model_flags(Options app, ModelRequest& request);

}  // namespace elmo
