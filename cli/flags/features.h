// The options of commands that learn from activations.
#pragma once

#include <optional>
#include <string>

#include "cli/run/model_request.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"

namespace elmo {

class Options;

/// Which activations, and where they are kept.
struct FeatureFlags {
  ModelRequest model;
  std::optional<Precision> precision;  ///< as FeatureOptions has it, and the dtype
  std::optional<Dtype> dtype;
  int threads = 0;     ///< 0: one a core
  std::string folder;  ///< --features; empty: wherever the command keeps its own
  bool quiet = false;
};

/// Registers the model's options, --features, --features-dtype, --precision, --threads and --quiet;
/// `flags` has to outlive `app`'s parsing. `without` says where activations are kept without
/// --features.
void add_feature_flags(Options app, FeatureFlags& flags, const std::string& without);

}  // namespace elmo
