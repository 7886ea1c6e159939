#include "tests/bench/program/latency.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "tests/bench/program/median.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;

// After this time no answer will arrive: the run is ending and reports why.
constexpr std::chrono::seconds kPatience(10);

/// Both ends of a pipe. The next sentence arrives when the last one has been answered.
class Conversation final : public SentenceSource, public ActivationSink {
 public:
  explicit Conversation(std::span<const Sentence> sentences) : sentences_(sentences) {}

  bool next(Sentence& sentence) override {
    std::unique_lock lock(mutex_);
    if (asked_ == sentences_.size()) return false;
    const auto is_answered = [&] { return times_.size() == asked_; };
    if (!answered_.wait_for(lock, kPatience, is_answered)) return false;
    sentence = sentences_[asked_++];
    asked_at_ = steady_clock::now();
    return true;
  }
  bool wait(std::chrono::microseconds time) override {
    std::unique_lock lock(mutex_);
    return answered_.wait_for(lock, time, [&] { return times_.size() == asked_; });
  }

  SinkTraits traits() const override { return {.awaited = true}; }
  void write(const ActivationBatch&) override {
    const steady_clock::time_point now = steady_clock::now();
    const std::lock_guard lock(mutex_);
    times_.push_back(std::chrono::duration<double>(now - asked_at_).count());
    answered_.notify_all();
  }

  /// Times between answers, once all have arrived.
  const std::vector<double>& times() const { return times_; }

 private:
  std::span<const Sentence> sentences_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::size_t asked_ = 0;
  std::vector<double> times_;
  steady_clock::time_point asked_at_;
};

}  // namespace

double latency_seconds(const Measuring& measuring, const Bilm& model,
                       std::span<const Sentence> sentences, const Resources& resources) {
  measuring.begin("latency");
  Conversation conversation(sentences);
  embed({.model = model,
         .source = conversation,
         .sink = conversation,
         .resources = resources,
         .stop = measuring.stop()});
  measuring.stop_if_asked();
  return median(conversation.times());
}

}  // namespace elmo
