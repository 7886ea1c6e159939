// Reads the pickles in which PyTorch saves tensors, and no other pickles.
//
// A pickle is a program for a stack machine (Python's pickletools.py lists its opcodes). Python
// would look up a name and call it. This reader knows the names that saved tensors need, has its
// own implementation of each, and refuses any other: no code of the file is executed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/model/torch_values.h"

namespace elmo::torch {

/// Reads the pickle (protocol 2, as PyTorch writes) at the beginning of `bytes`. The number of
/// values is limited to what tensors need. InputError, beginning with `name` and giving the byte,
/// for any other opcode or name, which it states, for truncated or damaged data, and for a tensor
/// that is not within its storage.
Pickle read_pickle(std::string_view bytes, const std::string& name);

}  // namespace elmo::torch
