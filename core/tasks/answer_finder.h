// Reading comprehension: finds the span of a context that answers a question.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/attention_flow.h"
#include "core/nn/bilstm.h"
#include "core/tasks/answer_scores.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

/// Maximum length of a predicted answer, in tokens (Clark and Gardner 2017, section 4).
inline constexpr std::size_t kMaxAnswerTokens = 17;

/// BiDAF with self-attention (Clark and Gardner 2017, section 3.1), as used with ELMo on SQuAD
/// (Peters et al. 2018, section 4): x_k → biLSTMs shared by question and context → [h; ELMo] →
/// attention between context and question in both directions → rectified projection p → biLSTM →
/// self-attention → rectified projection, plus p → biLSTM s → scores of starts. The concatenation
/// of the last biLSTM's input and s → biLSTM → scores of ends. LSTMs replace the paper's GRUs. Each
/// of these layers but the last biLSTMs is followed by the dropout of the options.
///
/// Texts of an example (AskedQuestion): the question, then the windows of the context: one, or
/// several overlapping ones if the context is long. The loss is −log of the summed probability of
/// all correct starts, plus the same for ends. The softmaxes run over all windows together (Clark
/// and Gardner 2017, section 2.2, "shared normalization"). Predictions (AnswerPrediction) are the
/// most probable answer of at most kMaxAnswerTokens within one window, with its probability,
/// P(start) · P(end).
class AnswerFinder final : public TaskModel {
 public:
  /// `words` must outlive this object.
  AnswerFinder(const TaskOptions& options, const WordVocabulary& words);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) override;

 private:
  /// Scores of the tokens of all windows of an example.
  struct EdgeScores {
    std::vector<float> starts;
    std::vector<float> ends;
  };

  void set_batch(TaskBatch batch);
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers);
  double loss(TaskBatch batch);
  double backward(const PassOptions& options, Workers& workers);
  static AnswerPrediction best_answer(const TaskExample& example, const EdgeScores& scores);

  float dropout_;
  TokenVectors vectors_;
  BiLstmStack encoder_;
  OutputElmo output_elmo_;
  BidirectionalAttention attention_;
  RectifiedLayer projection_;
  BiLstmStack modeling_;
  SelfAttention self_attention_;
  RectifiedLayer self_projection_;
  BiLstmStack start_;
  Affine start_scorer_;
  BiLstmStack end_;
  Affine end_scorer_;

  // The current batch: first the questions of its B examples, then all their W windows. The
  // questions have M tokens, the windows N.
  std::vector<TaskText> texts_;            // [B + W]
  Sequences sequences_;                    // of texts_
  Sequences question_sequences_;           // B sequences
  Sequences window_sequences_;             // W sequences
  std::vector<std::int64_t> question_of_;  // [W] question of each window
  Matrix input_;                           // [M + N, vectors_.columns()]
  Matrix encoded_;                         // [M + N, 2 · hidden]
  Matrix rows_;                            // [M + N, D], [h; ELMo]
  Matrix questions_;                       // [M, D], the question rows of rows_
  Matrix contexts_;                        // [N, D], the window rows of rows_
  Matrix attended_;                        // [N, 4 · D]
  Matrix projected_;                       // [N, 2 · hidden]
  Matrix modeled_;                         // [N, 2 · hidden]
  Matrix self_attended_;                   // [N, 6 · hidden]
  Matrix self_projected_;                  // [N, 2 · hidden]
  Matrix summed_;                          // [N, 2 · hidden], sum of both projections
  Matrix start_rows_;                      // [N, 2 · hidden]
  Matrix end_input_;                       // [N, 4 · hidden]
  Matrix end_rows_;                        // [N, 2 · hidden]
  Matrix start_scores_;                    // [N, 1]; then their gradient
  Matrix end_scores_;                      // [N, 1]; then their gradient
  Matrix gradient_;                        // input gradient of the backward pass so far
  Matrix next_gradient_;
  Matrix summed_gradient_;
};

}  // namespace elmo
