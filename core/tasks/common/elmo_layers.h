// How the layers of a biLM enter a task model: mixed into one, or side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/nn/scalar_mix.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"

namespace elmo {

/// The name of the mix at a place, with which the names of its parameters begin.
std::string elmo_name(ElmoPlace place);

/// The places of a task model that have a mix.
std::vector<ElmoPlace> mix_places(const TaskOptions& options);

/// The weights [L + 1] with which the options fix the mix, or nothing if they are learned.
std::optional<std::vector<float>> fixed_shares(const TaskOptions& options);

/// ELMo_k at one place of a task model: a scalar mix of the layers or, if the options say so, all
/// of them side by side, which learns nothing. Not for two threads at once.
class ElmoLayers {
 public:
  /// `mask_id`: id of the dropout mask, unique in the model.
  ElmoLayers(const TaskOptions& options, ElmoPlace place, std::uint32_t mask_id);

  std::int64_t columns() const { return columns_; }
  std::vector<Parameter*> parameters() { return parameters_of(mix_); }

  /// Writes ELMo_k to `to` from column `column` on, one text after another. The activations of
  /// `texts` must not change until backward.
  void forward(std::span<const TaskText> texts, const PassOptions& options, Matrix& to,
               std::int64_t column);

  /// `gradient`: as `to` in forward; the columns of ELMo_k may be overwritten. Returns the penalty
  /// of the mix. The biLM is frozen.
  double backward(Matrix& gradient, std::int64_t column, const PassOptions& options);

 private:
  std::int64_t columns_;
  std::int64_t projection_;
  bool layer_norm_;
  float dropout_;
  std::uint32_t mask_id_;
  std::optional<ScalarMix> mix_;
};

}  // namespace elmo
