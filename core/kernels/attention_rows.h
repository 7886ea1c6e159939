// The elementwise part of the attention of BiDAF, forward and backward (Seo et al. 2017).
#pragma once

#include <cstdint>

namespace elmo {

/// Rows c that attend, what they find, a, both [rows, columns] without gaps, and a vector h
/// [columns] that all of them share, which may be null.
struct FoundRows {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* a = nullptr;
  const float* h = nullptr;
};

/// to [rows, 4 · columns]: [c; a; c ⊙ a; c ⊙ h] of each row; without h [rows, 3 · columns]. Any
/// thread.
void join_found(const FoundRows& found, float* to);

/// Its gradient. `gradient` as `to` there; those with respect to c and a are replaced, that with
/// respect to h is added to. Any thread.
void join_found_backward(const FoundRows& found, const float* gradient, float* to_c, float* to_a,
                         float* to_h);

/// to [rows, columns] = w3 ⊙ c + w2 of each row c, w2 and w3 [columns]. Any thread.
void weigh_rows(const float* c, std::int64_t rows, std::int64_t columns, const float* w2,
                const float* w3, float* to);

/// The gradient of s_j = (w3 ⊙ c + w2)·q_j + w1·c of some rows c. All are [rows, columns] or
/// [columns].
struct WeighedRowsGradient {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* gradient = nullptr;  ///< with respect to w3 ⊙ c + w2
  const float* sums = nullptr;      ///< [rows] those with respect to w1·c; null: there is no w1
  const float* w1 = nullptr;        ///< null likewise
  const float* w3 = nullptr;
  float* to_c = nullptr;   ///< added to, as are all that follow
  float* to_w1 = nullptr;  ///< null likewise
  float* to_w2 = nullptr;
  float* to_w3 = nullptr;
};
void weigh_rows_backward(const WeighedRowsGradient& task);

}  // namespace elmo
