// The names in a pickle, and the effect of calling them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/model/torch/value.h"

namespace elmo::torch {

/// Returns the meaning of "module name"; nothing for a name that saved tensors do not need.
std::optional<Global> find_global(std::string_view module, std::string_view name);

/// Returns the result of calling `global` with the items of `arguments`: an empty ordered
/// dictionary, or a tensor. If the arguments are invalid, returns nothing and sets `problem`.
std::optional<Value> call(Global global, const Pickle& pickle, const Value& arguments,
                          std::string& problem);

/// Returns the storage of a persistent id: ('storage', class, key, location, count), in old files
/// followed by None. The location is ignored. For any other id, returns nothing and sets `problem`.
std::optional<Value> storage_of(const Pickle& pickle, const Value& id, std::string& problem);

}  // namespace elmo::torch
