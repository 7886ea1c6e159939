#include "core/tasks/text_classifier.h"

#include <numeric>
#include <utility>

#include "core/nn/layer.h"
#include "core/tasks/common/label_scores.h"

namespace elmo {
namespace {

constexpr std::int64_t kTextPools = 4;  // max, min, mean, self-attentive

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kFeedForwardMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kMaxoutMask = mask_id(DropoutMask::layer, 1001);

float later_dropout(const TaskOptions& options) { return options.dropout / 2; }

// The first layer has half as many outputs as the pooled biLSTM states, and each further layer half
// as many as the one before, as in the published model. ELMo at the output adds none.
MaxoutNetwork::Options maxout_options(const TaskOptions& options, std::int64_t inputs,
                                      std::int64_t labels) {
  MaxoutNetwork::Options maxout;
  maxout.inputs = inputs;
  const std::int64_t pooled = kTextPools * 2 * options.hidden;
  maxout.outputs = {pooled / 2, pooled / 4, labels};
  maxout.dropout = later_dropout(options);
  maxout.mask_id = kMaxoutMask;
  return maxout;
}

}  // namespace

TextClassifier::TextClassifier(const TaskOptions& options, const WordVocabulary& words,
                               std::int64_t labels)
    : dropout_(later_dropout(options)),
      vectors_(options, words),
      feed_forward_("feed_forward", vectors_.columns(), options.hidden, later_dropout(options),
                    kFeedForwardMask),
      encoder_("encoder", {.inputs = options.hidden,
                           .cells = options.hidden,
                           .layers = options.layers,
                           .dropout = later_dropout(options),
                           .mask_id = mask_id(DropoutMask::layer)}),
      integrator_("integrator",
                  {.inputs = kComparisonWidth * encoder_.outputs(), .cells = options.hidden}),
      output_elmo_(options, integrator_.outputs()),
      pools_{SequencePooling(Pool::max), SequencePooling(Pool::min), SequencePooling(Pool::mean)},
      self_attentive_pool_("self_attentive_pool", output_elmo_.outputs()),
      maxout_("maxout", maxout_options(options, kTextPools * output_elmo_.outputs(), labels)) {}

std::vector<Parameter*> TextClassifier::parameters() {
  return parameters_of(vectors_, feed_forward_, encoder_, integrator_, output_elmo_,
                       self_attentive_pool_, maxout_);
}

void TextClassifier::initialize(std::uint64_t seed) {
  initialize_layers(seed, vectors_, feed_forward_, encoder_, integrator_, maxout_);
}

// Computes everything up to the logits.
void TextClassifier::forward(TaskBatch batch, const PassOptions& options, Workers& workers) {
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
  maxout_.forward(pooled_, options, workers, logits_);
}

// Starts from the gradient of the logits. Returns the penalties.
double TextClassifier::backward(const PassOptions& options, Workers& workers) {
  maxout_.backward(logits_, options, workers, next_gradient_);
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

double TextClassifier::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  forward(batch, options, workers);
  const double loss = label_loss(batch, logits_);
  return loss + backward(options, workers);
}

void TextClassifier::predict(TaskBatch batch, Workers& workers,
                             std::vector<TaskPrediction>& predictions) {
  forward(batch, {}, workers);
  predict_labels(logits_, predictions);
}

TaskKindEntry classify_kind() {
  // With dropout, the start takes long at a rate of 0.002.
  return {
      TaskKind::classify,
      "classify",
      "each text, by the biattentive classification network",
      {.texts = 1, .segments = true},
      true,
      {.hidden = 32, .dropout = 0.2F, .rate = 0.0005F},
      // McCann et al. 2017, section 5
      {.hidden = 300, .dropout = 0.3F, .batch = 32, .rate = 0.001F},
      false,
      kMaxLabels,
      [](const TaskOptions& options, const WordVocabulary& words,
         const std::vector<std::string>& labels) -> std::unique_ptr<TaskModel> {
        return std::make_unique<TextClassifier>(options, words,
                                                static_cast<std::int64_t>(labels.size()));
      },
      [](const std::vector<std::string>&) { return TaskMetric::accuracy; },
      [](const std::vector<std::string>&, const LabelSet& labels) -> std::unique_ptr<TaskScores> {
        return std::make_unique<LabelScores>(labels, false, false);
      }};
}

}  // namespace elmo
