#include "core/inference/perplexity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/kernels/softmax.h"
#include "core/resources.h"
#include "core/workers.h"

namespace elmo {

namespace {

/// An activation and the word that it should predict.
struct Prediction {
  const float* activation;  ///< [P]
  std::int32_t target;      ///< row of the softmax
};

/// Working memory of one thread. Not for two threads at once.
struct FullSoftmaxWorkspace {
  GemmWorkspace gemm;
  AlignedVector<float> activations;  // [kBlockRows, P]
  AlignedVector<float> logits;       // [kBlockRows, kTileWords]
  AlignedVector<float> maximum;      // [kBlockRows]
  AlignedVector<double> sum;         // [kBlockRows]
  AlignedVector<float> target;       // [kBlockRows] logits
};

/// Weights of a softmax, packed in tiles of the vocabulary. Immutable; any thread.
class FullSoftmax {
 public:
  // Predictions and words whose logits are computed together: 1 MiB, which fits into a core's L2
  // cache.
  static constexpr std::int64_t kBlockRows = 256;
  static constexpr std::int64_t kTileWords = 1024;

  /// Packs `softmax`, which must outlive this object, for activations of `width` numbers (P).
  FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width);

  /// Writes ln p of the target of each prediction to `result`, in order. At most kBlockRows
  /// predictions.
  void log_probabilities(std::span<const Prediction> predictions, double* result,
                         FullSoftmaxWorkspace& workspace) const;

 private:
  std::vector<PackedMatrix> tiles_;
  std::span<const float> bias_;
  std::int64_t width_;
};

/// NumericError for a logit that no trained softmax gives.
void require_plausible(float logit) {
  // Beyond it, float32 has no fractions.
  constexpr float kMaxLogit = 1U << 24U;
  if (std::abs(logit) <= kMaxLogit) return;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", double{logit});
  throw NumericError(std::string("the softmax gives a word the logit ") + text.data() +
                     "; expected at most 16777216; its weights are damaged, or belong to another "
                     "model");
}

FullSoftmax::FullSoftmax(const SoftmaxLayer& softmax, std::int64_t width)
    : bias_(softmax.bias.values), width_(width) {
  const std::int64_t words = softmax.vocabulary.size();
  WeightMemory memory;
  AlignedVector<float> transposed(static_cast<std::size_t>(width * kTileWords));
  for (std::int64_t first = 0; first < words; first += kTileWords) {
    const std::int64_t count = std::min(kTileWords, words - first);
    for (std::int64_t word = 0; word < count; ++word) {
      const float* row = softmax.weights.values.data() + (first + word) * width;
      for (std::int64_t k = 0; k < width; ++k) {
        transposed[static_cast<std::size_t>(k * kTileWords + word)] = row[k];
      }
    }
    tiles_.emplace_back(transposed.data(), width, count, kTileWords, Precision::float32, memory);
  }
}

void FullSoftmax::log_probabilities(std::span<const Prediction> predictions, double* result,
                                    FullSoftmaxWorkspace& workspace) const {
  const auto rows = static_cast<std::int64_t>(predictions.size());
  grow(workspace.activations, kBlockRows * width_);
  grow(workspace.logits, kBlockRows * kTileWords);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::copy_n(predictions[static_cast<std::size_t>(row)].activation, width_,
                workspace.activations.data() + row * width_);
  }
  workspace.maximum.assign(predictions.size(), -std::numeric_limits<float>::infinity());
  workspace.sum.assign(predictions.size(), 0.0);
  workspace.target.resize(predictions.size());

  std::int64_t first = 0;
  for (const PackedMatrix& tile : tiles_) {
    const std::int64_t words = tile.columns();
    const float* bias = bias_.data() + first;
    workspace.gemm.multiply(workspace.activations.data(), tile, workspace.logits.data(), rows,
                            false);
    accumulate_exponentials(workspace.logits.data(), rows, words, words, bias,
                            workspace.maximum.data(), workspace.sum.data());
    for (std::size_t row = 0; row < predictions.size(); ++row) {
      const std::int64_t column = predictions[row].target - first;
      if (column < 0 || column >= words) continue;
      workspace.target[row] =
          workspace
              .logits[row * static_cast<std::size_t>(words) + static_cast<std::size_t>(column)] +
          bias[column];
    }
    first += words;
  }
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const float largest = workspace.maximum[row];
    require_plausible(largest);
    require_plausible(workspace.target[row]);
    // In this order: the logarithm would be lost beside a large logit.
    result[row] = (double{workspace.target[row]} - double{largest}) - std::log(workspace.sum[row]);
  }
}

// Tokens whose activations are computed together: enough to fill the lanes of the LSTMs, and few
// enough to report progress every few seconds.
constexpr std::size_t kBatchTokens = 16384;

// Computes predictions from the top layer on its own threads: while they compute a batch's softmax,
// the pipeline's workers compute the activations of the next one.
class PredictingSink final : public ActivationSink {
 public:
  PredictingSink(const SoftmaxLayer& softmax, std::int64_t width, int threads,
                 const std::atomic<bool>& stop, const PredictionListener& listener)
      : vocabulary_(softmax.vocabulary),
        softmax_(softmax, width),
        width_(width),
        stop_(stop),
        listener_(listener),
        workspaces_(static_cast<std::size_t>(threads)),
        workers_(threads) {}

  SinkTraits traits() const override { return {.awaited = listener_ != nullptr}; }
  void write(const ActivationBatch& batch) override {
    lay_out(batch);
    log_probabilities_.resize(predictions_.size());
    predict();
    if (!stop_) add_up(batch);
  }

  const PerplexityResult& result() const { return result_; }

 private:
  // Collects the targets of all sentences and, for each sentence, the forward and then the backward
  // predictions.
  void lay_out(const ActivationBatch& batch) {
    targets_.clear();
    predictions_.clear();
    const float* activation = batch.activations.data();
    for (const Sentence& sentence : batch.sentences) {
      if (sentence.size() == 0) continue;
      const std::size_t first = targets_.size();
      const std::size_t last = sentence.size() - 1;
      targets_.push_back(static_cast<std::int32_t>(vocabulary_.begin_sentence()));
      for (std::size_t token = 1; token < last; ++token) {
        targets_.push_back(static_cast<std::int32_t>(vocabulary_.row(sentence.token(token))));
      }
      targets_.push_back(static_cast<std::int32_t>(vocabulary_.end_sentence()));

      const auto row = [&](std::size_t token) {
        return activation + 2 * width_ * static_cast<std::int64_t>(token);
      };
      for (std::size_t token = 1; token <= last; ++token) {
        predictions_.push_back({row(token - 1), targets_[first + token]});
      }
      for (std::size_t token = 0; token < last; ++token) {
        predictions_.push_back({row(token + 1) + width_, targets_[first + token]});
      }
      activation = row(sentence.size());
    }
  }

  void predict() {
    std::atomic<std::size_t> next_block = 0;
    workers_.run(workspaces_.size(), [&](std::size_t job) {
      const auto block_rows = static_cast<std::size_t>(FullSoftmax::kBlockRows);
      while (!stop_) {
        const std::size_t first = block_rows * next_block++;
        if (first >= predictions_.size()) return;
        softmax_.log_probabilities(
            std::span(predictions_)
                .subspan(first, std::min(block_rows, predictions_.size() - first)),
            log_probabilities_.data() + first, workspaces_[job]);
      }
    });
  }

  void add_up(const ActivationBatch& batch) {
    std::span<const double> log_probabilities = log_probabilities_;
    std::span<const std::int32_t> targets = targets_;
    for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
      const Sentence& sentence = batch.sentences[s];
      if (sentence.size() > 0) {
        const std::size_t count = sentence.size() - 1;
        const SentencePrediction prediction{
            batch.number_of(s), sentence, log_probabilities.first(count),
            log_probabilities.subspan(count, count), targets.first(sentence.size())};
        add_up(prediction);
        if (listener_) listener_(prediction);
        log_probabilities = log_probabilities.subspan(2 * count);
        targets = targets.subspan(sentence.size());
      }
    }
  }

  void add_up(const SentencePrediction& prediction) {
    const std::size_t count = prediction.forward.size();
    ++result_.sentences;
    result_.tokens += count - 1;
    auto& [forward, backward] = result_.log_probability;
    for (std::size_t i = 0; i < count; ++i) {
      forward.all += prediction.forward[i];
      backward.all += prediction.backward[i];
      const auto unknown = static_cast<std::int32_t>(vocabulary_.unknown());
      if (prediction.targets[i + 1] == unknown) {
        ++result_.unknown;
        forward.unknown += prediction.forward[i];
      }
      if (prediction.targets[i] == unknown) backward.unknown += prediction.backward[i];
    }
  }

  const Vocabulary& vocabulary_;
  FullSoftmax softmax_;
  std::int64_t width_;  // P
  const std::atomic<bool>& stop_;
  const PredictionListener& listener_;
  std::vector<FullSoftmaxWorkspace> workspaces_;  // as many as workers
  Workers workers_;

  // The current batch.
  std::vector<std::int32_t> targets_;
  std::vector<Prediction> predictions_;
  std::vector<double> log_probabilities_;  // [predictions]

  PerplexityResult result_;
};

// Ends a source at the first sentence boundary after max_tokens tokens; 0: never.
class FirstSentences final : public SentenceSource {
 public:
  FirstSentences(SentenceSource& source, std::uint64_t max_tokens)
      : source_(source), max_tokens_(max_tokens) {}

  bool next(Sentence& sentence) override {
    if (max_tokens_ > 0 && tokens_ >= max_tokens_) return false;
    if (!source_.next(sentence)) return false;
    tokens_ += sentence.size();
    return true;
  }
  bool wait(std::chrono::microseconds time) override {
    return (max_tokens_ > 0 && tokens_ >= max_tokens_) || source_.wait(time);
  }

 private:
  SentenceSource& source_;
  std::uint64_t max_tokens_;
  std::uint64_t tokens_ = 0;
};

// Averages the sums of ln p of both directions. The root of the product of perplexities may
// overflow even if the result does not.
Perplexity perplexity_of(double forward, double backward, std::uint64_t predictions) {
  const double forward_loss = -forward / static_cast<double>(predictions);
  const double backward_loss = -backward / static_cast<double>(predictions);
  return {std::exp(forward_loss), std::exp(backward_loss),
          std::exp((forward_loss + backward_loss) / 2)};
}

}  // namespace

Perplexity PerplexityResult::perplexity() const {
  const auto& [forward, backward] = log_probability;
  return perplexity_of(forward.all, backward.all, predictions());
}

Perplexity PerplexityResult::known_perplexity() const {
  const auto& [forward, backward] = log_probability;
  return perplexity_of(forward.all - forward.unknown, backward.all - backward.unknown,
                       predictions() - unknown);
}

PerplexityResult perplexity(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                            const PerplexityOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress, const PredictionListener& listener) {
  const std::int64_t width = model.options().lstm.projection_dim;
  if (softmax.width() != width) {
    throw InputError("the softmax has " + std::to_string(softmax.width()) +
                     " weights a word, but the model's activations have " + std::to_string(width) +
                     " numbers; take the softmax that was trained with this model");
  }
  set_threads_of_this_thread(1);  // the softmax is packed here
  EmbedOptions embed_options;
  embed_options.layers = LayerSelection::top;
  embed_options.boundaries = true;
  embed_options.initial_state = options.initial_state;
  embed_options.lanes = options.lanes;
  const Resources resources{.batch_tokens = kBatchTokens,
                            .threads = threads_or_available(options.threads)};

  PredictingSink sink(softmax, width, resources.threads, stop, listener);
  FirstSentences sentences(source, options.max_tokens);
  const EmbedResult run = embed(model, sentences, sink, embed_options, resources, stop, progress);
  PerplexityResult result = sink.result();
  result.truncated = run.progress.truncated_tokens;
  result.completed = run.completed;
  return result;
}

}  // namespace elmo
