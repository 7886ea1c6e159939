#include "core/inference/lstm_stage.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "core/error.h"

namespace elmo {

namespace {

// Returns the states of all lanes as one list of values, by direction, then layer: h of all lanes,
// then c of all lanes.
std::vector<float> serialize(const StartStates& states) {
  std::vector<float> values;
  for (const LstmState& state : states) {
    for (const LstmState::Layer& layer : state.layers) {
      values.insert(values.end(), layer.h.begin(), layer.h.end());
      values.insert(values.end(), layer.c.begin(), layer.c.end());
    }
  }
  return values;
}

// Returns the states of `lanes` lanes from the result of serialize(); the zero state if `values` is
// empty. InputError if the number of values does not match the model and the lanes.
StartStates deserialize(const LstmOptions& options, int lanes, std::span<const float> values) {
  StartStates states{LstmState::zero(options, lanes), LstmState::zero(options, lanes)};
  if (values.empty()) return states;
  const std::size_t expected = serialize(states).size();
  if (values.size() != expected) {
    throw InputError("the carried state holds " + std::to_string(values.size()) +
                     " numbers instead of " + std::to_string(expected));
  }
  const float* from = values.data();
  for (LstmState& state : states) {
    for (LstmState::Layer& layer : state.layers) {
      for (AlignedVector<float>* part : {&layer.h, &layer.c}) {
        std::copy_n(from, part->size(), part->begin());
        from += part->size();
      }
    }
  }
  return states;
}

// Maximum number of steps shared in one batch. Batches do not have more common first tokens in
// practice, and each takes a state.
constexpr std::size_t kMaxShared = 256;

// Sentences with the same first token.
struct Group {
  std::uint32_t row = 0;  // first row of the first sentence
  std::size_t size = 0;
  std::int32_t state = 0;  // number of the state after the token; 0 if not shared
};

}  // namespace

RemainingSteps share_first_steps(const LstmStack& stack, bool backward,
                                 std::span<const SentenceRows> sentences,
                                 std::span<const std::uint32_t> token_of_row, float* activations,
                                 const LstmState& start, LstmWorkspace& workspace,
                                 RunMonitor& monitor) {
  const auto first_row = [backward](const SentenceRows& rows) {
    return backward ? rows.begin + rows.size - 1 : rows.begin;
  };
  std::unordered_map<std::uint32_t, Group> groups;  // by token
  for (const SentenceRows& rows : sentences) {
    if (rows.size == 0) continue;
    Group& group = groups[token_of_row[first_row(rows)]];
    if (group.size++ == 0) group.row = first_row(rows);
  }

  // States are numbered in the order of the sentences, so that the numbers are deterministic. Lane
  // 0 reads nothing and keeps the start.
  std::vector<std::vector<SentenceRows>> shared(1);
  for (const SentenceRows& rows : sentences) {
    if (rows.size == 0 || shared.size() > kMaxShared) continue;
    Group& group = groups[token_of_row[first_row(rows)]];
    if (group.size < 2 || group.state != 0) continue;
    group.state = static_cast<std::int32_t>(shared.size());
    shared.push_back({{group.row, 1}});
  }
  RemainingSteps remaining{start.repeated(static_cast<std::int64_t>(shared.size())), {}};
  stack.run(schedule_lanes(shared, backward, true), activations, start, &remaining.starts,
            workspace, monitor);
  for (SentenceRows rows : sentences) {
    if (rows.size == 0) continue;
    const std::uint32_t first = first_row(rows);
    const Group& group = groups[token_of_row[first]];
    if (group.state != 0) {
      if (first != group.row) stack.copy_outputs(activations, group.row, first);
      if (!backward) ++rows.begin;
      --rows.size;
      rows.start = group.state;
    }
    remaining.sentences.push_back(rows);
  }
  return remaining;
}

LstmStage::LstmStage(const Bilm& model, const EmbedOptions& options, const Resources& resources,
                     const Beginning& beginning, bool with_boundaries, RunMonitor& monitor)
    : model_(model),
      monitor_(monitor),
      carry_(options.initial_state == InitialState::carry),
      lanes_(static_cast<std::size_t>(options.lanes)),
      parts_(static_cast<std::size_t>(block_count(resources.threads, resources.workers))),
      row_values_(model.options().activation_rows() * model.options().lstm.projection_dim) {
  if (carry_) {
    carried_ = deserialize(model.options().lstm, options.lanes, beginning.carried_state);
    start_ = zero_states(model);
  } else {
    start_ = options.initial_state == InitialState::warm ? warm_states(model) : zero_states(model);
    if (!with_boundaries) start_ = after_boundary(model, start_);
  }
}

std::vector<PipelineSteps::Job> LstmStage::jobs(Batch& batch) {
  std::vector<PipelineSteps::Job> jobs;
  const std::size_t parts = std::clamp(carry_ ? lanes_ : batch.rows.size(), std::size_t{1}, parts_);
  for (const int direction : {0, 1}) {
    for (std::size_t part = 0; part < parts; ++part) {
      jobs.emplace_back([this, &batch, direction, part, parts](Workspace& ws) {
        run(batch, direction, {part, parts}, ws.lstm);
      });
    }
  }
  return jobs;
}

void LstmStage::run(Batch& batch, int direction, const Part& part, LstmWorkspace& workspace) {
  const LstmStack& stack = model_.lstm(direction);
  const bool backward = direction == 1;
  const LstmState& start = start_[static_cast<std::size_t>(direction)];
  float* activations = batch.activations.data();
  if (carry_) {
    std::vector<std::vector<SentenceRows>> lanes(lanes_);
    for (std::size_t s = 0; s < batch.rows.size(); ++s) {
      const std::size_t lane = batch.numbers[s] % lanes.size();
      if (part.has(lane)) lanes[lane].push_back(batch.rows[s]);
    }
    stack.run(schedule_lanes(lanes, backward, true), activations, start,
              &carried_[static_cast<std::size_t>(direction)], workspace, monitor_);
    return;
  }
  std::vector<SentenceRows> originals;
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    if (batch.copy_of[s] || !part.has(s)) continue;
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
