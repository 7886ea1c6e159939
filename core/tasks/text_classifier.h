// Text classification: one label for each text.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/attention.h"
#include "core/nn/bilstm.h"
#include "core/nn/feed_forward.h"
#include "core/nn/sequence_pooling.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

/// The biattentive classification network (McCann et al. 2017, section 5) as used with ELMo on
/// SST-5 (Peters et al. 2018, section 4): x_k → feed-forward layer → biLSTMs → self-attention of
/// the text → biLSTM over [h; h − h̃; h ⊙ h̃] → [g; ELMo] → max, min, mean and self-attentive
/// pooling → three maxout layers, each over four sums → softmax. There is no batch normalization.
/// The loss of a text is −log p of its label.
///
/// The input has the dropout of the options. The outputs of the feed-forward layer, the pooling and
/// the maxout layers have half of it; published models use 0.1 to 0.3 there, with 0.5 at the input.
class TextClassifier final : public TaskModel {
 public:
  /// `words` must outlive this object.
  TextClassifier(const TaskOptions& options, const WordVocabulary& words, std::int64_t labels);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  void predict(TaskBatch batch, Workers& workers,
               std::vector<TaskPrediction>& predictions) override;

 private:
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers);
  double backward(const PassOptions& options, Workers& workers);

  float dropout_;
  TokenVectors vectors_;
  RectifiedLayer feed_forward_;
  BiLstmStack encoder_;
  Attention attention_;
  BiLstmStack integrator_;
  OutputElmo output_elmo_;
  std::vector<SequencePooling> pools_;
  SelfAttentivePooling self_attentive_pool_;
  MaxoutNetwork maxout_;

  // Of the current batch, with N tokens and B texts.
  std::vector<TaskText> texts_;
  Sequences sequences_;
  std::vector<std::int64_t> themselves_;  // [B], the text that each text attends to: itself
  Matrix input_;                          // [N, vectors_.columns()]
  Matrix fed_;                            // [N, hidden]
  Matrix encoded_;                        // [N, 2 · hidden], h
  Matrix attended_;                       // [N, 2 · hidden], h̃
  Matrix compared_;                       // [N, 6 · hidden]
  Matrix integrated_;                     // [N, 2 · hidden], g
  Matrix output_;                         // [N, D], [g; ELMo]
  Matrix pooled_;                         // [B, 4 · D]
  Matrix logits_;                         // [B, labels]; then their gradient
  Matrix gradient_;                       // input gradient of the backward pass so far
  Matrix next_gradient_;
  Matrix encoded_gradient_;
};

/// The entry of this kind for the table of kinds.
TaskKindEntry classify_kind();

}  // namespace elmo
