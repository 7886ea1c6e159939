// The LSTMs of both directions over a batch.
#pragma once

#include <vector>

#include "core/inference/options.h"
#include "core/inference/scheduler.h"
#include "core/model/bilm.h"
#include "core/model/lstm.h"
#include "core/model/start_state.h"

namespace elmo {

/// Reads each sentence from the initial state, or each lane from the state that it left. Stages of
/// one run; `model` and `monitor` have to outlive it.
class LstmStage {
 public:
  /// InputError for a carried state of another size than the model and the lanes need.
  LstmStage(const Bilm& model, const EmbedOptions& options, bool with_boundaries,
            RunMonitor& monitor);

  /// One job for each direction.
  std::vector<PipelineSteps::Job> jobs(Batch& batch);

  /// Afterwards: gives repeated sentences the rows of the first one.
  void copy_repeated(Batch& batch) const;

  /// What the lanes have left, as deserialize() takes it; empty where no state is carried.
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
