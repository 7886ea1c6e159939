// The options of commands that write activations.
#pragma once

#include <string>

#include "io/dtype.h"
#include "io/h5/compression.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace elmo {

/// Register --dtype, or another `name` for it, and --compression; `help` says what is written. The
/// values have to outlive `app`'s parsing.
CLI::Option* add_dtype(CLI::App* app, const std::string& name, Dtype& dtype,
                       const std::string& help);
CLI::Option* add_compression(CLI::App* app, h5::Compression& compression, const std::string& help);

}  // namespace elmo
