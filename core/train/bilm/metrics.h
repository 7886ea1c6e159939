// How a training run goes, in numbers.
#pragma once

#include <cstdint>
#include <optional>

#include "core/train/bilm/trainer.h"

namespace elmo {

/// Means over the steps since the record before.
struct TrainingRecord {
  std::uint64_t step = 0;    ///< steps done, the last one of the means included
  std::uint64_t tokens = 0;  ///< predicted so far, in each direction
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  float learning_rate = 0.0F;  ///< of the last step
  double gradient_norm = 0.0;
  double seconds = 0.0;  ///< of the run so far, those of the processes before included
};

/// Perplexities by the full softmax.
struct ValidationRecord {
  std::uint64_t step = 0;
  std::uint64_t tokens = 0;  ///< of the validation text that were predicted
  double forward = 0.0;
  double backward = 0.0;
  double average = 0.0;
  double seconds = 0.0;  ///< as TrainingRecord
};

/// Sums over the steps since the last record. They go into checkpoints, so that a resumed run
/// records the same means. One thread.
struct StepMeans {
  std::uint64_t steps = 0;
  std::uint64_t last_step = 0;
  double loss_forward = 0.0;
  double loss_backward = 0.0;
  double gradient_norm = 0.0;
  float learning_rate = 0.0F;
  bool operator==(const StepMeans&) const = default;

  void add(const StepResult& step);

  /// The record of the steps added since the last call; at least one was.
  TrainingRecord take(std::uint64_t run_tokens, double run_seconds);
};

/// Keeps the records of a run. One thread.
class MetricsSink {
 public:
  virtual ~MetricsSink() = default;

  /// Called once, first. The run continues from `last_step`: records of later steps are dropped.
  /// Gives the last validation that is kept.
  virtual std::optional<ValidationRecord> begin(std::uint64_t last_step) = 0;

  virtual void add(const TrainingRecord& record) = 0;
  virtual void add(const ValidationRecord& record) = 0;

  /// Returns when the records cannot be lost any more.
  virtual void sync() = 0;
};

}  // namespace elmo
