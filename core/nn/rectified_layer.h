// A feed-forward layer of a task model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/nn/linear.h"
#include "core/parallel/workers.h"

namespace elmo {

/// max(x·W + b, 0) followed by dropout. Not for two threads at once.
class RectifiedLayer {
 public:
  /// `place` is the id of its dropout mask, unique in the model.
  RectifiedLayer(const std::string& name, std::int64_t inputs, std::int64_t outputs, float dropout,
                 std::uint32_t place)
      : linear_(name, inputs, outputs), dropout_(dropout), place_(place) {}

  std::int64_t inputs() const { return linear_.inputs(); }
  std::int64_t outputs() const { return linear_.outputs(); }
  std::vector<Parameter*> parameters() { return linear_.parameters(); }
  void initialize(std::uint64_t seed) { linear_.initialize(seed); }

  /// Replaces `to` [rows, outputs()]. `to` and `input` must not change until backward.
  void forward(const Matrix& input, const PassOptions& options, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward; overwritten. Replaces `input_gradient`.
  void backward(Matrix& gradient, const PassOptions& options, Workers& workers,
                Matrix& input_gradient);

 private:
  Linear linear_;
  float dropout_;
  std::uint32_t place_;
  const Matrix* outputs_ = nullptr;
};

}  // namespace elmo
