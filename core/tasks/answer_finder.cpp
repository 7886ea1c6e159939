#include "core/tasks/answer_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "core/kernels/optimizer_kernels.h"
#include "core/nn/cross_entropy.h"
#include "core/nn/layer.h"
#include "core/tasks/common/task_kind.h"

namespace elmo {
namespace {

// The encoder's dropout masks come first, one per layer.
constexpr std::uint32_t kAttentionMask = mask_id(DropoutMask::layer, 1000);
constexpr std::uint32_t kModelingMask = mask_id(DropoutMask::layer, 1001);
constexpr std::uint32_t kSelfMask = mask_id(DropoutMask::layer, 1002);

// Number of windows of an example to predict at once, so that memory does not grow with its
// context.
constexpr std::size_t kWindowsAtOnce = 16;

void copy_rows(const ConstFloatView& from, Workers& workers, const FloatView& to) {
  for_row_pieces(to.rows, workers, [&](std::int64_t begin, std::int64_t end) {
    copy_rows(from.row_range(begin, end - begin), to.row_range(begin, end - begin));
  });
}

void add_rows(const ConstFloatView& from, Workers& workers, const FloatView& to) {
  for_row_pieces(to.rows, workers, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      add(from.values + row * from.stride, to.columns, to.values + row * to.stride);
    }
  });
}

// log Σ exp.
double log_sum(std::span<const float> scores) {
  const double largest = *std::ranges::max_element(scores);
  double sum = 0.0;
  for (const float score : scores) sum += std::exp(double{score} - largest);
  return largest + std::log(sum);
}

}  // namespace

AnswerFinder::AnswerFinder(const TaskOptions& options, const WordVocabulary& words)
    : dropout_(options.dropout),
      vectors_(options, words),
      encoder_("encoder", encoder_options(options, vectors_.columns(), options.dropout)),
      output_elmo_(options, encoder_.outputs()),
      attention_("attention", output_elmo_.outputs()),
      projection_("projection", attention_.outputs(), 2 * options.hidden, options.dropout,
                  kAttentionMask),
      modeling_("modeling", {.inputs = projection_.outputs(), .cells = options.hidden}),
      self_attention_("self_attention", modeling_.outputs()),
      self_projection_("self_projection", self_attention_.outputs(), 2 * options.hidden,
                       options.dropout, kSelfMask),
      start_("start", {.inputs = 2 * options.hidden, .cells = options.hidden}),
      start_scorer_("start_scores", start_.outputs(), 1),
      end_("end", {.inputs = 2 * options.hidden + start_.outputs(), .cells = options.hidden}),
      end_scorer_("end_scores", end_.outputs(), 1) {}

std::vector<Parameter*> AnswerFinder::parameters() {
  return parameters_of(vectors_, encoder_, output_elmo_, attention_, projection_, modeling_,
                       self_attention_, self_projection_, start_, start_scorer_, end_, end_scorer_);
}

void AnswerFinder::initialize(std::uint64_t seed) {
  initialize_layers(seed, vectors_, encoder_, attention_, projection_, modeling_, self_attention_,
                    self_projection_, start_, start_scorer_, end_, end_scorer_);
}

void AnswerFinder::set_batch(TaskBatch batch) {
  texts_.clear();
  question_of_.clear();
  question_sequences_ = {};
  window_sequences_ = {};
  for (const TaskExample& example : batch) {
    texts_.push_back(example.texts.front());
    question_sequences_.add(example.texts.front().tokens());
  }
  for (std::size_t e = 0; e < batch.size(); ++e) {
    for (const TaskText& window : batch[e].texts.subspan(1)) {
      texts_.push_back(window);
      window_sequences_.add(window.tokens());
      question_of_.push_back(static_cast<std::int64_t>(e));
    }
  }
  sequences_ = {};
  for (const TaskText& text : texts_) sequences_.add(text.tokens());
}

// Computes everything up to the scores.
void AnswerFinder::forward(TaskBatch batch, const PassOptions& options, Workers& workers) {
  set_batch(batch);
  vectors_.forward(texts_, options, workers, input_);
  encoder_.forward(input_, sequences_, options, workers, encoded_);
  output_elmo_.forward(encoded_, texts_, options, rows_);
  drop(options, dropout_, mask_id(DropoutMask::output), workers, rows_);
  questions_.set_shape(question_sequences_.rows(), rows_.columns);
  contexts_.set_shape(window_sequences_.rows(), rows_.columns);
  copy_rows(rows_.view(0, questions_.rows), workers, questions_.view());
  copy_rows(rows_.view(questions_.rows, contexts_.rows), workers, contexts_.view());
  attention_.forward(contexts_, window_sequences_, questions_, question_sequences_, question_of_,
                     workers, attended_);
  projection_.forward(attended_, options, workers, projected_);
  modeling_.forward(projected_, window_sequences_, options, workers, modeled_);
  drop(options, dropout_, kModelingMask, workers, modeled_);
  self_attention_.forward(modeled_, window_sequences_, workers, self_attended_);
  self_projection_.forward(self_attended_, options, workers, self_projected_);
  summed_ = self_projected_;
  add_rows(projected_.view(), workers, summed_.view());
  start_.forward(summed_, window_sequences_, options, workers, start_rows_);
  start_scorer_.forward(start_rows_, start_scores_);
  const std::int64_t width = summed_.columns;
  end_input_.set_shape(summed_.rows, width + start_rows_.columns);
  copy_rows(summed_.view(), workers, end_input_.view().column_range(0, width));
  copy_rows(start_rows_.view(), workers,
            end_input_.view().column_range(width, start_rows_.columns));
  end_.forward(end_input_, window_sequences_, options, workers, end_rows_);
  end_scorer_.forward(end_rows_, end_scores_);
}

// Mean loss over the examples. Replaces the scores by their gradients. If no window contains a
// whole answer, its start counts in one window and its end in another.
double AnswerFinder::loss(TaskBatch batch) {
  const float share = 1.0F / static_cast<float>(batch.size());
  double sum = 0.0;
  std::int64_t window = 0;
  for (const TaskExample& example : batch) {
    const std::int64_t first_row = window_sequences_.begin(window);
    const auto& question = example.gold->as<AskedQuestion>();
    const auto windows = static_cast<std::int64_t>(question.window_begins.size());
    const auto size =
        static_cast<std::size_t>(window_sequences_.begin(window + windows) - first_row);
    // 0: starts, 1: ends.
    for (const std::size_t edge : {0U, 1U}) {
      std::vector<std::uint8_t> right(size, 0);
      for (std::int64_t w = 0; w < windows; ++w) {
        const std::int64_t begin = window_sequences_.begin(window + w) - first_row;
        const std::int64_t length = window_sequences_.length(window + w);
        for (const AnswerSpan& span : question.spans) {
          const std::int64_t at = (edge == 0 ? span.first : span.last) -
                                  question.window_begins[static_cast<std::size_t>(w)];
          if (at >= 0 && at < length) right[static_cast<std::size_t>(begin + at)] = 1;
        }
      }
      Matrix& scores = edge == 0 ? start_scores_ : end_scores_;
      sum += summed_cross_entropy({scores.row(first_row), size}, right, share);
    }
    window += windows;
  }
  return sum * double{share};
}

// Starts from the gradients of the scores. Returns the penalties.
double AnswerFinder::backward(const PassOptions& options, Workers& workers) {
  end_scorer_.backward(end_scores_, &next_gradient_);
  end_.backward(next_gradient_, options, workers, gradient_);
  start_scorer_.backward(start_scores_, &next_gradient_);
  // The gradient of end_input_ is that of the sums, then a part of that of the starts.
  summed_gradient_.set_shape(gradient_.rows, summed_.columns);
  copy_rows(gradient_.view().column_range(0, summed_.columns), workers, summed_gradient_.view());
  add_rows(gradient_.view().column_range(summed_.columns, next_gradient_.columns), workers,
           next_gradient_.view());
  start_.backward(next_gradient_, options, workers, gradient_);
  add_rows(gradient_.view(), workers, summed_gradient_.view());

  gradient_ = summed_gradient_;
  self_projection_.backward(gradient_, options, workers, next_gradient_);
  self_attention_.backward(next_gradient_, workers, gradient_);
  drop(options, dropout_, kModelingMask, workers, gradient_);
  modeling_.backward(gradient_, options, workers, next_gradient_);
  add_rows(next_gradient_.view(), workers, summed_gradient_.view());

  projection_.backward(summed_gradient_, options, workers, next_gradient_);
  // Gradients with respect to the two inputs of attention_.
  Matrix& context_gradient = gradient_;
  Matrix& question_gradient = summed_gradient_;
  attention_.backward(next_gradient_, workers, context_gradient, question_gradient);
  next_gradient_.set_shape(rows_.rows, rows_.columns);
  copy_rows(question_gradient.view(), workers, next_gradient_.view(0, question_gradient.rows));
  copy_rows(context_gradient.view(), workers,
            next_gradient_.view(question_gradient.rows, context_gradient.rows));
  drop(options, dropout_, mask_id(DropoutMask::output), workers, next_gradient_);
  const double penalty = output_elmo_.backward(next_gradient_, options, gradient_);
  encoder_.backward(gradient_, options, workers, next_gradient_);
  return penalty + vectors_.backward(next_gradient_, options, workers);
}

double AnswerFinder::train(TaskBatch batch, const PassOptions& options, Workers& workers) {
  forward(batch, options, workers);
  const double mean = loss(batch);
  return mean + backward(options, workers);
}

AnswerPrediction AnswerFinder::best_answer(const TaskExample& example, const EdgeScores& scores) {
  const std::vector<std::int32_t>& begins = example.gold->as<AskedQuestion>().window_begins;
  double best = -std::numeric_limits<double>::infinity();
  AnswerPrediction prediction;
  std::size_t begin = 0;
  for (std::size_t w = 0; w < begins.size(); ++w) {
    const std::size_t end = begin + static_cast<std::size_t>(example.texts[w + 1].tokens());
    for (std::size_t first = begin; first < end; ++first) {
      for (std::size_t last = first; last < std::min(end, first + kMaxAnswerTokens); ++last) {
        const double score = double{scores.starts[first]} + double{scores.ends[last]};
        if (!(score > best)) continue;
        best = score;
        prediction.span = {begins[w] + static_cast<std::int32_t>(first - begin),
                           begins[w] + static_cast<std::int32_t>(last - begin)};
      }
    }
    begin = end;
  }
  const double all = log_sum(scores.starts) + log_sum(scores.ends);
  prediction.probability = static_cast<float>(std::exp(best - all));
  return prediction;
}

std::vector<PredictionPointer> AnswerFinder::predict(TaskBatch batch, Workers& workers) {
  std::vector<EdgeScores> scores(batch.size());
  for (std::size_t first = 0;; first += kWindowsAtOnce) {
    // Each question with its next windows, if any are left.
    std::vector<std::size_t> numbers;
    std::vector<std::vector<TaskText>> texts;
    std::vector<TaskExample> parts;
    for (std::size_t e = 0; e < batch.size(); ++e) {
      const std::size_t windows = batch[e].texts.size() - 1;
      if (windows <= first) continue;
      numbers.push_back(e);
      texts.push_back({batch[e].texts.front()});
      const auto part =
          batch[e].texts.subspan(1 + first, std::min(kWindowsAtOnce, windows - first));
      texts.back().insert(texts.back().end(), part.begin(), part.end());
      parts.push_back({.texts = texts.back()});
    }
    if (numbers.empty()) break;
    forward(parts, {}, workers);
    const float* start = start_scores_.values.data();
    const float* end = end_scores_.values.data();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto rows = parts[i].tokens() - parts[i].texts.front().tokens();
      EdgeScores& to = scores[numbers[i]];
      to.starts.insert(to.starts.end(), start, start + rows);
      to.ends.insert(to.ends.end(), end, end + rows);
      start += rows;
      end += rows;
    }
  }
  std::vector<PredictionPointer> predictions;
  for (std::size_t e = 0; e < batch.size(); ++e) {
    predictions.push_back(std::make_shared<AnswerPrediction>(best_answer(batch[e], scores[e])));
  }
  return predictions;
}

TaskKind qa_kind() {
  // Clark and Gardner 2017, section 4, has these sizes.
  return {
      .name = "qa",
      .summary = "the answer to each question in its context, by BiDAF with self-attention",
      .shape = {.texts = 2, .records = true, .segments = true},
      .defaults = {{.hidden = 100, .dropout = 0.2F},
                   {.batch = 40, .rate = 0.001F, .average = 0.999F}},
      .paper = {{.hidden = 100, .dropout = 0.2F}, {.batch = 45, .rate = 0.001F, .average = 0.999F}},
      .make = [](const TaskOptions& options, const WordVocabulary& words,
                 const std::vector<std::string>&) -> std::unique_ptr<TaskModel> {
        return std::make_unique<AnswerFinder>(options, words);
      },
      .metric = [](const std::vector<std::string>&) { return kF1Metric; },
      .scores = [](const std::vector<std::string>&, const LabelSet&)
          -> std::unique_ptr<TaskScores> { return std::make_unique<AnswerScores>(); }};
}

}  // namespace elmo
