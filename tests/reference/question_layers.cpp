#include "tests/reference/question_layers.h"

#include <algorithm>
#include <cmath>

namespace elmo {
namespace {

void append_product(ReferenceRow& to, const ReferenceRow& a, const ReferenceRow& b) {
  for (std::size_t i = 0; i < b.size(); ++i) to.push_back(a[i] * b[i]);
}

void add_share(ReferenceRow& sum, double share, const ReferenceRow& row) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * row[i];
}

}  // namespace

double ReferenceTrilinear::score(const ReferenceRow& c, const ReferenceRow& q) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    sum += (w1.empty() ? 0.0 : w1[i] * c[i]) + w2[i] * q[i] + w3[i] * c[i] * q[i];
  }
  return sum;
}

ReferenceRows reference_bidirectional_attention(const ReferenceTrilinear& similarity,
                                                const ReferenceRows& context,
                                                const ReferenceRows& question) {
  const std::size_t columns = context[0].size();
  ReferenceRows found;
  ReferenceRow maxima;
  for (const ReferenceRow& c : context) {
    ReferenceRow scores;
    for (const ReferenceRow& q : question) scores.push_back(similarity.score(c, q));
    maxima.push_back(*std::max_element(scores.begin(), scores.end()));
    const ReferenceRow shares = reference_softmax(scores);
    ReferenceRow a(columns, 0.0);
    for (std::size_t j = 0; j < question.size(); ++j) add_share(a, shares[j], question[j]);
    found.push_back(a);
  }
  const ReferenceRow shares = reference_softmax(maxima);
  ReferenceRow h(columns, 0.0);
  for (std::size_t i = 0; i < context.size(); ++i) add_share(h, shares[i], context[i]);
  ReferenceRows result;
  for (std::size_t i = 0; i < context.size(); ++i) {
    ReferenceRow row = context[i];
    row.insert(row.end(), found[i].begin(), found[i].end());
    append_product(row, context[i], found[i]);
    append_product(row, context[i], h);
    result.push_back(row);
  }
  return result;
}

ReferenceRows reference_self_attention(const ReferenceTrilinear& similarity,
                                       const ReferenceRows& rows) {
  ReferenceRows result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ReferenceRow scores;
    ReferenceRows others;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (j == i) continue;
      scores.push_back(similarity.score(rows[i], rows[j]));
      others.push_back(rows[j]);
    }
    ReferenceRow a(rows[i].size(), 0.0);
    if (!others.empty()) {
      const ReferenceRow shares = reference_softmax(scores);
      for (std::size_t j = 0; j < others.size(); ++j) add_share(a, shares[j], others[j]);
    }
    ReferenceRow row = rows[i];
    row.insert(row.end(), a.begin(), a.end());
    append_product(row, rows[i], a);
    result.push_back(row);
  }
  return result;
}

double reference_summed_cross_entropy(const ReferenceRow& scores,
                                      const std::vector<std::size_t>& right) {
  const ReferenceRow shares = reference_softmax(scores);
  double sum = 0.0;
  for (const std::size_t i : right) sum += shares[i];
  return -std::log(sum);
}

}  // namespace elmo
