// The options of commands that learn from activations.
#pragma once

#include <string>

#include "cli/common/features.h"

namespace elmo {

class Options;

/// Registers the model options, --features, --features-dtype, --precision, --threads and --quiet.
/// The values must outlive the parsing of `app`. `without`: where activations are kept without
/// --features, for the help.
void add_feature_flags(Options app, FeatureOptions& features, bool& quiet,
                       const std::string& without);

}  // namespace elmo
