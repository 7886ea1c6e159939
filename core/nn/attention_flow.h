// Rows of a text joined with their attention to a question or to the text itself: BiDAF with
// self-attention (Seo et al. 2017; Clark and Gardner 2017, section 3.1).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/layer.h"
#include "core/nn/trilinear_attention.h"
#include "core/parallel/workers.h"

namespace elmo {

/// Attention from a context to its question and back. A row c becomes [c; a; c ⊙ a; c ⊙ h]. a is
/// the question as attended by c. h = Σ_i b_i c_i over the context with b = softmax_i(max_j s_ij):
/// the context rows most similar to any word of the question. Not for two threads at once.
class BidirectionalAttention {
 public:
  /// `columns`: D. Parameters as TrilinearAttention's.
  BidirectionalAttention(const std::string& name, std::int64_t columns)
      : columns_(columns), attention_(name, {.columns = columns, .maxima = true}) {}

  std::int64_t outputs() const { return 4 * columns_; }
  std::vector<Parameter*> parameters() { return attention_.parameters(); }
  void initialize(std::uint64_t seed) { attention_.initialize(seed); }

  /// Replaces `to` [rows, 4D]. Context b attends to question question_of[b]; contexts that share a
  /// question must be adjacent. None of the inputs may change until backward.
  void forward(const Matrix& contexts, const Sequences& context_sequences, const Matrix& questions,
               const Sequences& question_sequences, std::span<const std::int64_t> question_of,
               Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward. Replaces both `context_gradient` and `question_gradient`.
  void backward(const Matrix& gradient, Workers& workers, Matrix& context_gradient,
                Matrix& question_gradient);

 private:
  std::int64_t columns_;
  TrilinearAttention attention_;
  const Matrix* contexts_ = nullptr;
  const Matrix* questions_ = nullptr;
  const Sequences* sequences_ = nullptr;
  Matrix attended_;            // [rows, D], a
  Matrix summaries_;           // [contexts, D], h
  std::vector<float> shares_;  // [rows], b
  Matrix attended_gradient_;
  std::vector<float> maxima_gradient_;
};

/// Attention of a text to itself: a row x becomes [x; a; x ⊙ a], where a is the other rows as
/// attended by x. Not for two threads at once.
class SelfAttention {
 public:
  /// `columns`: D. Parameters as TrilinearAttention's.
  SelfAttention(const std::string& name, std::int64_t columns)
      : columns_(columns), attention_(name, {.columns = columns, .others_only = true}) {}

  std::int64_t outputs() const { return 3 * columns_; }
  std::vector<Parameter*> parameters() { return attention_.parameters(); }
  void initialize(std::uint64_t seed) { attention_.initialize(seed); }

  /// Replaces `to` [rows, 3D]. `rows` and `sequences` must not change until backward.
  void forward(const Matrix& rows, const Sequences& sequences, Workers& workers, Matrix& to);

  /// `gradient`: as `to` in forward. Replaces `row_gradient`.
  void backward(const Matrix& gradient, Workers& workers, Matrix& row_gradient);

 private:
  std::int64_t columns_;
  TrilinearAttention attention_;
  const Matrix* rows_ = nullptr;
  const Sequences* sequences_ = nullptr;
  Matrix attended_;  // [rows, D], a
  Matrix attended_gradient_;
};

}  // namespace elmo
