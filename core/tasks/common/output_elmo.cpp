#include "core/tasks/common/output_elmo.h"

#include <algorithm>

#include "core/tasks/common/task_places.h"

namespace elmo {

OutputElmo::OutputElmo(const TaskOptions& options, std::int64_t columns) : columns_(columns) {
  if (options.elmo_at_output()) {
    elmo_.emplace("elmo_output", options, place(TaskPlace::output_elmo));
  }
}

std::vector<Parameter*> OutputElmo::parameters() {
  return elmo_ ? elmo_->parameters() : std::vector<Parameter*>();
}

void OutputElmo::forward(const Matrix& hidden, std::span<const TaskText> texts,
                         const PassOptions& options, Matrix& to) {
  to.set_shape(hidden.rows, outputs());
  for (std::int64_t row = 0; row < hidden.rows; ++row) {
    std::copy_n(hidden.row(row), columns_, to.row(row));
  }
  if (elmo_) elmo_->forward(texts, options, to, columns_);
}

double OutputElmo::backward(Matrix& gradient, const PassOptions& options, Matrix& hidden_gradient) {
  hidden_gradient.set_shape(gradient.rows, columns_);
  for (std::int64_t row = 0; row < gradient.rows; ++row) {
    std::copy_n(gradient.row(row), columns_, hidden_gradient.row(row));
  }
  return elmo_ ? elmo_->backward(gradient, columns_, options) : 0.0;
}

}  // namespace elmo
