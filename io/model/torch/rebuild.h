// What the names of a pickle mean, and what becomes of their arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/model/torch/value.h"

namespace elmo::torch {

/// The meaning of "module name"; nothing for one that saved tensors do not need.
std::optional<Global> find_global(std::string_view module, std::string_view name);

/// What calling `global` with the items of `arguments` makes: an empty ordered dictionary, or a
/// tensor. Nothing, and in `problem` what is wrong, where these are not the arguments it takes.
std::optional<Value> call(Global global, const Pickle& pickle, const Value& arguments,
                          std::string& problem);

/// The storage that a persistent id names: ('storage', class, key, location, count), in old
/// files with None behind. The location does not matter. Nothing, and in `problem` what is wrong,
/// for any other id.
std::optional<Value> storage_of(const Pickle& pickle, const Value& id, std::string& problem);

}  // namespace elmo::torch
