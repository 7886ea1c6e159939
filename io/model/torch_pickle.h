// The opcodes of pickles.
//
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

/// The opcodes in pickles of tensors; the names follow Python's.
enum class Opcode : std::uint8_t {
  protocol = 0x80,
  stop = '.',
  mark = '(',
  global = 'c',
  reduce = 'R',
  build = 'b',
  persistent_id = 'Q',
  none = 'N',
  yes = 0x88,
  no = 0x89,
  int4 = 'J',
  int1 = 'K',
  int2 = 'M',
  long1 = 0x8a,
  text = 'X',
  empty_tuple = ')',
  tuple = 't',
  tuple1 = 0x85,
  tuple2 = 0x86,
  tuple3 = 0x87,
  empty_list = ']',
  append = 'a',
  appends = 'e',
  empty_dictionary = '}',
  set_item = 's',
  set_items = 'u',
  put1 = 'q',
  put4 = 'r',
  get1 = 'h',
  get4 = 'j'
};

/// Returns the name and byte of any opcode: "STACK_GLOBAL (0x93)".
std::string opcode_name(std::uint8_t byte);

/// Reads the pickle (protocol 2, as PyTorch writes) at the beginning of `bytes`. The number of
/// values is limited to what tensors need. InputError, beginning with `name` and giving the byte,
/// for any other opcode or name, which it states, for truncated or damaged data, and for a tensor
/// that is not within its storage.
Pickle read_pickle(std::string_view bytes, const std::string& name);

}  // namespace elmo::torch
