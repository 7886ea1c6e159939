// The options that say which model to compute with.
#pragma once

#include <string>

#include "io/model/location.h"

namespace CLI {
class App;
}

namespace elmo {

struct ModelFlags {
  std::string model;  ///< a folder or an archive; empty where `options` and `weights` are given
  std::string options;
  std::string weights;
  std::string vocabulary;  ///< empty: the one that lies beside the weights, if any
};

/// Registers the options of a model; `flags` has to outlive `app`'s parsing.
void add_model_flags(CLI::App* app, ModelFlags& flags);

/// The files that `flags` name. UsageError where they name none; InputError as locate_model.
ModelLocation locate_model(const ModelFlags& flags);

}  // namespace elmo
