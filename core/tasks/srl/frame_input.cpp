#include "core/tasks/srl/frame_input.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/kernels/optimizer_kernels.h"
#include "core/kernels/sgemm.h"
#include "core/nn/initialize.h"
#include "core/nn/row_pieces.h"

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
  multiply({indicators_.values.data(), indicators_.columns},
           {weights_.values.data() + inputs() * columns, columns}, 2, columns, indicators_.columns,
           indicator_sums_.values.data(), columns, Result::replaced);
  // All rows except the predicates' have the first vector.
  const float* other = indicator_sums_.row(0);
  token_sums_.set_shape(input.rows, columns);
  for_blocks(input.rows, kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      std::copy_n(other, columns, token_sums_.row(row));
    }
    multiply({input.row(begin), inputs()}, {weights_.values.data(), columns}, end - begin, columns,
             inputs(), token_sums_.row(begin), columns, Result::added);
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
  add_column_sums(token_sums_.values.data(), token_sums_.rows, columns, other);
}

void FrameInput::backward(const Matrix& gradient, Workers& workers, Matrix& input_gradient) {
  const std::int64_t columns = outputs();
  sum_frames(gradient, workers);
  // In blocks of rows of the weights.
  for_blocks(inputs(), kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    multiply({input_->values.data() + begin, inputs(), true}, {token_sums_.values.data(), columns},
             end - begin, columns, token_sums_.rows, weights_.gradient.data() + begin * columns,
             columns, Result::added);
  });
  input_gradient.set_shape(token_sums_.rows, inputs());
  for_blocks(token_sums_.rows, kProductRows, workers, [&](std::int64_t begin, std::int64_t end) {
    multiply({token_sums_.row(begin), columns}, {weights_.values.data(), columns, true},
             end - begin, inputs(), columns, input_gradient.row(begin), inputs(), Result::replaced);
  });
  const float* indicator_weights = weights_.values.data() + inputs() * columns;
  multiply({indicators_.values.data(), indicators_.columns, true},
           {indicator_sums_.values.data(), columns}, indicators_.columns, columns, 2,
           weights_.gradient.data() + inputs() * columns, columns, Result::added);
  multiply({indicator_sums_.values.data(), columns}, {indicator_weights, columns, true}, 2,
           indicators_.columns, columns, indicators_.values.data(), indicators_.columns,
           Result::replaced);
  indicator_.backward(indicators_, 0);
}

}  // namespace elmo
