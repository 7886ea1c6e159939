#include "core/inference/lstm_stage.h"

#include <algorithm>

#include "core/inference/carried_state.h"
#include "core/inference/prefix_sharing.h"
#include "core/model/lane_schedule.h"

namespace elmo {

LstmStage::LstmStage(const Bilm& model, const EmbedOptions& options, bool with_boundaries,
                     RunMonitor& monitor)
    : model_(model),
      monitor_(monitor),
      carry_(options.initial_state == InitialState::carry),
      lanes_(static_cast<std::size_t>(options.lanes)),
      row_values_(model.options().activation_rows() * model.options().lstm.projection_dim) {
  if (carry_) {
    carried_ = deserialize(model.options().lstm, options.lanes, options.carried_state);
    start_ = zero_states(model);
  } else {
    start_ = options.initial_state == InitialState::warm ? warm_states(model) : zero_states(model);
    if (!with_boundaries) start_ = after_boundary(model, start_);
  }
}

std::vector<PipelineSteps::Job> LstmStage::jobs(Batch& batch) {
  std::vector<PipelineSteps::Job> jobs;
  for (const int direction : {0, 1}) {
    jobs.emplace_back(
        [this, &batch, direction](Workspace& ws) { run_direction(batch, direction, ws.lstm); });
  }
  return jobs;
}

void LstmStage::run_direction(Batch& batch, int direction, LstmWorkspace& workspace) {
  const LstmStack& stack = model_.lstm(direction);
  const bool backward = direction == 1;
  const LstmState& start = start_[static_cast<std::size_t>(direction)];
  float* activations = batch.activations.data();
  if (carry_) {
    std::vector<std::vector<SentenceRows>> lanes(lanes_);
    for (std::size_t s = 0; s < batch.rows.size(); ++s) {
      lanes[batch.numbers[s] % lanes.size()].push_back(batch.rows[s]);
    }
    stack.run(schedule_lanes(lanes, backward, true), activations, start,
              &carried_[static_cast<std::size_t>(direction)], workspace, monitor_);
    return;
  }
  std::vector<SentenceRows> originals;
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    if (batch.copy_of[s]) continue;
    originals.push_back(batch.rows[s]);
    if (batch.rows[s].size == 0) continue;
    // Skip the steps that the output does not depend on: forward, those after the last needed row;
    // backward, those before the first.
    SentenceRows& rows = originals.back();
    const std::uint32_t end = rows.begin + rows.size;
    if (backward) rows.begin = batch.reach[s].first;
    rows.size = (backward ? end : batch.reach[s].last + 1) - rows.begin;
  }
  const RemainingSteps remaining = share_first_steps(stack, backward, originals, batch.token_of_row,
                                                     activations, start, workspace, monitor_);
  stack.run(schedule_lanes(pack_lanes(remaining.sentences, kMaxLanes), backward, false),
            activations, remaining.starts, nullptr, workspace, monitor_);
}

void LstmStage::copy_repeated(Batch& batch) const {
  const auto rows_at = [&](const SentenceRows& rows) {
    return batch.activations.data() + rows.begin * row_values_;
  };
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    if (!batch.copy_of[s]) continue;
    std::copy_n(rows_at(batch.rows[*batch.copy_of[s]]), batch.rows[s].size * row_values_,
                rows_at(batch.rows[s]));
  }
}

std::vector<float> LstmStage::carried_state() const {
  return carry_ ? serialize(carried_) : std::vector<float>();
}

}  // namespace elmo
