// Text classification: one label for each text.
#include <numeric>

#include "core/nn/affine.h"
#include "core/nn/attention.h"
#include "core/nn/bilstm.h"
#include "core/nn/feed_forward.h"
#include "core/nn/sequence_pooling.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {
namespace {

constexpr std::int64_t kTextPools = 4;  // max, min, mean, self-attentive

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kFeedForwardMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kMaxoutMask = mask_id(DropoutMask::layer, 1001);

float later_dropout(const TaskOptions& options) { return options.dropout / 2; }

// The first layer has half as many outputs as the pooled biLSTM states, and each further layer half
// as many as the previous one, as in the published model. ELMo at the output does not add to them.
MaxoutNetwork::Options maxout_options(const TaskOptions& options, std::int64_t inputs,
                                      std::size_t labels) {
  const std::int64_t pooled = kTextPools * 2 * options.hidden;
  return {.inputs = inputs,
          .outputs = {pooled / 2, pooled / 4, static_cast<std::int64_t>(labels)},
          .dropout = later_dropout(options),
          .mask_id = kMaxoutMask};
}

/// The biattentive classification network (McCann et al. 2017, section 5) as used with ELMo on
/// SST-5 (Peters et al. 2018, section 4): x_k → feed-forward layer → biLSTMs → self-attention of
/// the text → biLSTM over [h; h − h̃; h ⊙ h̃] → [g; ELMo] → max, min, mean and self-attentive
/// pooling → three maxout layers, each over four sums → softmax. There is no batch normalization.
/// The loss of a text is −log p of its label.
///
/// The input has the dropout of the options. The outputs of the feed-forward layer, the pooling and
/// the maxout layers have half of it; published models use 0.1 to 0.3 there, with 0.5 at the input.
class TextClassifier final : public LabelModel {
 public:
  TextClassifier(const TaskOptions& options, const WordVocabulary& words,
                 std::span<const std::string> labels)
      : dropout_(later_dropout(options)),
        vectors_(options, words),
        feed_forward_("feed_forward", vectors_.columns(), options.hidden, dropout_,
                      kFeedForwardMask),
        encoder_("encoder", encoder_options(options, options.hidden, dropout_)),
        integrator_("integrator",
                    {.inputs = kComparisonWidth * encoder_.outputs(), .cells = options.hidden}),
        output_elmo_(options, integrator_.outputs()),
        pools_{SequencePooling(Pool::max), SequencePooling(Pool::min), SequencePooling(Pool::mean)},
        self_attentive_pool_("self_attentive_pool", output_elmo_.outputs()),
        maxout_("maxout",
                maxout_options(options, kTextPools * output_elmo_.outputs(), labels.size())) {}

  std::vector<Parameter*> parameters() override {
    return parameters_of(vectors_, feed_forward_, encoder_, integrator_, output_elmo_,
                         self_attentive_pool_, maxout_);
  }

  void initialize(std::uint64_t seed) override {
    initialize_layers(seed, vectors_, feed_forward_, encoder_, integrator_, maxout_);
  }

 private:
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers,
               Matrix& logits) override {
    texts_.clear();
    sequences_ = {};
    for (const TaskExample& example : batch) {
      texts_.push_back(example.texts.front());
      sequences_.add(example.texts.front().tokens());
    }
    themselves_.resize(batch.size());
    std::iota(themselves_.begin(), themselves_.end(), 0);

    vectors_.forward(texts_, options, workers, input_);
    feed_forward_.forward(input_, options, workers, fed_);
    encoder_.forward(fed_, sequences_, options, workers, encoded_);
    attention_.forward(encoded_, sequences_, themselves_, workers, attended_);
    compare(encoded_, attended_, compared_);
    integrator_.forward(compared_, sequences_, options, workers, integrated_);
    output_elmo_.forward(integrated_, texts_, options, output_);
    pooled_.resize(sequences_.count(), kTextPools * output_.columns);
    std::int64_t column = 0;
    for (SequencePooling& pool : pools_) {
      pool.forward(output_, sequences_, pooled_, column);
      column += output_.columns;
    }
    self_attentive_pool_.forward(output_, sequences_, pooled_, column);
    drop(options, dropout_, mask_id(DropoutMask::output), workers, pooled_);
    maxout_.forward(pooled_, options, workers, logits);
  }

  double backward(Matrix& logit_gradient, const PassOptions& options, Workers& workers) override {
    maxout_.backward(logit_gradient, options, workers, next_gradient_);
    drop(options, dropout_, mask_id(DropoutMask::output), workers, next_gradient_);
    gradient_.resize(output_.rows, output_.columns);
    std::int64_t column = 0;
    for (const SequencePooling& pool : pools_) {
      pool.backward(next_gradient_, column, gradient_);
      column += output_.columns;
    }
    self_attentive_pool_.backward(next_gradient_, column, gradient_);
    const double penalty = output_elmo_.backward(gradient_, options, next_gradient_);
    integrator_.backward(next_gradient_, options, workers, gradient_);
    encoded_gradient_.resize(encoded_.rows, encoded_.columns);
    compare_backward(encoded_, attended_, gradient_, encoded_gradient_, next_gradient_);
    attention_.backward(next_gradient_, workers, encoded_gradient_);
    encoder_.backward(encoded_gradient_, options, workers, gradient_);
    feed_forward_.backward(gradient_, options, workers, next_gradient_);
    return penalty + vectors_.backward(next_gradient_, options, workers);
  }

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

  // The current batch, with N tokens and B texts.
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
  Matrix gradient_;                       // input gradient of the backward pass so far
  Matrix next_gradient_;
  Matrix encoded_gradient_;
};

}  // namespace

TaskKind classify_kind() {
  // With dropout, the start takes long at a rate of 0.002.
  return {.name = "classify",
          .summary = "each text, by the biattentive classification network",
          .shape = {.texts = 1, .segments = true},
          .named_labels = true,
          .defaults = {{.hidden = 32, .dropout = 0.2F}, {.rate = 0.0005F}},
          // McCann et al. 2017, section 5
          .paper = {{.hidden = 300, .dropout = 0.3F}, {.batch = 32, .rate = 0.001F}},
          .make = make_task_model<TextClassifier>,
          .metric = [](const std::vector<std::string>&) { return kAccuracyMetric; },
          .scores = [](const std::vector<std::string>&,
                       const LabelSet& labels) -> std::unique_ptr<TaskScores> {
            return std::make_unique<LabelScores>(labels, false, false);
          }};
}

}  // namespace elmo
