#include "core/tasks/role_labeler.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/product.h"
#include "core/nn/cross_entropy.h"
#include "core/tasks/common/spans.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {
namespace {

// Block sizes of one worker. They do not depend on the number of workers, so neither do the
// products. Products of fewer rows are slower.
constexpr std::int64_t kProductRows = 128;
constexpr std::int64_t kFrames = 8;
constexpr std::int64_t kSentences = 4;

constexpr std::array<std::int32_t, 2> kOtherAndPredicate = {0, 1};

}  // namespace

FrameInput::FrameInput(const std::string& name, std::int64_t inputs, std::int64_t indicator,
                       std::int64_t outputs)
    : indicator_(name + "/indicator", 2, indicator),
      weights_(name + "/W", {inputs + indicator, outputs}) {}

void FrameInput::initialize(std::uint64_t seed, std::int64_t cells) {
  indicator_.initialize(seed);
  const float bound = std::sqrt(6.0F / static_cast<float>(weights_.shape[0] + cells));
  fill_uniform(weights_.values, bound, parameter_key(weights_, seed));
}

void FrameInput::forward(const Matrix& input, const Sequences& sentences,
                         std::span<const Frame> frames, Workers& workers, Matrix& to) {
  input_ = &input;
  sentences_ = &sentences;
  frames_ = frames;
  const std::int64_t columns = outputs();
  indicators_.resize(2, indicator_.columns());
  indicator_.forward(kOtherAndPredicate, indicators_, 0);
  indicator_sums_.resize(2, columns);
  multiply(indicators_.view(), weights_.matrix().row_range(inputs(), indicators_.columns),
           indicator_sums_.view());
  // The predicates' rows have the second vector, all others the first.
  const float* other = indicator_sums_.row(0);
  token_sums_.set_shape(input.rows, columns);
  for_blocks(input.rows, kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    fill_rows(other, token_sums_.view(begin, end - begin));
    multiply(input.view(begin, end - begin), weights_.matrix().row_range(0, inputs()),
             token_sums_.view(begin, end - begin), Beta::one);
  });
  float* difference = indicator_sums_.row(1);
  for (std::int64_t c = 0; c < columns; ++c) difference[c] -= other[c];

  frame_begins_.assign(1, 0);
  for (const Frame& frame : frames) {
    frame_begins_.push_back(frame_begins_.back() + sentences.length(frame.sentence));
  }
  to.set_shape(frame_begins_.back(), columns);
  for_blocks(static_cast<std::int64_t>(frames.size()), kFrames, workers,
             [&](std::int64_t first, std::int64_t end) {
               for (std::int64_t n = first; n < end; ++n) {
                 const Frame& frame = frames[static_cast<std::size_t>(n)];
                 const std::int64_t begin = frame_begins_[static_cast<std::size_t>(n)];
                 std::copy_n(token_sums_.row(sentences.begin(frame.sentence)),
                             sentences.length(frame.sentence) * columns, to.row(begin));
                 add(difference, columns, to.row(begin + frame.predicate));
               }
             });
}

// The gradient of a token's sums is the sum over all frames of its sentence.
void FrameInput::sum_frames(const Matrix& gradient, Workers& workers) {
  const std::int64_t columns = outputs();
  std::vector<std::vector<std::int64_t>> begins(static_cast<std::size_t>(sentences_->count()));
  for (std::size_t n = 0; n < frames_.size(); ++n) {
    begins[static_cast<std::size_t>(frames_[n].sentence)].push_back(frame_begins_[n]);
  }
  token_sums_.resize(sentences_->rows(), columns);
  for_blocks(sentences_->count(), kSentences, workers, [&](std::int64_t first, std::int64_t end) {
    for (std::int64_t sentence = first; sentence < end; ++sentence) {
      for (const std::int64_t begin : begins[static_cast<std::size_t>(sentence)]) {
        add(gradient.row(begin), sentences_->length(sentence) * columns,
            token_sums_.row(sentences_->begin(sentence)));
      }
    }
  });
  indicator_sums_.resize(2, columns);
  float* other = indicator_sums_.row(0);
  float* predicate = indicator_sums_.row(1);
  for (std::size_t n = 0; n < frames_.size(); ++n) {
    const float* row = gradient.row(frame_begins_[n] + frames_[n].predicate);
    add(row, columns, predicate);
    for (std::int64_t c = 0; c < columns; ++c) other[c] -= row[c];
  }
  add_column_sums(token_sums_.view(), other);
}

void FrameInput::backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient) {
  sum_frames(gradient, workers);
  // Multiplies by blocks of the weights' rows.
  for_blocks(inputs(), kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    multiply(input_->view().transposed().row_range(begin, end - begin), token_sums_.view(),
             weights_.gradient_matrix().row_range(begin, end - begin), Beta::one);
  });
  input_gradient.set_shape(token_sums_.rows, inputs());
  for_blocks(token_sums_.rows, kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    multiply(token_sums_.view(begin, end - begin),
             weights_.matrix().row_range(0, inputs()).transposed(),
             input_gradient.view(begin, end - begin));
  });
  multiply(indicators_.view().transposed(), indicator_sums_.view(),
           weights_.gradient_matrix().row_range(inputs(), indicators_.columns), Beta::one);
  multiply(indicator_sums_.view(),
           weights_.matrix().row_range(inputs(), indicators_.columns).transposed(),
           indicators_.view());
  indicator_.backward(indicators_, 0);
}

namespace {

// Size of the indicator vectors (He et al. 2017).
constexpr std::int64_t kIndicatorColumns = 100;

// Rows of frames to predict at once: a long sentence with many predicates has millions.
constexpr std::int64_t kPredictedRows = 16384;

}  // namespace

RoleLabeler::RoleLabeler(const TaskOptions& options, const WordVocabulary& words,
                         std::span<const std::string> labels)
    : hidden_(options.hidden),
      vectors_(options, words),
      frame_input_("frame", vectors_.columns(), kIndicatorColumns, 6 * options.hidden),
      lstms_("lstm", {.cells = options.hidden,
                      .layers = options.layers,
                      .dropout = options.dropout,
                      .mask_id = mask_id(DropoutMask::layer)}),
      output_elmo_(options, lstms_.outputs()),
      linear_("labels", output_elmo_.outputs(), static_cast<std::int64_t>(labels.size())),
      decoder_("decoder", label_transitions(labels)),
      finder_lstm_("predicates/lstm", vectors_.columns(), (options.hidden + 1) / 2),
      finder_linear_("predicates", finder_lstm_.outputs(), 2) {}

std::vector<Parameter*> RoleLabeler::parameters() {
  return parameters_of(vectors_, frame_input_, lstms_, output_elmo_, linear_, finder_lstm_,
                       finder_linear_);
}

void RoleLabeler::initialize(std::uint64_t seed) {
  initialize_layers(seed, vectors_, lstms_, linear_, finder_lstm_, finder_linear_);
  frame_input_.initialize(seed, hidden_);
}

// Computes everything up to x, and collects the given frames.
void RoleLabeler::read(TaskBatch batch, const PassOptions& options, Workers& workers) {
  sentences_ = {};
  texts_.clear();
  frames_.clear();
  for (const TaskExample& example : batch) {
    if (example.gold != nullptr) {
      for (const std::int32_t predicate : example.gold->as<FrameGold>().predicates) {
        frames_.push_back({sentences_.count(), predicate});
      }
    }
    sentences_.add(example.texts.front().tokens());
    texts_.push_back(example.texts.front());
  }
  vectors_.forward(texts_, options, workers, input_);
}

// From x to the logits of the second head.
void RoleLabeler::find(Workers& workers) {
  finder_lstm_.forward(input_, sentences_, workers, found_);
  finder_linear_.forward(found_, finder_);
}

// From x to the emissions of `frames`. Requires at least one frame.
void RoleLabeler::label(std::span<const Frame> frames, const PassOptions& options,
                        Workers& workers) {
  frame_sequences_ = {};
  frame_texts_.clear();
  for (const Frame& frame : frames) {
    frame_sequences_.add(sentences_.length(frame.sentence));
    frame_texts_.push_back(texts_[static_cast<std::size_t>(frame.sentence)]);
  }
  frame_input_.forward(input_, sentences_, frames, workers, sums_);
  lstms_.forward(sums_, frame_sequences_, options, workers, hidden_rows_);
  output_elmo_.forward(hidden_rows_, frame_texts_, options, output_);
  linear_.forward(output_, workers, emissions_);
}

// Replaces the gradient with respect to x by the second head's. Returns its loss.
double RoleLabeler::train_finder(Workers& workers) {
  find(workers);
  labels_.assign(static_cast<std::size_t>(sentences_.rows()), 0);
  for (const Frame& frame : frames_) {
    labels_[static_cast<std::size_t>(sentences_.begin(frame.sentence) + frame.predicate)] = 1;
  }
  const float scale = 1.0F / static_cast<float>(sentences_.rows());
  const double loss = softmax_cross_entropy(finder_, labels_, scale);
  finder_linear_.backward(finder_, &gradient_);
  finder_lstm_.backward(gradient_, workers, &input_gradient_);
  return loss * scale;
}

// Adds to the gradient with respect to x. Returns the loss of the labels, including penalties.
double RoleLabeler::train_frames(TaskBatch batch, const PassOptions& options, Workers& workers) {
  if (frames_.empty()) return 0.0;
  label(frames_, options, workers);
  labels_.clear();
  for (const TaskExample& example : batch) {
    const std::vector<std::int32_t>& labels = example.gold->as<FrameGold>().labels;
    labels_.insert(labels_.end(), labels.begin(), labels.end());
  }
  const float scale = 1.0F / static_cast<float>(emissions_.rows);
  const double loss = softmax_cross_entropy(emissions_, labels_, scale);
  linear_.backward(emissions_, workers, gradient_);
  const double penalty = output_elmo_.backward(gradient_, options, next_gradient_);
  lstms_.backward(next_gradient_, workers, sums_);
  frame_input_.backward(sums_, workers, gradient_);
  add(gradient_.values.data(), gradient_.rows * gradient_.columns, input_gradient_.values.data());
  return loss * scale + penalty;
}

double RoleLabeler::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  read(batch, options, workers);
  const double finding = train_finder(workers);
  const double labeling = train_frames(batch, options, workers);
  return finding + labeling + vectors_.backward(input_gradient_, options, workers);
}

// Adds the labels of `frames`, in the order of their sentences, to the predictions.
void RoleLabeler::add_labels(std::span<const Frame> frames, Workers& workers,
                             std::vector<FramePrediction>& predictions) {
  label(frames, {}, workers);
  labels_.resize(static_cast<std::size_t>(emissions_.rows));
  std::vector<float> scores(labels_.size());
  decoder_.decode(emissions_, frame_sequences_, workers, labels_, scores);
  for (std::size_t n = 0; n < frames.size(); ++n) {
    FramePrediction& prediction = predictions[static_cast<std::size_t>(frames[n].sentence)];
    const std::int64_t begin = frame_sequences_.begin(static_cast<std::int64_t>(n));
    const std::int64_t end = frame_sequences_.begin(static_cast<std::int64_t>(n) + 1);
    prediction.labels.insert(prediction.labels.end(), labels_.begin() + begin,
                             labels_.begin() + end);
    prediction.scores.insert(prediction.scores.end(), scores.begin() + begin, scores.begin() + end);
  }
}

std::vector<PredictionPointer> RoleLabeler::predict(TaskBatch batch, Workers& workers) {
  read(batch, {}, workers);
  std::vector<FramePrediction> predictions(batch.size());
  std::vector<std::size_t> to_find;
  for (std::size_t sentence = 0; sentence < batch.size(); ++sentence) {
    if (batch[sentence].gold == nullptr) {
      to_find.push_back(sentence);
    } else {
      predictions[sentence].predicates = batch[sentence].gold->as<FrameGold>().predicates;
    }
  }
  if (!to_find.empty()) find(workers);
  for (const std::size_t sentence : to_find) {
    const auto number = static_cast<std::int64_t>(sentence);
    for (std::int64_t token = 0; token < sentences_.length(number); ++token) {
      const float* logits = finder_.row(sentences_.begin(number) + token);
      if (logits[1] <= logits[0]) continue;
      frames_.push_back({number, token});
      predictions[sentence].predicates.push_back(static_cast<std::int32_t>(token));
    }
  }
  const std::vector<Frame> frames = frames_;
  for (std::size_t first = 0; first < frames.size();) {
    std::size_t end = first;
    std::int64_t rows = 0;
    do {
      rows += sentences_.length(frames[end++].sentence);
    } while (end < frames.size() &&
             rows + sentences_.length(frames[end].sentence) <= kPredictedRows);
    add_labels(std::span(frames).subspan(first, end - first), workers, predictions);
    first = end;
  }
  std::vector<PredictionPointer> shared;
  shared.reserve(predictions.size());
  for (FramePrediction& prediction : predictions) {
    shared.push_back(std::make_shared<FramePrediction>(std::move(prediction)));
  }
  return shared;
}

TaskKind srl_kind() {
  constexpr std::size_t kMaxRoleLabels = 1024;  // PropBank has 100 to 150
  return {.name = "srl",
          .summary = "the arguments of each predicate, by deep LSTMs that alternate in direction",
          .shape = {.texts = 1, .records = true},
          .named_labels = true,
          // Chosen on PropBank's frames of the English Web Treebank.
          .defaults = {{.layers = 4, .hidden = 256, .dropout = 0.1F},
                       {.rate = 0.001F, .average = 0.999F, .clip = 1.0F}},
          // He et al. 2017, section 3.2: about 80 predicates a batch
          .paper = {{.layers = 8, .hidden = 300, .dropout = 0.1F},
                    {.batch = 25, .rate = 0.001F, .clip = 1.0F}},
          .max_labels = kMaxRoleLabels,
          .make = make_task_model<RoleLabeler>,
          .metric = [](const std::vector<std::string>&) { return kF1Metric; },
          .scores = [](const std::vector<std::string>&, const LabelSet& labels)
              -> std::unique_ptr<TaskScores> { return std::make_unique<RoleScores>(labels); }};
}

}  // namespace elmo
