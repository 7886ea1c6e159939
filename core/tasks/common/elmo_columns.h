// The biLM's layers, mixed, as columns beside a task's own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

/// The shares that the options fix, [L + 1]; none where they are learned.
std::optional<std::vector<float>> fixed_shares(const TaskOptions& options);

/// A scalar mix as MixOptions has it, with its dropout. Not for two threads at once.
class ElmoColumns {
 public:
  /// `place` distinguishes its dropout masks from others of the model.
  ElmoColumns(const std::string& name, const TaskOptions& options, std::uint32_t place);

  std::int64_t columns() const { return mix_.columns(); }
  std::vector<Parameter*> parameters() { return mix_.parameters(); }

  /// Columns `column` … of `to` become the mix of the rows of one text after another.
  void forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
               std::int64_t column);

  /// `gradient` as `to` in forward; its columns are overwritten. Adds λ‖w‖²'s too, and gives that.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  ScalarMix mix_;
  float dropout_;
  std::uint32_t place_;
  std::vector<std::span<const float>> activations_;
};

}  // namespace elmo
