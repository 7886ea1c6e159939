#include "io/engine/task/predictor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/inference/sentence.h"
#include "core/resources.h"
#include "io/engine/listener.h"
#include "io/labeled/examples.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/text/input/read_queue.h"

namespace elmo {
namespace {

using ExampleQueue = ReadQueue<ExampleGroup>;

std::size_t group_bytes(const ExampleGroup& group) {
  std::size_t bytes = sizeof(ExampleGroup) + group.records.size() * sizeof(TaskRecord);
  for (const Sentence& text : group.texts) bytes += sizeof(Sentence) + bytes_of(text);
  return bytes;
}

}  // namespace

TokenizerSettings task_tokenizer(const TokenizerRequest& request,
                                 const TaskDescription& description) {
  std::optional<TokenizerSettings> trained;
  if (description.tokenizer) trained = settings_of(*description.tokenizer);
  const bool segments = description.kind->task.shape.segments;
  const TokenizerSettings usual{segments ? TokenizerKind::icu : TokenizerKind::ud, ""};
  return choose_tokenizer(request, trained.value_or(usual));
}

/// The texts of all examples, one after the other. Keeps their groups until their activations
/// arrive. next() is for the thread that reads, take() for the one that writes.
class Predictor::Texts final : public SentenceSource {
 public:
  explicit Texts(ExampleQueue& examples) : examples_(examples) {}

  bool next(Sentence& sentence) override {
    if (read_ == texts_.size()) {
      ExampleGroup group;
      if (!examples_.next(group)) return false;
      texts_ = std::exchange(group.texts, {});
      read_ = 0;
      const std::lock_guard lock(mutex_);
      groups_.push_back({std::move(group), texts_.size()});
    }
    sentence = std::exchange(texts_[read_++], {});
    return true;
  }
  bool wait(std::chrono::microseconds time) override {
    return read_ < texts_.size() || examples_.wait(time);
  }

  /// A group that was read, without its texts, and their number.
  struct Pending {
    ExampleGroup group;
    std::size_t texts = 0;
  };

  /// Returns the first group that was not taken yet. One of its texts must have been read.
  Pending take() {
    const std::lock_guard lock(mutex_);
    Pending pending = std::move(groups_.front());
    groups_.pop_front();
    return pending;
  }

 private:
  ExampleQueue& examples_;
  std::vector<Sentence> texts_;  // texts of the last group
  std::size_t read_ = 0;
  std::mutex mutex_;
  std::deque<Pending> groups_;
};

/// Reassembles groups from texts and activations, and predicts them.
class Predictor::Sink final : public ActivationSink {
 public:
  Sink(Predictor& predictor, Texts& texts, const Listener& listener,
       const std::function<void()>& pause)
      : predictor_(predictor), texts_(texts), listener_(listener), pause_(pause) {}

  SinkTraits traits() const override { return {.awaited = true}; }
  void write(const ActivationBatch& batch) override {
    const BilmShape& bilm = predictor_.description().options.bilm;
    const auto width = static_cast<std::size_t>(bilm.rows() * bilm.projection);
    std::size_t read = 0;
    for (const Sentence& sentence : batch.sentences) {
      if (missing_ == 0) begin_group();
      Embedded& last = groups_.back();
      const auto values = batch.activations.subspan(read, sentence.size() * width);
      last.group.texts.push_back(sentence);
      last.activations.emplace_back(values.begin(), values.end());
      read += values.size();
      --missing_;
    }
    const std::size_t whole = groups_.size() - (missing_ > 0 ? 1 : 0);
    predictor_.predict(std::span(groups_).first(whole), listener_);
    groups_.erase(groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(whole));
    pause_();
  }

 private:
  void begin_group() {
    Texts::Pending pending = texts_.take();
    missing_ = pending.texts;
    groups_.push_back({std::move(pending.group), {}});
  }

  Predictor& predictor_;
  Texts& texts_;
  const Listener& listener_;
  const std::function<void()>& pause_;
  std::vector<Embedded> groups_;  // the last one may lack texts
  std::size_t missing_ = 0;       // its missing texts
};

Predictor::Predictor(const PredictorRequest& request)
    : request_(request),
      task_(load_task(request.folder, request.kinds)),
      workers_(threads_or_available(request.threads)) {
  if (description().options.elmo == ElmoPlace::none) {
    if (!request.precision) return;
    throw RequestError(Setting{"precision"} + " is that of the biLM, and " + request.folder +
                       " was trained without one");
  }
  OpenedModel opened = open_model(request.model);
  const LoadedModel& loaded = opened.loaded;
  if (loaded.fingerprint != description().bilm) {
    throw InputError(request.folder + ": trained on the activations of the biLM " +
                     bilm_words(description()) + ", found " + loaded.name + " (" +
                     loaded.fingerprint + "); name that model with " + Setting{"model"});
  }
  bilm_ = opened.packed(request.precision.value_or(Precision::float32));
}

void Predictor::run(ExampleSource& source, const Listener& listener,
                    const std::function<void()>& pause) {
  bilm_ ? run_with_bilm(source, listener, pause) : run_without_bilm(source, listener, pause);
}

void Predictor::run_with_bilm(ExampleSource& source, const Listener& listener,
                              const std::function<void()>& pause) {
  ExampleQueue examples([&](ExampleGroup& group) { return source.next(group); }, group_bytes,
                        stopping_);
  Texts texts(examples);
  Sink sink(*this, texts, listener, pause);
  embed(
      {.model = *bilm_, .source = texts, .sink = sink, .resources = {.threads = request_.threads}});
}

void Predictor::run_without_bilm(ExampleSource& source, const Listener& listener,
                                 const std::function<void()>& pause) {
  std::vector<Embedded> groups;
  ExampleQueue examples([&](ExampleGroup& group) { return source.next(group); }, group_bytes,
                        stopping_);
  for (ExampleGroup group; examples.next(group);) {
    groups.push_back({std::exchange(group, {}), {}});
    if (groups.size() < kPredictedExamples && examples.wait(kArrivalTime)) continue;
    predict(groups, listener);
    groups.clear();
    pause();
  }
  predict(groups, listener);
}

void Predictor::predict(std::span<Embedded> groups, const Listener& listener) {
  // Collect the texts of all groups, and the examples that view them.
  std::vector<std::vector<std::int32_t>> words;
  std::vector<TaskText> texts;
  std::vector<TaskExample> examples;
  std::size_t text_count = 0;
  for (const Embedded& embedded : groups) {
    for (const TaskRecord& record : embedded.group.records) text_count += record.texts.size();
  }
  texts.reserve(text_count);
  for (const Embedded& embedded : groups) {
    const ExampleGroup& group = embedded.group;
    const std::size_t first = words.size();
    for (const Sentence& text : group.texts) words.push_back(word_rows(text, *task_.words));
    for (const TaskRecord& record : group.records) {
      const std::size_t begin = texts.size();
      for (const std::uint64_t text : record.texts) {
        texts.push_back({&group.texts[text], words[first + text], {}});
        if (bilm_) texts.back().activations = embedded.activations[text];
      }
      examples.push_back({std::span(texts).subspan(begin), record.gold.get()});
    }
  }

  std::vector<PredictionPointer> predictions;
  for (std::size_t begin = 0; begin < examples.size();) {
    const std::size_t end = predicted_batch_end(
        begin, examples.size(), [&](std::size_t i) { return examples[i].tokens(); });
    const auto batch = std::span(examples).subspan(begin, end - begin);
    std::ranges::move(task_.model->predict(batch, workers_), std::back_inserter(predictions));
    begin = end;
  }
  std::size_t reported = 0;
  for (const Embedded& embedded : groups) {
    const std::size_t records = embedded.group.records.size();
    listener(embedded.group, std::span(predictions).subspan(reported, records));
    reported += records;
  }
}

}  // namespace elmo
