// The loss of a batch and its gradient with respect to every parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/kernels/precision.h"
#include "core/nn/gradient_share.h"
#include "core/parallel/workers.h"
#include "core/tensor/aligned.h"
#include "core/train/bilm/corpus.h"
#include "core/train/bilm/direction_pass.h"
#include "core/train/bilm/encoder_pass.h"
#include "core/train/bilm/lane_state.h"
#include "core/train/bilm/trained_bilm.h"
#include "core/train/bilm/training_step.h"
#include "core/train/bilm/word_pass.h"
#include "core/train/gradient_ready.h"

namespace elmo {

/// Computes gradients of the mean of both directions' losses, (forward + backward) / 2. Those of
/// ranges of lanes add up to those of all lanes. Workers take shares of the range, at least one for
/// each direction, and keep gradients of their own, which are summed: of n threads, up to n / 2
/// shares of a direction, of 16 lanes at least. What is left of the threads goes into the products.
/// Not for two threads at once.
class Backpropagation {
 public:
  /// For batches of `lanes`, at least one. `model` and what `corpus` views have to outlive it.
  /// `precision`: of the products, float32 or bfloat16. SystemError where the threads cannot be
  /// had.
  Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes, int threads,
                  Precision precision);

  /// `states` are those before the batch and become those after it. Replaces the gradients of all
  /// parameters; those of the softmax, and of the table of a word-level model, have rows: the ones
  /// that samples, targets and inputs of all lanes that are trained touch, ascending. The same
  /// arguments give the same bits with the same number of threads. `ready`, unless it is empty, is
  /// told of every gradient once; where `softmax_only`, of the softmax's only.
  BatchLoss run(const TrainingStep& step, LaneStates& states, const GradientReady& ready = {});

 private:
  Backpropagation(TrainedBilm& model, const Corpus& corpus, const LaneRange& lanes,
                  const std::vector<LaneShare>& shares, int threads, Precision precision);

  void encode(const TrainingBatch& batch);
  void sum_softmax(const GradientReady& ready);
  void sum_lstms(const GradientReady& ready);
  void encode_backward(const TrainingBatch& batch, const GradientReady& ready);
  void sum(const std::vector<Parameter*>& parameters,
           const std::vector<const GradientShare*>& shares, const GradientReady& ready);
  void clear_bilm();

  TrainedBilm& model_;
  LaneRange lanes_;
  Workers workers_;
  std::vector<EncoderPass> encoders_;      // of n, each takes every n-th token
  std::optional<WordPass> words_;          // instead of them, in a word-level model
  std::vector<DirectionPass> directions_;  // forward, backward, forward, backward, …
  AlignedVector<float> token_vectors_;     // [types, P]
};

}  // namespace elmo
