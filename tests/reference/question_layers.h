// Layers of a model that answers questions, written plainly from their equations, one number at a
// time, in double precision. They share nothing with core.
#pragma once

#include "tests/reference/text_layers.h"

namespace elmo {

/// s_ij = w1·c_i + w2·q_j + w3·(c_i ⊙ q_j); an empty w1 is zero.
struct ReferenceTrilinear {
  ReferenceRow w1;
  ReferenceRow w2;
  ReferenceRow w3;

  double score(const ReferenceRow& c, const ReferenceRow& q) const;
};

/// [c; a; c ⊙ a; c ⊙ h] for each row c of the context (Seo et al. 2017, equations 1 to 4).
ReferenceRows reference_bidirectional_attention(const ReferenceTrilinear& similarity,
                                                const ReferenceRows& context,
                                                const ReferenceRows& question);

/// [x; a; x ⊙ a] for each row x, where a is the attention over the other rows.
ReferenceRows reference_self_attention(const ReferenceTrilinear& similarity,
                                       const ReferenceRows& rows);

/// −log Σ softmax(scores)[i] over all i in `right`.
double reference_summed_cross_entropy(const ReferenceRow& scores,
                                      const std::vector<std::size_t>& right);

}  // namespace elmo
