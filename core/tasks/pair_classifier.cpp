#include "core/tasks/pair_classifier.h"

#include "core/nn/layer.h"
#include "core/tasks/common/label_scores.h"

namespace elmo {
namespace {

constexpr std::int64_t kPairPools = 2;  // mean, max

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kProjectionMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kHiddenMask = mask_id(DropoutMask::layer, 1001);

}  // namespace

PairClassifier::PairClassifier(const TaskOptions& options, const WordVocabulary& words,
                               std::int64_t labels)
    : dropout_(options.dropout),
      vectors_(options, words),
      encoder_("encoder", {.inputs = vectors_.columns(),
                           .cells = options.hidden,
                           .layers = options.layers,
                           .dropout = options.dropout,
                           .mask_id = mask_id(DropoutMask::layer)}),
      output_elmo_(options, encoder_.outputs()),
      projection_("projection", output_elmo_.outputs(), options.hidden, options.dropout,
                  kProjectionMask),
      composition_("composition", {.inputs = options.hidden, .cells = options.hidden}),
      mean_pool_(Pool::mean),
      max_pool_(Pool::max),
      hidden_("hidden", 2 * kPairPools * composition_.outputs(), options.hidden, options.dropout,
              kHiddenMask),
      linear_("labels", options.hidden, labels) {}

std::vector<Parameter*> PairClassifier::parameters() {
  return parameters_of(vectors_, encoder_, output_elmo_, projection_, composition_, hidden_,
                       linear_);
}

void PairClassifier::initialize(std::uint64_t seed) {
  initialize_layers(seed, vectors_, encoder_, projection_, composition_, hidden_, linear_);
}

// Computes everything up to the logits.
void PairClassifier::forward(TaskBatch batch, const PassOptions& options, Workers& workers) {
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
  linear_.forward(combined_, logits_);
}

// Starts from the gradient of the logits. Returns the penalties.
double PairClassifier::backward(const PassOptions& options, Workers& workers) {
  linear_.backward(logits_, &next_gradient_);
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

double PairClassifier::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  forward(batch, options, workers);
  const double loss = label_loss(batch, logits_);
  return loss + backward(options, workers);
}

void PairClassifier::predict(TaskBatch batch, Workers& workers,
                             std::vector<TaskPrediction>& predictions) {
  forward(batch, {}, workers);
  predict_labels(logits_, predictions);
}

TaskKindEntry pair_kind() {
  return {
      TaskKind::pair,
      "pair",
      "each pair of texts, by ESIM",
      {.texts = 2, .segments = true},
      true,
      // Chosen on pairs of SNLI.
      {.dropout = 0.2F,
       .elmo_dropout = 0.5F,
       .batch = 32,
       .rate = 0.001F,
       .label_weights = LabelWeights::dev,
       .average = 0.999F},
      // Chen et al. 2017, section 4
      {.hidden = 300, .batch = 32, .rate = 0.0004F},
      false,
      kMaxLabels,
      [](const TaskOptions& options, const WordVocabulary& words,
         const std::vector<std::string>& labels) -> std::unique_ptr<TaskModel> {
        return std::make_unique<PairClassifier>(options, words,
                                                static_cast<std::int64_t>(labels.size()));
      },
      [](const std::vector<std::string>&) { return TaskMetric::accuracy; },
      [](const std::vector<std::string>&, const LabelSet& labels) -> std::unique_ptr<TaskScores> {
        return std::make_unique<LabelScores>(labels, false, false);
      }};
}

}  // namespace elmo
