// The options of commands that learn from activations.
#pragma once

#include <optional>
#include <string>

#include "cli/common/model_request.h"
#include "core/kernels/precision.h"
#include "io/dtype.h"

namespace elmo {

class Options;

/// Which activations to use, and where to keep them.
struct FeatureFlags {
  ModelRequest model;
  std::optional<Precision> precision;  ///< as in FeatureOptions, like `dtype`
  std::optional<Dtype> dtype;
  int threads = 0;     ///< 0: one per core
  std::string folder;  ///< --features; empty: the command's own folder
  bool quiet = false;
};

/// Registers the model options, --features, --features-dtype, --precision, --threads and --quiet.
/// `flags` must outlive the parsing of `app`. `without`: where activations are kept without
/// --features, for the help.
void add_feature_flags(Options app, FeatureFlags& flags, const std::string& without);

}  // namespace elmo
