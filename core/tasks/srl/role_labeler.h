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

/// TaskExample::given of a sentence whose predicates are to be found.
inline constexpr std::int32_t kFindPredicates = -1;

/// [x_k; indicator of the predicate] → LSTM layers that alternate in direction → [h; ELMo] → linear
/// → softmax over BIO labels, for each frame, which is a sentence with one of its predicates (He et
/// al. 2017). Predictions are the most probable labels that are BIO (Viterbi). A second head, of a
/// biLSTM over x_k, says of each token whether it is a predicate.
///
/// An example is a sentence with all its frames. `given`: the tokens of its predicates, or
/// kFindPredicates alone. `labels`: [frames, tokens]. A prediction has `labels` and their
/// probabilities likewise, and where predicates were to be found, those that were.
///
/// The loss is the mean of −log p over the tokens of all frames, and that of the second head over
/// the tokens of all sentences.
class RoleLabeler final : public TaskModel {
 public:
  /// At least one label. `words` has to outlive it.
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
  Crf decoder_;  // without weights of its own: all that it knows is what BIO allows
  BiLstm finder_lstm_;
  Linear finder_linear_;

  // Of the batch at hand.
  Sequences sentences_;
  std::vector<TaskText> texts_;
  std::vector<Frame> frames_;
  Sequences frame_sequences_;
  std::vector<TaskText> frame_texts_;
  std::vector<std::int32_t> labels_;
  Matrix input_;        // x
  Matrix found_;        // of the second head's biLSTM
  Matrix finder_;       // logits of the second head: no predicate, predicate
  Matrix sums_;         // of the first LSTM layer
  Matrix hidden_rows_;  // h
  Matrix output_;       // [h; ELMo]
  Matrix emissions_;
  Matrix gradient_;
  Matrix next_gradient_;
  Matrix input_gradient_;
};

/// The entry of the table of kinds.
TaskKindEntry srl_kind();

}  // namespace elmo
