// Mixed layers of the biLM as columns next to a task's own features.
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

/// The layer weights [L + 1] that the options fix, or nothing if they are learned.
std::optional<std::vector<float>> fixed_shares(const TaskOptions& options);

/// A scalar mix as in MixOptions, with its dropout. Not for two threads at once.
class ElmoColumns {
 public:
  /// `place` is the dropout stream; each one of the model has its own masks.
  ElmoColumns(const std::string& name, const TaskOptions& options, std::uint32_t place);

  std::int64_t columns() const { return mix_.columns(); }
  std::vector<Parameter*> parameters() { return mix_.parameters(); }

  /// Writes the mix of the texts' tokens to `to`, from column `column` on. Rows are the tokens of
  /// one text after another.
  void forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
               std::int64_t column);

  /// `gradient` has the shape of `to` in forward; its ELMo columns are overwritten. Also adds the
  /// gradient of λ‖w‖², and returns that penalty.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  ScalarMix mix_;
  float dropout_;
  std::uint32_t place_;
  std::vector<std::span<const float>> activations_;
};

}  // namespace elmo
