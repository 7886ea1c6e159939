#include "io/model/torch/opcodes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace elmo::torch {
namespace {

/// Opcodes that Python knows and this reader does not support.
constexpr std::array<std::pair<std::uint8_t, const char*>, 38> kOthers{
    {{'0', "POP"},           {'1', "POP_MARK"},
     {'2', "DUP"},           {'F', "FLOAT"},
     {'I', "INT"},           {'L', "LONG"},
     {'P', "PERSID"},        {'S', "STRING"},
     {'T', "BINSTRING"},     {'U', "SHORT_BINSTRING"},
     {'V', "UNICODE"},       {'G', "BINFLOAT"},
     {'B', "BINBYTES"},      {'C', "SHORT_BINBYTES"},
     {'d', "DICT"},          {'g', "GET"},
     {'i', "INST"},          {'l', "LIST"},
     {'o', "OBJ"},           {'p', "PUT"},
     {0x81, "NEWOBJ"},       {0x82, "EXT1"},
     {0x83, "EXT2"},         {0x84, "EXT4"},
     {0x8b, "LONG4"},        {0x8c, "SHORT_BINUNICODE"},
     {0x8d, "BINUNICODE8"},  {0x8e, "BINBYTES8"},
     {0x8f, "EMPTY_SET"},    {0x90, "ADDITEMS"},
     {0x91, "FROZENSET"},    {0x92, "NEWOBJ_EX"},
     {0x93, "STACK_GLOBAL"}, {0x94, "MEMOIZE"},
     {0x95, "FRAME"},        {0x96, "BYTEARRAY8"},
     {0x97, "NEXT_BUFFER"},  {0x98, "READONLY_BUFFER"}}};

}  // namespace

std::string opcode_name(std::uint8_t byte) {
  std::array<char, 8> number{};
  std::snprintf(number.data(), number.size(), "0x%02x", byte);
  const auto* const found = std::find_if(kOthers.begin(), kOthers.end(),
                                         [&](const auto& it) { return it.first == byte; });
  if (found == kOthers.end()) return number.data();
  return std::string(found->second) + " (" + number.data() + ")";
}

}  // namespace elmo::torch
