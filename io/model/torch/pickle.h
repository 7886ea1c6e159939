// What PyTorch pickles where it saves tensors, and nothing else that a pickle can be.
//
// A pickle is a program for a stack machine (Python's pickletools.py lists its instructions). Where
// Python would look up a name and call it, this reader knows the names that saved tensors need, has
// a meaning of its own for each, and refuses any other: nothing is executed.
#pragma once

#include <string>
#include <string_view>

#include "io/model/torch/value.h"

namespace elmo::torch {

/// Reads the pickle (protocol 2, as PyTorch writes) that `bytes` begin with. Takes memory for as
/// many values as tensors need, and no more. InputError, beginning with `name` and telling the
/// byte, for any other instruction or name, by theirs, for what is cut off or damaged, and for a
/// tensor that does not lie within its storage.
Pickle read_pickle(std::string_view bytes, const std::string& name);

}  // namespace elmo::torch
