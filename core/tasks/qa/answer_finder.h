// Reading comprehension: the span of a context that answers a question.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/attention_flow.h"
#include "core/nn/bilstm_stack.h"
#include "core/nn/linear.h"
#include "core/nn/rectified_layer.h"
#include "core/tasks/common/output_elmo.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"
#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

/// The longest answer that is predicted, in tokens (Clark and Gardner 2017, section 4).
inline constexpr std::size_t kMaxAnswerTokens = 17;

/// BiDAF with self-attention (Clark and Gardner 2017, section 3.1), as it was used with ELMo on
/// SQuAD (Peters et al. 2018, section 4): x_k → biLSTMs that question and context share → [h; ELMo]
/// → attention of the context to the question and back → rectified projection p → biLSTM →
/// self-attention → rectified projection, p added → biLSTM s → scores of starts; of [that; s] →
/// biLSTM → scores of ends. LSTMs stand for the paper's GRUs. Dropout is as the options say, behind
/// each of these but the last biLSTMs.
///
/// An example has as texts the question, then the windows of the context: one, or several
/// overlapping ones of a long context. given: the first token of each window in the context.
/// labels: first and last token in the context of each place where an answer stands, inclusive, one
/// pair after the other. The loss is −log of the summed probability of all starts that answer, plus
/// that of all ends, of softmaxes over all windows together (Clark and Gardner 2017, section 2.2,
/// "shared normalization"). predict gives as labels the first and the last token of the most
/// probable answer of at most kMaxAnswerTokens within one window, and as score its probability,
/// that of its start times that of its end.
class AnswerFinder final : public TaskModel {
 public:
  /// `words` has to outlive it.
  AnswerFinder(const TaskOptions& options, const WordVocabulary& words);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  void predict(TaskBatch batch, Workers& workers,
               std::vector<TaskPrediction>& predictions) override;

 private:
  /// Of the tokens of all windows of an example.
  struct EdgeScores {
    std::vector<float> starts;
    std::vector<float> ends;
  };

  void set_batch(TaskBatch batch);
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers);
  double loss(TaskBatch batch);
  double backward(const PassOptions& options, Workers& workers);
  static TaskPrediction best_answer(const TaskExample& example, const EdgeScores& scores);

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
  Linear start_scorer_;
  BiLstmStack end_;
  Linear end_scorer_;

  // Of the batch at hand: first the questions of its B examples, then the windows of all of them,
  // W; M tokens of questions, N of windows.
  std::vector<TaskText> texts_;            // [B + W]
  Sequences sequences_;                    // of texts_
  Sequences question_sequences_;           // B
  Sequences window_sequences_;             // W
  std::vector<std::int64_t> question_of_;  // [W]
  Matrix input_;                           // [M + N, vectors_.columns()]
  Matrix encoded_;                         // [M + N, 2 · hidden]
  Matrix rows_;                            // [M + N, D], [h; ELMo]
  Matrix questions_;                       // [M, D] of them
  Matrix contexts_;                        // [N, D] of them
  Matrix attended_;                        // [N, 4 · D]
  Matrix projected_;                       // [N, 2 · hidden]
  Matrix modeled_;                         // [N, 2 · hidden]
  Matrix self_attended_;                   // [N, 6 · hidden]
  Matrix self_projected_;                  // [N, 2 · hidden]
  Matrix summed_;                          // [N, 2 · hidden], of both projections
  Matrix start_rows_;                      // [N, 2 · hidden]
  Matrix end_input_;                       // [N, 4 · hidden]
  Matrix end_rows_;                        // [N, 2 · hidden]
  Matrix start_scores_;                    // [N, 1]; then their gradient
  Matrix end_scores_;                      // likewise
  Matrix gradient_;                        // of what comes next on the way back
  Matrix next_gradient_;
  Matrix summed_gradient_;
};

/// The entry of the table of kinds.
TaskKindEntry qa_kind();

}  // namespace elmo
