// Semantic role labeling: who did what to whom, for each predicate of a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/nn/affine.h"
#include "core/nn/alternating_lstm.h"
#include "core/nn/bilstm.h"
#include "core/nn/crf.h"
#include "core/nn/embedding.h"
#include "core/nn/layer.h"
#include "core/tasks/common/task_model.h"
#include "core/tasks/common/task_options.h"
#include "core/tasks/common/token_vectors.h"
#include "core/tasks/role_scores.h"
#include "core/workers.h"

namespace elmo {

/// One predicate of a sentence.
struct Frame {
  std::int64_t sentence = 0;   ///< index of the sentence in the batch
  std::int64_t predicate = 0;  ///< token of the predicate in the sentence
};

/// [x_t; e]·W for each token of each frame. e is one of two indicator vectors: one for the
/// predicate, one for all other tokens (He et al. 2017, section 2.1). The product with x is
/// computed once per sentence. Not for two threads at once.
class FrameInput {
 public:
  /// Parameters NAME/indicator [2, indicator] and NAME/W [inputs + indicator, outputs], all zero.
  FrameInput(const std::string& name, std::int64_t inputs, std::int64_t indicator,
             std::int64_t outputs);

  std::vector<Parameter*> parameters() { return {&indicator_.parameter(), &weights_}; }

  /// Initializes W uniformly in ±√(6 / (inputs + indicator + cells)), for the gates of `cells`
  /// cells.
  void initialize(std::uint64_t seed, std::int64_t cells);

  /// Replaces `to` [tokens of all frames, outputs], one frame after another. `input` [tokens,
  /// inputs] has the rows of `sentences`. `input`, `sentences` and `frames` must stay unchanged
  /// until backward. Requires at least one frame.
  void forward(const Matrix& input, const Sequences& sentences, std::span<const Frame> frames,
               Workers& workers, Matrix& to);

  /// `gradient` has the shape of `to` in forward. Replaces `input_gradient` [tokens, inputs].
  void backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient);

 private:
  std::int64_t inputs() const { return weights_.shape[0] - indicator_.columns(); }
  std::int64_t outputs() const { return weights_.shape[1]; }
  void sum_frames(const Matrix& gradient, Workers& workers);

  Embedding indicator_;
  Parameter weights_;

  // The current batch.
  const Matrix* input_ = nullptr;
  const Sequences* sentences_ = nullptr;
  std::span<const Frame> frames_;
  std::vector<std::int64_t> frame_begins_;  // first row of each frame
  Matrix token_sums_;      // [tokens, outputs], without any predicate; backward: gradients
  Matrix indicators_;      // [2, indicator]; backward: their gradients
  Matrix indicator_sums_;  // [2, outputs], the second minus the first; backward: gradients
};

/// For each frame, a sentence with one of its predicates (He et al. 2017): [x_k; indicator of the
/// predicate] → LSTM layers of alternating direction → [h; ELMo] → linear → softmax over BIO
/// labels. Predictions are the most probable valid BIO sequence (Viterbi). A second head, a biLSTM
/// over x_k, classifies each token as predicate or not.
///
/// An example is a sentence with all its frames (FrameGold). The predicates of a sentence without
/// gold data are found. Predictions are FramePrediction.
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
  std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) override;

 private:
  void read(TaskBatch batch, const PassOptions& options, Workers& workers);
  void find(Workers& workers);
  void label(std::span<const Frame> frames, const PassOptions& options, Workers& workers);
  double train_finder(Workers& workers);
  double train_frames(TaskBatch batch, const PassOptions& options, Workers& workers);
  void add_labels(std::span<const Frame> frames, Workers& workers,
                  std::vector<FramePrediction>& predictions);

  std::int64_t hidden_;
  TokenVectors vectors_;
  FrameInput frame_input_;
  AlternatingLstm lstms_;
  OutputElmo output_elmo_;
  Affine linear_;
  Crf decoder_;  // has no weights of its own, only the constraints of BIO
  BiLstm finder_lstm_;
  Affine finder_linear_;

  // The current batch.
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

}  // namespace elmo
