#include "tests/reference/text_layers.h"

#include <algorithm>
#include <cmath>

namespace elmo {
namespace {

double dot(const ReferenceRow& a, const ReferenceRow& b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

ReferenceRow weighted_sum(const ReferenceRow& weights, const ReferenceRows& rows) {
  ReferenceRow sum(rows[0].size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += weights[i] * rows[i][c];
  }
  return sum;
}

}  // namespace

ReferenceRow reference_softmax(const ReferenceRow& values) {
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0.0;
  for (const double value : values) sum += std::exp(value - largest);
  ReferenceRow shares;
  for (const double value : values) shares.push_back(std::exp(value - largest) / sum);
  return shares;
}

ReferenceRows reference_attention(const ReferenceRows& queries, const ReferenceRows& keys) {
  ReferenceRows attended;
  for (const ReferenceRow& query : queries) {
    ReferenceRow scores;
    for (const ReferenceRow& key : keys) scores.push_back(dot(query, key));
    attended.push_back(weighted_sum(reference_softmax(scores), keys));
  }
  return attended;
}

ReferenceRows reference_comparison(const ReferenceRows& rows, const ReferenceRows& attended,
                                   bool with_attended) {
  ReferenceRows compared;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ReferenceRow row = rows[i];
    const ReferenceRow& found = attended[i];
    if (with_attended) row.insert(row.end(), found.begin(), found.end());
    for (std::size_t c = 0; c < found.size(); ++c) row.push_back(rows[i][c] - found[c]);
    for (std::size_t c = 0; c < found.size(); ++c) row.push_back(rows[i][c] * found[c]);
    compared.push_back(row);
  }
  return compared;
}

ReferenceRow reference_max_pool(const ReferenceRows& rows) {
  ReferenceRow pooled = rows[0];
  for (const ReferenceRow& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) pooled[c] = std::max(pooled[c], row[c]);
  }
  return pooled;
}

ReferenceRow reference_min_pool(const ReferenceRows& rows) {
  ReferenceRow pooled = rows[0];
  for (const ReferenceRow& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) pooled[c] = std::min(pooled[c], row[c]);
  }
  return pooled;
}

ReferenceRow reference_mean_pool(const ReferenceRows& rows) {
  return weighted_sum(ReferenceRow(rows.size(), 1.0 / static_cast<double>(rows.size())), rows);
}

ReferenceRow reference_self_attentive_pool(const ReferenceRows& rows, const ReferenceRow& weights) {
  ReferenceRow scores;
  for (const ReferenceRow& row : rows) scores.push_back(dot(row, weights));
  return weighted_sum(reference_softmax(scores), rows);
}

ReferenceRow reference_maxout(const ReferenceRow& in, std::size_t pool) {
  ReferenceRow out;
  for (std::size_t begin = 0; begin < in.size(); begin += pool) {
    double largest = in[begin];
    for (std::size_t k = 1; k < pool; ++k) largest = std::max(largest, in[begin + k]);
    out.push_back(largest);
  }
  return out;
}

ReferenceRow reference_relu(const ReferenceRow& in) {
  ReferenceRow out;
  for (const double value : in) out.push_back(std::max(value, 0.0));
  return out;
}

double reference_cross_entropy(const ReferenceRow& logits, std::size_t label) {
  return -std::log(reference_softmax(logits)[label]);
}

}  // namespace elmo
