// Layers of models that label texts, written plainly from their equations, one number at a time, in
// double precision. They share nothing with core.
#pragma once

#include <cstddef>
#include <vector>

namespace elmo {

using ReferenceRow = std::vector<double>;
using ReferenceRows = std::vector<ReferenceRow>;  ///< one row per token of a sequence

ReferenceRow reference_softmax(const ReferenceRow& values);

/// Σ_j softmax_j(q · k_j) k_j for each q.
ReferenceRows reference_attention(const ReferenceRows& queries, const ReferenceRows& keys);

/// [a; ã; a − ã; a ⊙ ã] for each row a and its attended row ã. The second part is omitted unless
/// `with_attended`.
ReferenceRows reference_comparison(const ReferenceRows& rows, const ReferenceRows& attended,
                                   bool with_attended);

ReferenceRow reference_max_pool(const ReferenceRows& rows);
ReferenceRow reference_min_pool(const ReferenceRows& rows);
ReferenceRow reference_mean_pool(const ReferenceRows& rows);
/// Σ_i softmax_i(row_i · w) row_i.
ReferenceRow reference_self_attentive_pool(const ReferenceRows& rows, const ReferenceRow& weights);

/// Returns the maximum of each group of `pool` numbers.
ReferenceRow reference_maxout(const ReferenceRow& in, std::size_t pool);

ReferenceRow reference_relu(const ReferenceRow& in);

/// −log softmax(logits)[label].
double reference_cross_entropy(const ReferenceRow& logits, std::size_t label);

}  // namespace elmo
