#include "core/inference/prefix_sharing.h"

#include <algorithm>
#include <unordered_map>

namespace elmo {

namespace {

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

  // States are numbered in the order of the sentences, so that the numbers are deterministic.
  std::vector<std::vector<SentenceRows>> shared;
  for (const SentenceRows& rows : sentences) {
    if (rows.size == 0 || shared.size() == kMaxShared) continue;
    Group& group = groups[token_of_row[first_row(rows)]];
    if (group.size < 2 || group.state != 0) continue;
    shared.push_back({{group.row, 1}});
    group.state = static_cast<std::int32_t>(shared.size());
  }
  LstmState states = start.repeated(static_cast<std::int64_t>(shared.size()));
  stack.run(schedule_lanes(shared, backward, true), activations, start, &states, workspace,
            monitor);

  RemainingSteps remaining{start.followed_by(states), {}};
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

}  // namespace elmo
