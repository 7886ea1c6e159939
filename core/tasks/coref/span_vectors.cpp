#include "core/tasks/coref/span_vectors.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/optimizer_kernels.h"
#include "core/nn/dropout.h"
#include "core/nn/initialize.h"

namespace elmo {
namespace {

constexpr std::int64_t kWidthColumns = 20;  // Lee et al. 2017, section 7.2

}  // namespace

SpanVectors::SpanVectors(const Options& options)
    : columns_{options.outputs, 2 * options.outputs, 2 * options.outputs + options.inputs,
               2 * options.outputs + options.inputs + kWidthColumns},
      dropout_(options.dropout),
      width_place_(options.place + 2),
      widths_("span/width", {options.longest, kWidthColumns}),
      head_first_("span/head/first", options.outputs, options.hidden),
      head_network_("span/head", options.hidden, options.dropout, options.place) {}

std::vector<Parameter*> SpanVectors::parameters() {
  std::vector<Parameter*> all = {&widths_};
  for (Parameter* parameter : head_first_.parameters()) all.push_back(parameter);
  for (Parameter* parameter : head_network_.parameters()) all.push_back(parameter);
  return all;
}

void SpanVectors::initialize(std::uint64_t seed) {
  fill_uniform(widths_.values, std::sqrt(3.0F / kWidthColumns), parameter_key(widths_, seed));
  head_first_.initialize(seed);
  head_network_.initialize(seed);
}

void SpanVectors::read(const Matrix& outputs, const Matrix& inputs, const PassOptions& options,
                       Workers& workers) {
  outputs_ = &outputs;
  inputs_ = &inputs;
  head_first_.forward(outputs, workers, head_sums_);
  head_network_.forward(head_sums_, options, workers, head_scores_);
}

void SpanVectors::forward(std::span<const RowSpan> spans, const PassOptions& options, Matrix& to) {
  spans_ = spans;
  to.resize(static_cast<std::int64_t>(spans.size()), columns_.all);
  for (std::size_t n = 0; n < spans.size(); ++n) {
    float* row = to.row(static_cast<std::int64_t>(n));
    std::copy_n(outputs_->row(spans[n].begin), outputs_->columns, row);
    std::copy_n(outputs_->row(spans[n].end - 1), outputs_->columns, row + columns_.end);
    std::copy_n(widths_.values.data() + (spans[n].size() - 1) * kWidthColumns, kWidthColumns,
                row + columns_.width);
  }
  attention_.forward(head_scores_, spans);
  attention_.add_sums(*inputs_, to, columns_.head);
  drop_columns(options, dropout_, width_place_, to, columns_.width, kWidthColumns);
}

void SpanVectors::backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                           Matrix& output_gradient, Matrix& input_gradient) {
  drop_columns(options, dropout_, width_place_, gradient, columns_.width, kWidthColumns);
  // attention_ comes first, because the network's backward pass replaces its argument.
  input_gradient.resize(inputs_->rows, inputs_->columns);
  attention_.backward_sums(*inputs_, gradient, columns_.head, input_gradient);
  head_gradient_.assign(head_scores_.size(), 0.0F);
  attention_.backward(head_gradient_);
  Matrix sum_gradient;
  head_network_.backward(head_gradient_, options, workers, sum_gradient);
  head_first_.backward(sum_gradient, workers, output_gradient);
  for (std::size_t n = 0; n < spans_.size(); ++n) {
    const float* row = gradient.row(static_cast<std::int64_t>(n));
    add(row, outputs_->columns, output_gradient.row(spans_[n].begin));
    add(row + columns_.end, outputs_->columns, output_gradient.row(spans_[n].end - 1));
    add(row + columns_.width, kWidthColumns,
        widths_.gradient.data() + (spans_[n].size() - 1) * kWidthColumns);
  }
}

}  // namespace elmo
