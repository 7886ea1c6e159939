// The pipeline stage that runs the LSTMs of both directions.
#pragma once

#include <vector>

#include "core/inference/options.h"
#include "core/inference/scheduler.h"
#include "core/model/bilm.h"
#include "core/model/lstm.h"
#include "core/model/start_state.h"

namespace elmo {

/// Starts each sentence from the initial state, or each lane from its carried state. For one run.
/// `model` and `monitor` must outlive it.
class LstmStage {
 public:
  /// InputError if the size of the carried state does not match the model and the lanes.
  LstmStage(const Bilm& model, const EmbedOptions& options, bool with_boundaries,
            RunMonitor& monitor);

  /// Returns one job per direction.
  std::vector<PipelineSteps::Job> jobs(Batch& batch);

  /// Call after the jobs. Copies the rows of repeated sentences from their first occurrence.
  void copy_repeated(Batch& batch) const;

  /// The lanes' final states in the format of deserialize(); empty if no state is carried.
  std::vector<float> carried_state() const;

 private:
  void run_direction(Batch& batch, int direction, LstmWorkspace& workspace);

  const Bilm& model_;
  RunMonitor& monitor_;
  bool carry_;
  std::size_t lanes_;
  std::int64_t row_values_;  // of a token's activations
  StartStates start_;
  StartStates carried_;  // of all lanes
};

}  // namespace elmo
