#include "cli/run/task/predictor.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "cli/process/signals.h"
#include "core/error.h"
#include "core/inference/embed.h"
#include "core/parallel/available_threads.h"
#include "core/tasks/kinds.h"
#include "io/labelled/examples.h"
#include "io/model/model.h"

namespace elmo {
namespace {

// Examples that are predicted at once.
constexpr std::size_t kExamplesPerBatch = 32;

int thread_count(int threads) { return threads > 0 ? threads : available_threads(); }

}  // namespace

/// Predicts what the biLM computes.
class Predictor::Sink final : public ActivationSink {
 public:
  Sink(Predictor& predictor, const Listener& listener, const std::function<void()>& pause)
      : predictor_(predictor), listener_(listener), pause_(pause) {}

  void write(const ActivationBatch& batch) override {
    predictor_.predict(batch.sentences, batch.activations, listener_);
    pause_();
  }
  bool is_awaited() const override { return true; }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

 private:
  Predictor& predictor_;
  const Listener& listener_;
  const std::function<void()>& pause_;
};

Predictor::Predictor(const PredictorRequest& request)
    : request_(request),
      task_(load_task(request.folder)),
      workers_(thread_count(request.threads)),
      texts_of_example_(task_kind(description().options.kind).shape.texts) {
  if (description().options.elmo == ElmoPlace::none) return;
  LoadedModel loaded = load_model(request.model);
  if (loaded.fingerprint != description().bilm) {
    throw InputError(request.folder + ": trained on the activations of the biLM " +
                     bilm_words(description()) + ", found " + loaded.name + " (" +
                     loaded.fingerprint + "); name that model with --model");
  }
  bilm_.emplace(loaded.options, std::move(loaded.parameters), request.precision,
                std::move(loaded.lexicon));
}

void Predictor::run(SentenceSource& source, const Listener& listener,
                    const std::function<void()>& pause) {
  if (bilm_) {
    EmbedOptions options;
    options.threads = thread_count(request_.threads);
    Sink sink(*this, listener, pause);
    embed(*bilm_, source, sink, options, kNeverStop, [](const EmbedProgress&) {});
    return;
  }
  std::vector<Sentence> sentences;
  Sentence sentence;
  while (source.next(sentence)) {
    sentences.push_back(std::move(sentence));
    if (sentences.size() < kExamplesPerBatch && !source.next_would_wait()) continue;
    predict(sentences, {}, listener);
    sentences.clear();
    pause();
  }
  predict(sentences, {}, listener);
}

void Predictor::predict(std::span<const Sentence> sentences, std::span<const float> activations,
                        const Listener& listener) {
  const BilmShape& bilm = description().options.bilm;
  const auto width = bilm_ ? static_cast<std::size_t>(bilm.rows() * bilm.projection) : 0;
  const std::optional<Sentence> first = std::exchange(first_, std::nullopt);
  const std::vector<float> first_activations = std::exchange(first_activations_, {});
  std::vector<Text> texts;
  if (first) texts.push_back({&*first, first_activations});
  std::size_t read = 0;
  for (const Sentence& sentence : sentences) {
    const std::size_t size = sentence.size() * width;
    texts.push_back({&sentence, activations.subspan(read, size)});
    read += size;
  }
  if (texts.size() % texts_of_example_ != 0) {
    const Text last = texts.back();
    texts.pop_back();
    first_ = *last.sentence;
    first_activations_.assign(last.activations.begin(), last.activations.end());
  }
  const std::size_t batch = kExamplesPerBatch * texts_of_example_;
  for (std::size_t begin = 0; begin < texts.size(); begin += batch) {
    predict_examples(std::span(texts).subspan(begin, std::min(batch, texts.size() - begin)),
                     listener);
  }
}

void Predictor::predict_examples(std::span<const Text> texts, const Listener& listener) {
  std::vector<std::vector<std::int32_t>> words;
  for (const Text& text : texts) words.push_back(word_rows(*text.sentence, *task_.words));
  const auto view = [&](std::size_t i) {
    return TaskText{texts[i].sentence, words[i], texts[i].activations};
  };
  const auto has_words = [&](std::size_t first) {
    return !words[first].empty() && !words[first + texts_of_example_ - 1].empty();
  };
  std::vector<TaskExample> examples;
  for (std::size_t i = 0; i < texts.size(); i += texts_of_example_) {
    if (!has_words(i)) continue;
    TaskExample& example = examples.emplace_back();
    example.text = view(i);
    if (texts_of_example_ == 2) example.second = view(i + 1);
  }
  predictions_.clear();
  if (!examples.empty()) task_.model->predict(examples, workers_, predictions_);
  std::size_t predicted = 0;
  for (std::size_t i = 0; i < texts.size(); i += texts_of_example_) {
    std::vector<const Sentence*> sentences;
    for (std::size_t k = i; k < i + texts_of_example_; ++k) {
      sentences.push_back(texts[k].sentence);
    }
    listener(sentences, has_words(i) ? predictions_[predicted++] : TaskPrediction{});
  }
}

}  // namespace elmo
