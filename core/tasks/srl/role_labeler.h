// Semantic role labeling: who did what to whom, for each predicate of a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/alternating_lstm.h"
#include "core/nn/bilstm.h"
#include "core/nn/crf.h"
#include "core/nn/linear.h"
#include "core/tasks/common/output_elmo.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"
#include "core/tasks/common/word_vocabulary.h"
#include "core/tasks/srl/frame_input.h"

namespace elmo {

/// TaskExample::given of a sentence whose predicates the model must find.
inline constexpr std::int32_t kFindPredicates = -1;

/// For each frame, a sentence with one of its predicates (He et al. 2017): [x_k; indicator of the
/// predicate] → LSTM layers of alternating direction → [h; ELMo] → linear → softmax over BIO
/// labels. Predictions are the most probable valid BIO sequence (Viterbi). A second head, a biLSTM
/// over x_k, classifies each token as predicate or not.
///
/// An example is a sentence with all its frames. `given`: the tokens of its predicates, or only
/// kFindPredicates. `labels`: [frames, tokens]. A prediction has `labels` and their probabilities
/// in the same shape and, if predicates were to be found, the predicates in `found`.
///
/// The loss is the mean of −log p over the tokens of all frames, plus the mean loss of the second
/// head over the tokens of all sentences.
class RoleLabeler final : public TaskModel {
 public:
  /// Requires at least one label. `words` must outlive this object.
  RoleLabeler(const TaskOptions& options, const WordVocabulary& words,
              std::span<const std::string> labels);

  std::vector<Parameter*> parameters() override;
  void initialize(std::uint64_t seed) override;
  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override;
  void predict(TaskBatch batch, Workers& workers,
               std::vector<TaskPrediction>& predictions) override;

 private:
  void read(TaskBatch batch, const PassOptions& options, Workers& workers);
  void find(Workers& workers);
  void label(std::span<const Frame> frames, const PassOptions& options, Workers& workers);
  double train_finder(Workers& workers);
  double train_frames(TaskBatch batch, const PassOptions& options, Workers& workers);
  void add_labels(std::span<const Frame> frames, Workers& workers,
                  std::vector<TaskPrediction>& predictions);

  std::int64_t hidden_;
  TokenVectors vectors_;
  FrameInput frame_input_;
  AlternatingLstm lstms_;
  OutputElmo output_elmo_;
  Linear linear_;
  Crf decoder_;  // has no weights of its own, only the constraints of BIO
  BiLstm finder_lstm_;
  Linear finder_linear_;

  // Of the current batch.
  Sequences sentences_;
  std::vector<TaskText> texts_;
  std::vector<Frame> frames_;
  Sequences frame_sequences_;
  std::vector<TaskText> frame_texts_;
  std::vector<std::int32_t> labels_;
  Matrix input_;        // x
  Matrix found_;        // output of the second head's biLSTM
  Matrix finder_;       // logits of the second head: no predicate, predicate
  Matrix sums_;         // input sums of the first LSTM layer
  Matrix hidden_rows_;  // h
  Matrix output_;       // [h; ELMo]
  Matrix emissions_;
  Matrix gradient_;
  Matrix next_gradient_;
  Matrix input_gradient_;
};

/// The entry of this kind for the table of kinds.
TaskKindEntry srl_kind();

}  // namespace elmo
