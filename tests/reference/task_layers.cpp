#include "tests/reference/task_layers.h"

#include <algorithm>
#include <cmath>

namespace elmo {
namespace {

double sigmoid_of(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

ReferenceRows reference_linear(const ReferenceRows& rows, const ReferenceRow& weights,
                               const ReferenceRow& bias) {
  ReferenceRows result;
  for (const ReferenceRow& row : rows) {
    ReferenceRow sums = bias;
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = 0; j < bias.size(); ++j)
        sums[j] += row[i] * weights[i * bias.size() + j];
    }
    result.push_back(sums);
  }
  return result;
}

ReferenceRows reference_lstm(const ReferenceRows& rows, const ReferenceRow& input_weights,
                             const ReferenceRow& recurrent_weights, const ReferenceRow& bias,
                             bool reversed) {
  const std::size_t cells = bias.size() / 4;
  ReferenceRow h(cells, 0.0);
  ReferenceRow c(cells, 0.0);
  ReferenceRows outputs(rows.size());
  for (std::size_t step = 0; step < rows.size(); ++step) {
    const std::size_t t = reversed ? rows.size() - 1 - step : step;
    const ReferenceRow z = reference_linear({rows[t]}, input_weights,
                                            reference_linear({h}, recurrent_weights, bias)[0])[0];
    for (std::size_t d = 0; d < cells; ++d) {
      const double i = sigmoid_of(z[d]);
      const double j = std::tanh(z[cells + d]);
      const double f = sigmoid_of(z[2 * cells + d]);
      const double o = sigmoid_of(z[3 * cells + d]);
      c[d] = f * c[d] + i * j;
      h[d] = o * std::tanh(c[d]);
    }
    outputs[t] = h;
  }
  return outputs;
}

ReferenceRows reference_highway_lstm(const ReferenceRows& sums,
                                     const ReferenceRow& recurrent_weights,
                                     const ReferenceRow& bias, const ReferenceRow& mask,
                                     bool reversed) {
  const std::size_t cells = mask.size();
  ReferenceRow h(cells, 0.0);
  ReferenceRow c(cells, 0.0);
  ReferenceRows outputs(sums.size());
  for (std::size_t step = 0; step < sums.size(); ++step) {
    const std::size_t t = reversed ? sums.size() - 1 - step : step;
    const ReferenceRow before = h;
    const auto gate = [&](std::size_t number, std::size_t d) {
      double sum = sums[t][number * cells + d] + bias[number * cells + d];
      for (std::size_t e = 0; e < cells; ++e) {
        sum += before[e] * recurrent_weights[e * 5 * cells + number * cells + d];
      }
      return sum;
    };
    for (std::size_t d = 0; d < cells; ++d) {
      c[d] = sigmoid_of(gate(2, d)) * c[d] + sigmoid_of(gate(0, d)) * std::tanh(gate(1, d));
      const double lstm = sigmoid_of(gate(3, d)) * std::tanh(c[d]);
      const double r = sigmoid_of(gate(4, d));
      const double carry = sums[t][5 * cells + d] + bias[5 * cells + d];
      h[d] = mask[d] * (r * lstm + (1.0 - r) * carry);
    }
    outputs[t] = h;
  }
  return outputs;
}

ReferenceRow reference_characters(std::string_view token, const ReferenceRow& characters,
                                  std::size_t columns, const ReferenceRow& filters,
                                  const ReferenceRow& bias, std::size_t width) {
  std::vector<std::size_t> ids = {257};
  for (const char byte : token) ids.push_back(1U + static_cast<unsigned char>(byte));
  ids.push_back(258);
  while (ids.size() < width) ids.push_back(0);
  ReferenceRow result;
  for (std::size_t filter = 0; filter < bias.size(); ++filter) {
    double largest = -1e300;
    for (std::size_t p = 0; p + width <= ids.size(); ++p) {
      double sum = bias[filter];
      for (std::size_t i = 0; i < width * columns; ++i) {
        sum += filters[filter * width * columns + i] *
               characters[ids[p + i / columns] * columns + i % columns];
      }
      largest = std::max(largest, sum);
    }
    result.push_back(std::max(largest, 0.0));
  }
  return result;
}

std::vector<std::vector<std::size_t>> ReferenceCrf::sequences(
    std::size_t length, const std::vector<std::uint8_t>& follows,
    const std::vector<std::uint8_t>& begins, const std::vector<std::uint8_t>& ends) const {
  const std::size_t k = begin.size();
  std::vector<std::vector<std::size_t>> all = {{}};
  for (std::size_t t = 0; t < length; ++t) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& labels : all) {
      for (std::size_t label = 0; label < k; ++label) {
        const bool allowed = t == 0 ? begins[label] != 0 : follows[labels.back() * k + label] != 0;
        if (!allowed || (t + 1 == length && ends[label] == 0)) continue;
        longer.push_back(labels);
        longer.back().push_back(label);
      }
    }
    all = longer;
  }
  return all;
}

double ReferenceCrf::score(const ReferenceRows& emissions,
                           const std::vector<std::size_t>& labels) const {
  double score = begin[labels.front()] + end[labels.back()];
  for (std::size_t t = 0; t < labels.size(); ++t) {
    score += emissions[t][labels[t]];
    if (t > 0) score += transitions[labels[t - 1] * begin.size() + labels[t]];
  }
  return score;
}

double ReferenceCrf::loss(const ReferenceRows& emissions, const std::vector<std::size_t>& labels,
                          const std::vector<std::vector<std::size_t>>& sequences) const {
  double sum = 0.0;
  for (const auto& other : sequences) sum += std::exp(score(emissions, other));
  return std::log(sum) - score(emissions, labels);
}

}  // namespace elmo
