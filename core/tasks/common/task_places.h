// Dropout streams of a task model: each has its own masks.
#pragma once

#include <cstdint>

namespace elmo {

/// Numbers from 16 up are for the model's own layers.
enum class TaskPlace : std::uint32_t {
  input = 1,
  input_elmo = 2,
  output = 3,
  output_elmo = 4,
  layer = 16
};

/// The number of a stream. `index` distinguishes streams of the same kind.
constexpr std::uint32_t place(TaskPlace kind, std::uint32_t index = 0) {
  return static_cast<std::uint32_t>(kind) + index;
}

}  // namespace elmo
