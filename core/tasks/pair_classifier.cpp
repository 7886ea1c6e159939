// Classification of pairs: one label for two texts.
#include "core/nn/affine.h"
#include "core/nn/attention.h"
#include "core/nn/bilstm.h"
#include "core/nn/sequence_pooling.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {
namespace {

constexpr std::int64_t kPairPools = 2;  // mean, max

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kProjectionMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kHiddenMask = mask_id(DropoutMask::layer, 1001);

/// ESIM (Chen et al. 2017), the sequential model, as used with ELMo on SNLI (Peters et al. 2018,
/// section 4): x_k → biLSTMs → [h; ELMo] → attention of each text to the other → rectified
/// projection of [h; h̃; h − h̃; h ⊙ h̃] → biLSTM → mean and max of each text → rectified layer →
/// softmax. Both texts use the same weights. Each layer's input has the dropout of the options. The
/// loss of a pair is −log p of its label.
class PairClassifier final : public LabelModel {
 public:
  PairClassifier(const TaskOptions& options, const WordVocabulary& words,
                 std::span<const std::string> labels)
      : dropout_(options.dropout),
        vectors_(options, words),
        encoder_("encoder", encoder_options(options, vectors_.columns(), options.dropout)),
        output_elmo_(options, encoder_.outputs()),
        projection_("projection", output_elmo_.outputs(), options.hidden, options.dropout,
                    kProjectionMask),
        composition_("composition", {.inputs = options.hidden, .cells = options.hidden}),
        mean_pool_(Pool::mean),
        max_pool_(Pool::max),
        hidden_("hidden", 2 * kPairPools * composition_.outputs(), options.hidden, options.dropout,
                kHiddenMask),
        linear_("labels", options.hidden, static_cast<std::int64_t>(labels.size())) {}

  std::vector<Parameter*> parameters() override {
    return parameters_of(vectors_, encoder_, output_elmo_, projection_, composition_, hidden_,
                         linear_);
  }

  void initialize(std::uint64_t seed) override {
    initialize_layers(seed, vectors_, encoder_, projection_, composition_, hidden_, linear_);
  }

 private:
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers,
               Matrix& logits) override {
    const auto pairs = static_cast<std::int64_t>(batch.size());
    texts_.clear();
    others_.clear();
    sequences_ = {};
    for (const TaskExample& example : batch) {
      const std::int64_t first = sequences_.count();
      for (const TaskText& text : example.texts) {
        texts_.push_back(text);
        sequences_.add(text.tokens());
      }
      others_.push_back(first + 1);
      others_.push_back(first);
    }

    vectors_.forward(texts_, options, workers, input_);
    encoder_.forward(input_, sequences_, options, workers, encoded_);
    output_elmo_.forward(encoded_, texts_, options, rows_);
    attention_.forward(rows_, sequences_, others_, workers, attended_);
    projection_.forward(rows_, attended_, options, workers, projected_);
    composition_.forward(projected_, sequences_, options, workers, composed_);
    pooled_.resize(2 * pairs, kPairPools * composed_.columns);
    mean_pool_.forward(composed_, sequences_, pooled_, 0);
    max_pool_.forward(composed_, sequences_, pooled_, composed_.columns);
    pooled_.reshape(pairs, hidden_.inputs());
    drop(options, dropout_, mask_id(DropoutMask::output), workers, pooled_);
    hidden_.forward(pooled_, options, workers, combined_);
    linear_.forward(combined_, logits);
  }

  double backward(Matrix& logit_gradient, const PassOptions& options, Workers& workers) override {
    linear_.backward(logit_gradient, &next_gradient_);
    hidden_.backward(next_gradient_, options, workers, gradient_);
    drop(options, dropout_, mask_id(DropoutMask::output), workers, gradient_);
    gradient_.reshape(sequences_.count(), kPairPools * composed_.columns);
    next_gradient_.resize(composed_.rows, composed_.columns);
    mean_pool_.backward(gradient_, 0, next_gradient_);
    max_pool_.backward(gradient_, composed_.columns, next_gradient_);
    composition_.backward(next_gradient_, options, workers, gradient_);
    projection_.backward(gradient_, options, workers, row_gradient_, next_gradient_);
    attention_.backward(next_gradient_, workers, row_gradient_);
    const double penalty = output_elmo_.backward(row_gradient_, options, gradient_);
    encoder_.backward(gradient_, options, workers, next_gradient_);
    return penalty + vectors_.backward(next_gradient_, options, workers);
  }

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

  // The current batch, with B pairs and N tokens in total. Texts 2b and 2b + 1 are pair b.
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
  Matrix gradient_;                   // input gradient of the backward pass so far
  Matrix next_gradient_;
  Matrix row_gradient_;
};

}  // namespace

TaskKind pair_kind() {
  return {.name = "pair",
          .summary = "each pair of texts, by ESIM",
          .shape = {.texts = 2, .segments = true},
          .named_labels = true,
          // Chosen on pairs of SNLI.
          .defaults = {{.mix = {.dropout = 0.5F}, .dropout = 0.2F},
                       {.batch = 32,
                        .rate = 0.001F,
                        .label_weights = LabelWeights::dev,
                        .average = 0.999F}},
          // Chen et al. 2017, section 4
          .paper = {{.hidden = 300}, {.batch = 32, .rate = 0.0004F}},
          .make = make_task_model<PairClassifier>,
          .metric = [](const std::vector<std::string>&) { return kAccuracyMetric; },
          .scores = [](const std::vector<std::string>&,
                       const LabelSet& labels) -> std::unique_ptr<TaskScores> {
            return std::make_unique<LabelScores>(labels, false, false);
          }};
}

}  // namespace elmo
