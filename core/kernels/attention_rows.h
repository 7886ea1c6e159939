// The elementwise part of BiDAF's attention, forward and backward (Seo et al. 2017).
#pragma once

#include <cstdint>

namespace elmo {

/// Attending rows c and their attended vectors a, both [rows, columns] without gaps, and a vector h
/// [columns] common to all rows, which may be null.
struct FoundRows {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* a = nullptr;
  const float* h = nullptr;
};

/// Computes to [rows, 4 · columns] = [c; a; c ⊙ a; c ⊙ h] of each row; without h, [c; a; c ⊙ a],
/// [rows, 3 · columns]. Any thread.
void join_found(const FoundRows& found, float* to);

/// The gradient of join_found. `gradient`: as `to` there. Replaces `to_c` and `to_a`, and adds to
/// `to_h`, the gradients with respect to c, a and h. Any thread.
void join_found_backward(const FoundRows& found, const float* gradient, float* to_c, float* to_a,
                         float* to_h);

/// Computes to [rows, columns] = w3 ⊙ c + w2 for each row c; w2 and w3 are [columns]. Any thread.
void weigh_rows(const float* c, std::int64_t rows, std::int64_t columns, const float* w2,
                const float* w3, float* to);

/// Arguments for the gradient of s_j = (w3 ⊙ c + w2)·q_j + w1·c for some rows c. All arrays are
/// [rows, columns] or [columns] unless noted.
struct WeighedRowsGradient {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  const float* c = nullptr;
  const float* gradient = nullptr;  ///< with respect to w3 ⊙ c + w2
  const float* sums = nullptr;      ///< [rows], gradients with respect to w1·c; null without w1
  const float* w1 = nullptr;        ///< null without w1
  const float* w3 = nullptr;
  float* to_c = nullptr;   ///< added to, like all outputs below
  float* to_w1 = nullptr;  ///< null without w1
  float* to_w2 = nullptr;
  float* to_w3 = nullptr;
};
void weigh_rows_backward(const WeighedRowsGradient& task);

}  // namespace elmo
