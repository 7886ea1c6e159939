#include "core/inference/word_prediction.h"

#include <chrono>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/inference/activations.h"
#include "core/inference/full_softmax.h"
#include "core/resources.h"
#include "core/workers.h"

namespace elmo {
namespace {

// Tokens whose activations are computed together: enough to fill the lanes of the LSTMs, and few
// enough to report progress every few seconds.
constexpr std::size_t kBatchTokens = 16384;

// Computes predictions from the top layer on its own threads: while they compute a batch's softmax,
// the pipeline's workers compute the activations of the next one.
class PredictingSink final : public ActivationSink {
 public:
  PredictingSink(const SoftmaxLayer& softmax, std::int64_t width,
                 const WordPredictionOptions& options, int threads, const std::atomic<bool>& stop,
                 const PredictionListener& listener)
      : vocabulary_(softmax.vocabulary),
        softmax_(softmax, width),
        width_(width),
        awaited_(options.awaited),
        stop_(stop),
        listener_(listener),
        workspaces_(static_cast<std::size_t>(threads)),
        workers_(threads) {}

  SinkTraits traits() const override { return {.awaited = awaited_}; }
  void write(const ActivationBatch& batch) override {
    lay_out(batch);
    predict();
    if (!stop_) report(batch);
  }

 private:
  // Collects the words of all sentences and, for each sentence, the forward and then the backward
  // predictions, each with its context.
  void lay_out(const ActivationBatch& batch) {
    words_.clear();
    contexts_.clear();
    targets_.clear();
    numbers_.clear();
    const float* activation = batch.activations.data();
    for (const Sentence& sentence : batch.sentences) {
      if (sentence.size() == 0) continue;
      const std::size_t first = words_.size();
      const std::size_t last = sentence.size() - 1;
      words_.push_back(static_cast<std::int32_t>(vocabulary_.begin_sentence()));
      for (std::size_t token = 1; token < last; ++token) {
        words_.push_back(static_cast<std::int32_t>(
            vocabulary_.row(sentence.encoded(token), sentence.word(token))));
      }
      words_.push_back(static_cast<std::int32_t>(vocabulary_.end_sentence()));

      const auto row = [&](std::size_t token) {
        return activation + 2 * width_ * static_cast<std::int64_t>(token);
      };
      for (std::size_t token = 1; token <= last; ++token) {
        add_target(row(token - 1), words_[first + token]);
      }
      for (std::size_t token = 0; token < last; ++token) {
        add_target(row(token + 1) + width_, words_[first + token]);
      }
      activation = row(sentence.size());
    }
    log_probabilities_.resize(targets_.size());
    std::ranges::stable_sort(targets_, {}, &SoftmaxTarget::context);
  }

  // Equal contexts have equal bits, and get one number.
  void add_target(const float* activation, std::int32_t word) {
    const std::string_view bytes(reinterpret_cast<const char*>(activation),
                                 static_cast<std::size_t>(width_) * sizeof(float));
    const auto [entry, is_new] =
        numbers_.emplace(bytes, static_cast<std::uint32_t>(contexts_.size()));
    if (is_new) contexts_.push_back(activation);
    targets_.push_back({entry->second, word, targets_.size()});
  }

  void predict() {
    std::atomic<std::size_t> next_block = 0;
    workers_.run(workspaces_.size(), [&](std::size_t job) {
      std::vector<SoftmaxTarget> targets;
      while (!stop_) {
        const std::size_t first = FullSoftmax::kBlockContexts * next_block++;
        if (first >= contexts_.size()) return;
        const std::size_t end = std::min(first + FullSoftmax::kBlockContexts, contexts_.size());
        const auto from = std::ranges::lower_bound(targets_, first, {}, &SoftmaxTarget::context);
        const auto to = std::ranges::lower_bound(targets_, end, {}, &SoftmaxTarget::context);
        targets.assign(from, to);
        for (SoftmaxTarget& target : targets) target.context -= static_cast<std::uint32_t>(first);
        softmax_.log_probabilities(std::span(contexts_).subspan(first, end - first), targets,
                                   log_probabilities_.data(), workspaces_[job]);
      }
    });
  }

  void report(const ActivationBatch& batch) {
    std::span<const double> rest = log_probabilities_;
    std::span<const std::int32_t> words = words_;
    for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
      const Sentence& sentence = batch.sentences[s];
      const std::size_t count = std::max<std::size_t>(sentence.size(), 1) - 1;
      listener_({batch.number_of(s), sentence, rest.first(count), rest.subspan(count, count),
                 words.first(sentence.size()), vocabulary_.unknown()});
      rest = rest.subspan(2 * count);
      words = words.subspan(sentence.size());
    }
  }

  const Vocabulary& vocabulary_;
  FullSoftmax softmax_;
  std::int64_t width_;  // P
  bool awaited_;
  const std::atomic<bool>& stop_;
  const PredictionListener& listener_;
  std::vector<FullSoftmax::Workspace> workspaces_;  // as many as workers
  Workers workers_;

  // The current batch.
  std::vector<std::int32_t> words_;
  std::vector<const float*> contexts_;                           // distinct
  std::vector<SoftmaxTarget> targets_;                           // by context
  std::vector<double> log_probabilities_;                        // [targets]
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  // of contexts, by their bytes
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

}  // namespace

EmbedResult predict_words(const Bilm& model, const SoftmaxLayer& softmax, SentenceSource& source,
                          const WordPredictionOptions& options, const std::atomic<bool>& stop,
                          const ProgressListener& progress, const PredictionListener& listener) {
  set_threads_of_this_thread(1);  // the softmax is packed here
  EmbedOptions embed_options;
  embed_options.layers = LayerSelection::top;
  embed_options.boundaries = true;
  embed_options.initial_state = options.initial_state;
  embed_options.lanes = options.lanes;
  const Resources resources{.batch_tokens = kBatchTokens,
                            .threads = threads_or_available(options.threads)};
  PredictingSink sink(softmax, model.options().lstm.projection_dim, options, resources.threads,
                      stop, listener);
  FirstSentences sentences(source, options.max_tokens);
  return embed({.model = model,
                .source = sentences,
                .sink = sink,
                .options = embed_options,
                .resources = resources,
                .stop = stop,
                .listener = progress});
}

namespace {

// Averages the sums of ln p of both directions. The root of the product of perplexities may
// overflow even if the result does not.
Perplexity perplexity_of(double forward, double backward, std::uint64_t predictions) {
  const double forward_loss = -forward / static_cast<double>(predictions);
  const double backward_loss = -backward / static_cast<double>(predictions);
  return {std::exp(forward_loss), std::exp(backward_loss),
          std::exp((forward_loss + backward_loss) / 2)};
}

}  // namespace

void PerplexityResult::add(const SentencePrediction& prediction) {
  const std::size_t count = prediction.forward.size();
  if (count == 0) return;
  ++sentences;
  tokens += count - 1;
  auto& [forward, backward] = log_probability;
  for (std::size_t i = 0; i < count; ++i) {
    forward.all += prediction.forward[i];
    backward.all += prediction.backward[i];
    if (prediction.is_unknown(i + 1)) {
      ++unknown;
      forward.unknown += prediction.forward[i];
    }
    if (prediction.is_unknown(i)) backward.unknown += prediction.backward[i];
  }
}

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
                            const WordPredictionOptions& options, const std::atomic<bool>& stop,
                            const ProgressListener& progress) {
  PerplexityResult result;
  result.completed =
      predict_words(model, softmax, source, options, stop, progress,
                    [&](const SentencePrediction& prediction) { result.add(prediction); })
          .completed;
  return result;
}

}  // namespace elmo
