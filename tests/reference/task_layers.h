// Layers of models that label tokens, written plainly from their equations, one number at a time,
// in double precision. They share nothing with core.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/reference/text_layers.h"

namespace elmo {

/// x·W + b for each row, W [inputs, outputs].
ReferenceRows reference_linear(const ReferenceRows& rows, const ReferenceRow& weights,
                               const ReferenceRow& bias);

/// Returns the outputs of an LSTM over one sequence, from the zero state; it reads the sequence
/// backward if `reversed`. W_x [inputs, 4·cells], W_h [cells, 4·cells], b [4·cells]; gates i, j, f,
/// o.
ReferenceRows reference_lstm(const ReferenceRows& rows, const ReferenceRow& input_weights,
                             const ReferenceRow& recurrent_weights, const ReferenceRow& bias,
                             bool reversed);

/// A highway LSTM over one sequence from zero (He et al. 2017, equations 1 to 8), from the products
/// x·W_x of each token [6·cells]: gates i, j, f, o and r, then the carried input. W_h [cells,
/// 5·cells], b [6·cells]; outputs are multiplied by `mask` [cells].
ReferenceRows reference_highway_lstm(const ReferenceRows& sums,
                                     const ReferenceRow& recurrent_weights,
                                     const ReferenceRow& bias, const ReferenceRow& mask,
                                     bool reversed);

/// relu(b + max over positions of the filter outputs). `filters` [filters, width · columns] are
/// applied to the bytes of `token` between begin (257) and end (258), padded with 0 to the filters'
/// width. Byte b is row b + 1 of `characters`.
ReferenceRow reference_characters(std::string_view token, const ReferenceRow& characters,
                                  std::size_t columns, const ReferenceRow& filters,
                                  const ReferenceRow& bias, std::size_t width);

/// A CRF over one sequence, by enumeration of all label sequences.
struct ReferenceCrf {
  ReferenceRow transitions;  ///< [K, K]
  ReferenceRow begin;        ///< [K]
  ReferenceRow end;          ///< [K]
  /// Returns the allowed label sequences of `length`.
  std::vector<std::vector<std::size_t>> sequences(std::size_t length,
                                                  const std::vector<std::uint8_t>& follows,
                                                  const std::vector<std::uint8_t>& begins,
                                                  const std::vector<std::uint8_t>& ends) const;
  double score(const ReferenceRows& emissions, const std::vector<std::size_t>& labels) const;
  /// Returns −log of the share of `labels` in the sum over `sequences`.
  double loss(const ReferenceRows& emissions, const std::vector<std::size_t>& labels,
              const std::vector<std::vector<std::size_t>>& sequences) const;
};

}  // namespace elmo
