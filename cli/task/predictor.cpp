#include "cli/task/predictor.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "core/error.h"
#include "core/inference/embed.h"
#include "core/parallel/available_threads.h"
#include "io/model/model.h"
#include "io/task/task_examples.h"

namespace elmo {
namespace {

// Examples that are predicted at once.
constexpr std::size_t kBatch = 32;

// Without an output to publish, signals end the process as they do by default.
constexpr std::atomic<bool> kNeverStop{false};

int thread_count(int threads) { return threads > 0 ? threads : available_threads(); }

}  // namespace

void add_predictor_flags(CLI::App* app, PredictorFlags& flags) {
  app->add_option("DIR", flags.folder, "Folder of a model, as `elmo task train` makes it")
      ->required();
  add_model_flags(app, flags.model);
  add_precision(app, flags.precision, "Numbers that the biLM multiplies")->group("Computing");
  add_threads(app, flags.threads)->group("Computing");
  app->add_flag("--quiet", flags.quiet, "Show errors and results only");
}

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

Predictor::Predictor(const PredictorFlags& flags)
    : flags_(flags), task_(load_task(flags.folder)), workers_(thread_count(flags.threads)) {
  if (description().options.elmo == ElmoPlace::none) return;
  LoadedModel loaded = load_model(locate_model(flags.model));
  if (loaded.fingerprint != description().bilm) {
    throw InputError(flags.folder + ": trained on the activations of the biLM " +
                     description().bilm + ", found " + loaded.fingerprint +
                     "; name that model with --model");
  }
  bilm_.emplace(loaded.options, std::move(loaded.parameters), flags.precision,
                std::move(loaded.vocabulary));
}

void Predictor::run(SentenceSource& source, const Listener& listener,
                    const std::function<void()>& pause) {
  if (bilm_) {
    EmbedOptions options;
    options.threads = thread_count(flags_.threads);
    Sink sink(*this, listener, pause);
    embed(*bilm_, source, sink, options, kNeverStop, [](const EmbedProgress&) {});
    return;
  }
  std::vector<Sentence> sentences;
  Sentence sentence;
  while (source.next(sentence)) {
    sentences.push_back(std::move(sentence));
    if (sentences.size() < kBatch && !source.next_would_wait()) continue;
    predict(sentences, {}, listener);
    sentences.clear();
    pause();
  }
  predict(sentences, {}, listener);
}

void Predictor::predict(std::span<const Sentence> sentences, std::span<const float> activations,
                        const Listener& listener) {
  const BilmShape& bilm = description().options.bilm;
  const auto width = static_cast<std::size_t>(bilm.rows() * bilm.projection);
  std::size_t read = 0;
  for (std::size_t begin = 0; begin < sentences.size(); begin += kBatch) {
    const auto part = sentences.subspan(begin, std::min(kBatch, sentences.size() - begin));
    std::vector<std::vector<std::int32_t>> words;
    for (const Sentence& sentence : part) words.push_back(word_rows(sentence, *task_.words));
    std::vector<TaskExample> examples;
    for (std::size_t i = 0; i < part.size(); ++i) {
      if (part[i].size() == 0) continue;
      TaskExample& example = examples.emplace_back();
      example.text = {&part[i], words[i], {}};
      if (!bilm_) continue;
      example.text.activations = activations.subspan(read, part[i].size() * width);
      read += part[i].size() * width;
    }
    predictions_.clear();
    if (!examples.empty()) task_.model->predict(examples, workers_, predictions_);
    std::size_t predicted = 0;
    for (const Sentence& sentence : part) {
      listener(std::span(&sentence, 1),
               sentence.size() == 0 ? TaskPrediction{} : predictions_[predicted++]);
    }
  }
}

}  // namespace elmo
