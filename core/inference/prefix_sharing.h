// Steps that several sentences have in common. On English text about 3 % of the forward steps (many
// sentences begin with the same word) and 4 % of the backward ones (most end with a full stop) are
// a first step that another sentence of the batch takes too; longer common beginnings would give
// another 1.5 %.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/lane_schedule.h"
#include "core/model/lstm.h"

namespace elmo {

/// What is left to run, and from which states.
struct RemainingSteps {
  LstmState starts;                     ///< lane 0: the common start; then one for each shared step
  std::vector<SentenceRows> sentences;  ///< without the rows that are done
};

/// Runs the first step of sentences that begin (backward: end) with the same token once for all of
/// them and copies its outputs to their rows. `token_of_row` gives the token that a row of
/// `activations` holds. A sentence's activations are those without sharing, up to the last bits:
/// products of other numbers of rows may add up in another order.
RemainingSteps share_first_steps(const LstmStack& stack, bool backward,
                                 std::span<const SentenceRows> sentences,
                                 std::span<const std::uint32_t> token_of_row, float* activations,
                                 const LstmState& start, LstmWorkspace& workspace,
                                 RunMonitor& monitor);

}  // namespace elmo
