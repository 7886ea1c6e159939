// The parts of a biLM written plainly from their equations, one number at a time, in double
// precision. They share only the structs that describe a model with core.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/options.h"
#include "core/model/parameters.h"

namespace elmo {

/// A model's parameters by their names, row-major.
using ReferenceParameters = std::map<std::string, std::vector<double>, std::less<>>;

inline double reference_sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

ReferenceParameters reference_parameters(const Parameters& parameters);

/// Character ids of a token: [begin, bytes…, end, padding…], exactly `length` of them, 0-based rows
/// of the character embedding. Bytes past length - 2 are cut.
std::vector<int> reference_char_ids(std::string_view token, std::int64_t length);

/// Character ids of `<S>` (`begin`) or of `</S>`.
std::vector<int> reference_boundary_ids(bool begin, std::int64_t length);

/// The state of one layer of one direction: the recurrent h of P numbers (before any skip
/// connection) and the cell c of D numbers.
struct ReferenceCellState {
  std::vector<double> h;
  std::vector<double> c;
};

/// The states of all layers, [direction][layer]; direction 0 is forward.
using ReferenceState = std::array<std::vector<ReferenceCellState>, 2>;

ReferenceState reference_zero_state(const LstmOptions& options);

/// Returns the character encoder's vector of a token, P numbers.
std::vector<double> reference_encode(const ModelOptions& options,
                                     const ReferenceParameters& parameters,
                                     const std::vector<int>& char_ids);

/// Computes one step of one layer and updates `state`. Returns the output, P numbers, with the skip
/// connection if the layer has one.
std::vector<double> reference_lstm_step(const LstmOptions& options,
                                        const ReferenceParameters& parameters, int direction,
                                        std::int64_t layer, const std::vector<double>& x,
                                        ReferenceCellState& state);

}  // namespace elmo
