// Sequence labeling: one label for each token.
#pragma once

#include <cstdint>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/bilstm.h"
#include "core/nn/crf.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {

/// x_k → biLSTMs → [h; ELMo] → linear → CRF (Lample et al. 2016, Peters et al. 2018), with dropout
/// before and after each biLSTM. The loss of a sentence is −log p of its labels.
class Tagger final : public TaskModel {
 public:
  /// `words` must outlive this object.
  Tagger(const TaskOptions& options, const WordVocabulary& words, LabelTransitions labels);

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
  BiLstmStack lstms_;
  OutputElmo output_elmo_;
  Affine linear_;
  Crf crf_;

  // Of the current batch.
  Sequences sequences_;
  std::vector<TaskText> texts_;
  std::vector<std::int32_t> labels_;
  Matrix input_;   // x
  Matrix hidden_;  // h
  Matrix output_;  // [h; ELMo], after dropout
  Matrix emissions_;
  Matrix gradient_;
  Matrix next_gradient_;
};

/// The entry of this kind for the table of kinds.
TaskKindEntry tag_kind();

}  // namespace elmo
