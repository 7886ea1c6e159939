// Classification of pairs: one label for two texts.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/attention.h"
#include "core/nn/bilstm.h"
#include "core/nn/sequence_pooling.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

/// ESIM (Chen et al. 2017), the sequential model, as used with ELMo on SNLI (Peters et al. 2018,
/// section 4): x_k → biLSTMs → [h; ELMo] → attention of each text to the other → rectified
/// projection of [h; h̃; h − h̃; h ⊙ h̃] → biLSTM → mean and max of each text → rectified layer →
/// softmax. Both texts use the same weights. Each layer's input has the dropout of the options. The
/// loss of a pair is −log p of its label.
class PairClassifier final : public TaskModel {
 public:
  /// `words` must outlive this object.
  PairClassifier(const TaskOptions& options, const WordVocabulary& words, std::int64_t labels);

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
  BiLstmStack encoder_;
  OutputElmo output_elmo_;
  Attention attention_;
  ComparedProjection projection_;
  BiLstmStack composition_;
  SequencePooling mean_pool_;
  SequencePooling max_pool_;
  RectifiedLayer hidden_;
  Affine linear_;

  // Of the current batch, with B pairs and N tokens in total. Texts 2b and 2b + 1 are pair b.
  std::vector<TaskText> texts_;
  Sequences sequences_;
  std::vector<std::int64_t> others_;  // [2B], the other text of the pair
  Matrix input_;                      // [N, vectors_.columns()]
  Matrix encoded_;                    // [N, 2 · hidden]
  Matrix rows_;                       // [N, D], [h; ELMo]
  Matrix attended_;                   // [N, D]
  Matrix projected_;                  // [N, hidden]
  Matrix composed_;                   // [N, 2 · hidden]
  Matrix pooled_;                     // [2B, 4 · hidden], or [B, 8 · hidden]
  Matrix combined_;                   // [B, hidden]
  Matrix logits_;                     // [B, labels]; then their gradient
  Matrix gradient_;                   // input gradient of the backward pass so far
  Matrix next_gradient_;
  Matrix row_gradient_;
};

/// The entry of this kind for the table of kinds.
TaskKindEntry pair_kind();

}  // namespace elmo
