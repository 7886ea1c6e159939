// Sequence labeling: one label for each token.
#include "core/nn/affine.h"
#include "core/nn/bilstm.h"
#include "core/nn/crf.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_kind.h"
#include "core/tasks/common/token_vectors.h"

namespace elmo {
namespace {

/// x_k → biLSTMs → [h; ELMo] → linear → CRF (Lample et al. 2016, Peters et al. 2018), with dropout
/// before and after each biLSTM. The loss of a sentence is −log p of its labels.
class Tagger final : public TaskModel {
 public:
  Tagger(const TaskOptions& options, const WordVocabulary& words,
         std::span<const std::string> labels)
      : dropout_(options.dropout),
        vectors_(options, words),
        lstms_("bilstm", encoder_options(options, vectors_.columns(), options.dropout)),
        output_elmo_(options, lstms_.outputs()),
        linear_("labels", output_elmo_.outputs(), static_cast<std::int64_t>(labels.size())),
        crf_("crf", label_transitions(labels)) {}

  std::vector<Parameter*> parameters() override {
    return parameters_of(vectors_, lstms_, output_elmo_, linear_, crf_);
  }

  void initialize(std::uint64_t seed) override {
    initialize_layers(seed, vectors_, lstms_, linear_);
  }

  double train(TaskBatch batch, const PassOptions& options, Workers& workers) override {
    forward(batch, options, workers);
    labels_.clear();
    for (const TaskExample& example : batch) {
      const std::vector<std::int32_t>& labels = example.gold->as<LabelGold>().labels;
      labels_.insert(labels_.end(), labels.begin(), labels.end());
    }
    const float scale = 1.0F / static_cast<float>(batch.size());
    const double loss = crf_.loss(emissions_, sequences_, labels_, scale, workers, gradient_);
    return loss * scale + backward(options, workers);
  }

  std::vector<PredictionPointer> predict(TaskBatch batch, Workers& workers) override {
    forward(batch, {}, workers);
    labels_.resize(static_cast<std::size_t>(sequences_.rows()));
    std::vector<float> scores(labels_.size());
    crf_.decode(emissions_, sequences_, workers, labels_, scores);
    std::vector<PredictionPointer> predictions;
    for (std::int64_t sequence = 0; sequence < sequences_.count(); ++sequence) {
      const std::int64_t begin = sequences_.begin(sequence);
      const std::int64_t end = begin + sequences_.length(sequence);
      predictions.push_back(std::make_shared<LabelPrediction>(
          std::vector(labels_.begin() + begin, labels_.begin() + end),
          std::vector(scores.begin() + begin, scores.begin() + end)));
    }
    return predictions;
  }

 private:
  // Computes everything up to the emissions.
  void forward(TaskBatch batch, const PassOptions& options, Workers& workers) {
    sequences_ = {};
    texts_.clear();
    for (const TaskExample& example : batch) {
      sequences_.add(example.texts.front().tokens());
      texts_.push_back(example.texts.front());
    }
    vectors_.forward(texts_, options, workers, input_);
    lstms_.forward(input_, sequences_, options, workers, hidden_);
    output_elmo_.forward(hidden_, texts_, options, output_);
    drop(options, dropout_, mask_id(DropoutMask::output), workers, output_);
    linear_.forward(output_, emissions_);
  }

  // Starts from the gradient with respect to the emissions. Returns the penalties.
  double backward(const PassOptions& options, Workers& workers) {
    linear_.backward(gradient_, &next_gradient_);
    drop(options, dropout_, mask_id(DropoutMask::output), workers, next_gradient_);
    const double penalty = output_elmo_.backward(next_gradient_, options, gradient_);
    lstms_.backward(gradient_, options, workers, next_gradient_);
    return penalty + vectors_.backward(next_gradient_, options, workers);
  }

  float dropout_;
  TokenVectors vectors_;
  BiLstmStack lstms_;
  OutputElmo output_elmo_;
  Affine linear_;
  Crf crf_;

  // The current batch.
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

}  // namespace

TaskKind tag_kind() {
  // 16.8 million transitions take about 400 MB with Adam and the averages, and seconds per
  // sentence.
  constexpr std::size_t kMaxTagLabels = 4096;
  return {.name = "tag",
          .summary = "each token, by biLSTMs and a CRF",
          .shape = {.texts = 1, .token_labels = true},
          .named_labels = true,
          .defaults = {},
          // Peters et al. 2018, appendix A.7
          .paper = {{.layers = 2, .hidden = 200}, {.batch = 32, .rate = 0.001F}},
          .weighs_label_pairs = true,
          .max_labels = kMaxTagLabels,
          .make = make_task_model<Tagger>,
          .metric =
              [](const std::vector<std::string>& labels) {
                return span_scheme(labels) ? kF1Metric : kAccuracyMetric;
              },
          .scores = [](const std::vector<std::string>& learned,
                       const LabelSet& labels) -> std::unique_ptr<TaskScores> {
            return std::make_unique<LabelScores>(labels, true, span_scheme(learned).has_value());
          }};
}

}  // namespace elmo
