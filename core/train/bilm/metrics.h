// Metrics of a training run.
#pragma once

#include <cstdint>
#include <optional>

#include "core/train/bilm/trainer.h"

namespace elmo {

/// Means over the steps since the previous record.
struct TrainingRecord {
  std::uint64_t step = 0;    ///< last step of the means
  std::uint64_t tokens = 0;  ///< tokens predicted so far, in each direction
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  float learning_rate = 0.0F;  ///< of the last step
  double gradient_norm = 0.0;
  double seconds = 0.0;  ///< since the run began, including earlier processes
};

/// Perplexities of the full softmax.
struct ValidationRecord {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< predicted tokens of the validation text
  double forward = 0.0;
  double backward = 0.0;
  double average = 0.0;
  double seconds = 0.0;  ///< as in TrainingRecord
};

/// Sums over the steps since the last record. Checkpoints store them, so that a resumed run records
/// the same means. One thread.
struct StepMeans {
  std::uint64_t steps = 0;
  std::uint64_t last_step = 0;
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  double gradient_norm = 0.0;
  float learning_rate = 0.0F;
  bool operator==(const StepMeans&) const = default;

  void add(const StepResult& step);

  /// Returns the record of the steps added since the last call. At least one step must have been
  /// added.
  TrainingRecord take(std::uint64_t run_tokens, double run_seconds);
};

/// Keeps the records of a run. One thread.
class MetricsSink {
 public:
  virtual ~MetricsSink() = default;

  /// Called once, before any other function. The run continues from `last_step`: drops the records
  /// of later steps and returns the last remaining validation.
  virtual std::optional<ValidationRecord> begin(std::uint64_t last_step) = 0;

  virtual void add(const TrainingRecord& record) = 0;
  virtual void add(const ValidationRecord& record) = 0;

  /// Returns once the records are on permanent storage.
  virtual void sync() = 0;
};

}  // namespace elmo
