// ELMo at the output of a task's RNN.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/tasks/common/elmo_columns.h"

namespace elmo {

/// Computes [h; ELMo] if the options put ELMo at the output (Peters et al. 2018, section 3.3), else
/// copies h. Not for two threads at once.
class OutputElmo {
 public:
  /// `columns`: number of columns of h.
  OutputElmo(const TaskOptions& options, std::int64_t columns);

  std::int64_t outputs() const { return columns_ + (elmo_ ? elmo_->columns() : 0); }
  std::vector<Parameter*> parameters();

  /// Replaces `to` [rows, outputs()]. Rows are the tokens of one text after another.
  void forward(const Matrix& hidden, std::span<const TaskText> texts, const PassOptions& options,
               Matrix& to);

  /// `gradient` has the shape of `to` in forward and is overwritten. Replaces `hidden_gradient`,
  /// the gradient with respect to h. Returns λ‖w‖².
  double backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient);

 private:
  std::int64_t columns_;
  std::optional<ElmoColumns> elmo_;
};

}  // namespace elmo
