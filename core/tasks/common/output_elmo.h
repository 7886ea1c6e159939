// ELMo beside the output of a task's RNN.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tasks/common/elmo_columns.h"

namespace elmo {

/// [h; ELMo] where the options put ELMo at the output (Peters et al. 2018, section 3.3), else h as
/// it is. Not for two threads at once.
class OutputElmo {
 public:
  /// `columns`: of h.
  OutputElmo(const TaskOptions& options, std::int64_t columns);

  std::int64_t outputs() const { return columns_ + (elmo_ ? elmo_->columns() : 0); }
  std::vector<Parameter*> parameters();

  /// Replaces `to` [rows, outputs()]; the rows of one text after another.
  void forward(const Matrix& hidden, std::span<const TaskText> texts, const PassOptions& options,
               Matrix& to);

  /// `gradient` as `to` in forward; overwritten. Replaces that with respect to h. Gives λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient);

 private:
  std::int64_t columns_;
  std::optional<ElmoColumns> elmo_;
};

}  // namespace elmo
