#include "core/task/tagger.h"

#include <algorithm>
#include <utility>

#include "core/task/spans.h"
#include "core/task/task_dropout.h"
#include "core/task/task_places.h"

namespace elmo {

namespace {

std::uint32_t layer_place(std::size_t layer) {
  return place(TaskPlace::layer, static_cast<std::uint32_t>(layer));
}

// Copies columns from … of each row to columns to ….
void copy_columns(const Matrix& from, std::int64_t from_column, Matrix& to, std::int64_t to_column,
                  std::int64_t columns) {
  for (std::int64_t row = 0; row < from.rows; ++row) {
    std::copy_n(from.row(row) + from_column, columns, to.row(row) + to_column);
  }
}

}  // namespace

LabelTransitions label_transitions(std::span<const std::string> labels) {
  LabelTransitions transitions = LabelTransitions::all(static_cast<std::int64_t>(labels.size()));
  const std::optional<SpanScheme> scheme = span_scheme(labels);
  if (!scheme) return transitions;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    transitions.begins[i] = may_follow(*scheme, "", labels[i]) ? 1 : 0;
    transitions.ends[i] = may_follow(*scheme, labels[i], "") ? 1 : 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      transitions.follows[i * labels.size() + j] =
          may_follow(*scheme, labels[i], labels[j]) ? 1 : 0;
    }
  }
  return transitions;
}

Tagger::Tagger(const TaskOptions& options, const WordVocabulary& words, LabelTransitions labels)
    : dropout_(options.dropout),
      vectors_(options, words),
      linear_("labels",
              2 * options.hidden + (options.elmo_at_output() ? options.bilm.mix_columns() : 0),
              labels.labels),
      crf_("crf", std::move(labels)) {
  std::int64_t columns = vectors_.columns();
  for (std::int64_t layer = 0; layer < options.layers; ++layer) {
    lstms_.emplace_back("bilstm_" + std::to_string(layer + 1), columns, options.hidden);
    columns = 2 * options.hidden;
  }
  if (options.elmo_at_output()) {
    elmo_.emplace("elmo_output", options, place(TaskPlace::output_elmo));
  }
  inputs_.resize(lstms_.size());
}

std::vector<Parameter*> Tagger::parameters() {
  std::vector<Parameter*> all = vectors_.parameters();
  const auto add = [&all](const std::vector<Parameter*>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  for (BiLstm& lstm : lstms_) add(lstm.parameters());
  if (elmo_) add(elmo_->parameters());
  add(linear_.parameters());
  add(crf_.parameters());
  return all;
}

void Tagger::initialize(std::uint64_t seed) {
  vectors_.initialize(seed);
  for (BiLstm& lstm : lstms_) lstm.initialize(seed);
  linear_.initialize(seed);
}

// Up to the emissions.
void Tagger::forward(TaskBatch batch, const PassOptions& options, Workers& workers) {
  sequences_ = {};
  texts_.clear();
  for (const TaskExample& example : batch) {
    sequences_.add(example.text.tokens());
    texts_.push_back(example.text);
  }
  vectors_.forward(texts_, options, workers, inputs_[0]);
  for (std::size_t layer = 0; layer < lstms_.size(); ++layer) {
    const bool last = layer + 1 == lstms_.size();
    Matrix& to = last ? (elmo_ ? hidden_ : output_) : inputs_[layer + 1];
    lstms_[layer].forward(inputs_[layer], sequences_, workers, to);
    if (!last) drop(options, dropout_, layer_place(layer), workers, to);
  }
  if (elmo_) {
    output_.resize(hidden_.rows, linear_.inputs());
    copy_columns(hidden_, 0, output_, 0, hidden_.columns);
    elmo_->forward(texts_, options, output_, hidden_.columns);
  }
  drop(options, dropout_, place(TaskPlace::output), workers, output_);
  linear_.forward(output_, emissions_);
}

// From the gradient with respect to the emissions; gives the penalties.
double Tagger::backward(const PassOptions& options, Workers& workers) {
  double penalty = 0.0;
  linear_.backward(gradient_, &next_gradient_);
  drop(options, dropout_, place(TaskPlace::output), workers, next_gradient_);
  if (elmo_) {
    penalty += elmo_->backward(next_gradient_, hidden_.columns, options);
    gradient_.resize(hidden_.rows, hidden_.columns);
    copy_columns(next_gradient_, 0, gradient_, 0, hidden_.columns);
  } else {
    std::swap(gradient_, next_gradient_);
  }
  for (std::size_t layer = lstms_.size(); layer-- > 0;) {
    lstms_[layer].backward(gradient_, workers, &next_gradient_);
    std::swap(gradient_, next_gradient_);
    if (layer > 0) drop(options, dropout_, layer_place(layer - 1), workers, gradient_);
  }
  return penalty + vectors_.backward(gradient_, options, workers);
}

double Tagger::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  forward(batch, options, workers);
  labels_.clear();
  for (const TaskExample& example : batch) {
    labels_.insert(labels_.end(), example.labels.begin(), example.labels.end());
  }
  const float scale = 1.0F / static_cast<float>(batch.size());
  const double loss = crf_.loss(emissions_, sequences_, labels_, scale, workers, gradient_);
  return loss * scale + backward(options, workers);
}

void Tagger::predict(TaskBatch batch, Workers& workers, std::vector<TaskPrediction>& predictions) {
  forward(batch, {}, workers);
  labels_.resize(static_cast<std::size_t>(sequences_.rows()));
  std::vector<float> scores(labels_.size());
  crf_.decode(emissions_, sequences_, workers, labels_, scores);
  predictions.clear();
  for (std::int64_t sequence = 0; sequence < sequences_.count(); ++sequence) {
    const std::int64_t begin = sequences_.begin(sequence);
    const std::int64_t end = begin + sequences_.length(sequence);
    predictions.push_back({{labels_.begin() + begin, labels_.begin() + end},
                           {scores.begin() + begin, scores.begin() + end}});
  }
}

}  // namespace elmo
