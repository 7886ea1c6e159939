// Where in a task model numbers are dropped: each place has masks of its own.
#pragma once

#include <cstdint>

namespace elmo {

/// Places 16 and up are a model's own layers'.
enum class TaskPlace : std::uint32_t {
  input = 1,
  input_elmo = 2,
  output = 3,
  output_elmo = 4,
  layer = 16
};

/// The number of a place; `index` counts those of one kind.
constexpr std::uint32_t place(TaskPlace kind, std::uint32_t index = 0) {
  return static_cast<std::uint32_t>(kind) + index;
}

}  // namespace elmo
