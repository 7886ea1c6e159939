// The opcodes of pickles.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace elmo::torch
