#include "core/inference/embed.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "core/model/bilm.h"
#include "core/model/token_encoder.h"
#include "tests/core/inference/collect.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

struct EmbeddedModel {
  ModelOptions options = small_options();
  Parameters parameters = random_parameters(options, 11);
  ReferenceBilm reference{options, parameters};
  Bilm model = make();

  Bilm make() const {
    Parameters to_pack = parameters;
    return Bilm(options, std::move(to_pack), Precision::float32);
  }
};

// The last ones divide the sentences of a direction among three threads.
constexpr std::array<std::pair<int, int>, 5> kWorkersAndThreads{
    {{1, 1}, {2, 2}, {3, 4}, {1, 3}, {2, 5}}};

RunOptions small_batches() {
  RunOptions options;
  options.batch_tokens = 40;
  options.threads = 2;
  return options;
}

double difference(const std::vector<float>& found, const std::vector<double>& expected) {
  if (found.size() != expected.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::fabs(double{found[i]} - expected[i]));
  }
  return largest;
}

template <typename Rows>
std::vector<double> flat(const Rows& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return values;
}

std::vector<double> flat(const ReferenceActivations& activations) {
  std::vector<double> values;
  for (const auto& token : activations) {
    for (const auto& row : token) values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

TEST_CASE("each initial state follows the equations") {
  const EmbeddedModel test;
  Sentences sentences = random_sentences(25, 8, 1);
  sentences[7].clear();
  for (const bool boundaries : {false, true}) {
    for (const InitialState initial :
         {InitialState::zero, InitialState::warm, InitialState::carry}) {
      CAPTURE(boundaries);
      CAPTURE(static_cast<int>(initial));
      RunOptions options = small_batches();
      options.initial_state = initial;
      options.boundaries = boundaries;
      options.lanes = initial == InitialState::carry ? 3 : 1;
      const CollectingSink sink = embed_all(test.model, sentences, options);

      ReferenceState start = test.reference.zero_state();
      if (initial == InitialState::warm) {
        std::vector<std::string> words;
        std::string text(warm_text());
        for (std::size_t begin = 0; begin < text.size();) {
          const std::size_t end = std::min(text.find(' ', begin), text.size());
          words.push_back(text.substr(begin, end - begin));
          begin = end + 1;
        }
        test.reference.activations(words, start, false);
      }
      std::vector<ReferenceState> lanes(3, test.reference.zero_state());
      for (std::size_t s = 0; s < sentences.size(); ++s) {
        CAPTURE(s);
        if (sentences[s].empty()) {
          CHECK(sink.activations[s].empty());
          continue;
        }
        ReferenceState state = initial == InitialState::carry ? lanes[s % 3] : start;
        const auto expected = test.reference.activations(sentences[s], state, boundaries);
        lanes[s % 3] = state;
        CHECK(difference(sink.activations[s], flat(expected)) < kFloat32Tolerance);
        CHECK(sink.tokens[s].size() == sentences[s].size() + (boundaries ? 2 : 0));
        if (boundaries) {
          CHECK(sink.tokens[s].front() == "<S>");
          CHECK(sink.tokens[s].back() == "</S>");
        }
      }
    }
  }
}

TEST_CASE("each selection of layers follows the equations") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(9, 8, 2);
  for (const bool layer_norm : {false, true}) {
    RunOptions options = small_batches();
    options.layer_norm = layer_norm;
    options.layers = LayerSelection::average;
    const CollectingSink average = embed_all(test.model, sentences, options);
    options.layers = LayerSelection::mix;
    options.mix_weights = {0.5F, -1.0F, 2.0F};
    options.gamma = 0.7F;
    const CollectingSink mix = embed_all(test.model, sentences, options);
    options = small_batches();
    options.layers = LayerSelection::top;
    const CollectingSink top = embed_all(test.model, sentences, options);
    for (std::size_t s = 0; s < sentences.size(); ++s) {
      ReferenceState state = test.reference.zero_state();
      const auto all = test.reference.activations(sentences[s], state, false);
      CHECK(difference(top.activations[s], flat(reference_top(all))) < kFloat32Tolerance);
      CHECK(difference(average.activations[s], flat(reference_average(all, layer_norm))) <
            kFloat32Tolerance);
      CHECK(difference(mix.activations[s], flat(reference_mix(all, {0.5, -1.0, 2.0}, double{0.7F},
                                                              layer_norm))) < kFloat32Tolerance);
    }
  }
}

TEST_CASE("keeping the boundaries changes no other token's numbers") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(9, 8, 2);
  for (const InitialState initial : {InitialState::zero, InitialState::carry}) {
    for (const LayerSelection layers : {LayerSelection::average, LayerSelection::mix}) {
      RunOptions options = small_batches();
      options.initial_state = initial;
      options.layers = layers;
      options.layer_norm = true;
      const CollectingSink without = embed_all(test.model, sentences, options);
      options.boundaries = true;
      const CollectingSink with = embed_all(test.model, sentences, options);
      const std::int64_t values =
          activation_layout(test.model.options(), options).values_per_token();
      for (std::size_t s = 0; s < sentences.size(); ++s) {
        if (sentences[s].empty()) continue;
        const std::vector<float>& all = with.activations[s];
        CHECK(std::vector<float>(all.begin() + values, all.end() - values) ==
              without.activations[s]);
      }
    }
  }
}

TEST_CASE("a sentence's activations do not depend on other sentences") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(200, 12, 3);
  const CollectingSink expected = embed_all(test.model, sentences, RunOptions{});

  SUBCASE("batch size, workers and threads") {
    for (const std::size_t batch_tokens : {1U, 17U, 300U, 100000U}) {
      for (const auto& [workers, threads] : kWorkersAndThreads) {
        RunOptions options;
        options.batch_tokens = batch_tokens;
        options.workers = workers;
        options.threads = threads;
        CHECK(embed_all(test.model, sentences, options).activations == expected.activations);
      }
    }
  }
  SUBCASE("alone") {
    for (std::size_t s = 0; s < sentences.size(); s += 20) {
      const CollectingSink alone = embed_all(test.model, {sentences[s]}, RunOptions{});
      CHECK(alone.activations.front() == expected.activations[s]);
    }
  }
  SUBCASE("order") {
    std::vector<std::size_t> order(sentences.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(4));
    Sentences shuffled;
    std::vector<std::vector<float>> in_that_order;
    for (const std::size_t s : order) {
      shuffled.push_back(sentences[s]);
      in_that_order.push_back(expected.activations[s]);
    }
    CHECK(embed_all(test.model, shuffled, small_batches()).activations == in_that_order);
  }
  SUBCASE("a cache of token vectors that holds almost nothing") {
    RunOptions options = small_batches();
    options.encoder_cache_bytes = 1000;
    CHECK(embed_all(test.model, sentences, options).activations == expected.activations);
  }
}

TEST_CASE("carried state does not depend on how many threads divide the lanes") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(60, 12, 3);
  RunOptions options = small_batches();
  options.initial_state = InitialState::carry;
  options.lanes = 5;
  options.threads = 1;
  const CollectingSink expected = embed_all(test.model, sentences, options);
  for (const auto& [workers, threads] : kWorkersAndThreads) {
    options.workers = workers;
    options.threads = threads;
    const CollectingSink found = embed_all(test.model, sentences, options);
    CHECK(found.activations == expected.activations);
    CHECK(found.segments.back().carried_state == expected.segments.back().carried_state);
  }
}

TEST_CASE("a token is encoded once, and a sentence repeated in a batch is computed once") {
  const EmbeddedModel test;
  const Sentences sentences{{"a", "b"}, {"b", "a", "a"}, {"a", "b"}, {"a b"}, {"c"}, {"a", "b"}};
  ListSource source(sentences);
  CollectingSink sink;
  RunOptions options;
  options.batch_tokens = 8;
  const EmbedResult result = embed(job_of(test.model, source, sink, options));
  CHECK(result.progress.distinct_tokens == 4);
  CHECK(result.progress.tokens == 11);
  CHECK(sink.activations[0] == sink.activations[2]);
  CHECK(sink.activations[0] == sink.activations[5]);
}

TEST_CASE("tokens spelled like boundaries are text") {
  const EmbeddedModel test;
  const Sentences sentences{{"<S>", "a", "</S>"}};
  const CollectingSink sink = embed_all(test.model, sentences, RunOptions{});
  ReferenceState state = test.reference.zero_state();
  CHECK(difference(sink.activations[0], flat(test.reference.activations(
                                            sentences[0], state, false))) < kFloat32Tolerance);
  const auto boundary = test.model.encoder().begin_sentence();
  CHECK(!std::equal(boundary.begin(), boundary.end(), sink.activations[0].begin()));
}

TEST_CASE("a run resumed at a segment continues with the same bits") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(150, 9, 6);
  for (const InitialState initial : {InitialState::zero, InitialState::carry}) {
    RunOptions options = small_batches();
    options.initial_state = initial;
    options.lanes = initial == InitialState::carry ? 4 : 1;
    options.segment_bytes = 30000;
    const CollectingSink whole = embed_all(test.model, sentences, options);
    REQUIRE(whole.segments.size() > 3);
    CHECK(whole.segments.back().next_sentence == sentences.size());

    const SegmentEnd& from = whole.segments[1];
    options.first_sentence = from.next_sentence;
    options.carried_state = from.carried_state;
    ListSource source(sentences);
    source.skip(from.next_sentence);
    CollectingSink rest;
    rest.wanted.segment_bytes = options.segment_bytes;
    rest.first_sentence = from.next_sentence;
    CHECK(embed(job_of(test.model, source, rest, options)).completed);
    REQUIRE(rest.segments.size() == whole.segments.size() - 2);
    for (std::size_t i = 0; i < rest.segments.size(); ++i) {
      CHECK(rest.segments[i].next_sentence == whole.segments[i + 2].next_sentence);
      CHECK(rest.segments[i].carried_state == whole.segments[i + 2].carried_state);
    }
    for (std::size_t s = 0; s < rest.activations.size(); ++s) {
      CHECK(rest.activations[s] == whole.activations[s + from.next_sentence]);
    }
  }
}

TEST_CASE("an input without sentences is one empty segment") {
  const EmbeddedModel test;
  const CollectingSink sink = embed_all(test.model, {}, RunOptions{});
  REQUIRE(sink.segments.size() == 1);
  CHECK(sink.segments[0].next_sentence == 0);
}

TEST_CASE("failures of source and sink reach the caller, and a stop ends the run early") {
  const EmbeddedModel test;
  const Sentences sentences = random_sentences(100, 9, 7);

  struct FailingSource final : SentenceSource {
    int left = 30;
    bool next(Sentence& sentence) override {
      if (left-- == 0) throw InputError("line 30 is broken");
      sentence.clear();
      sentence.add("word", {0, 4});
      return true;
    }
  } failing;
  CollectingSink sink;
  CHECK_THROWS_AS(embed(job_of(test.model, failing, sink, small_batches())), InputError);
  CHECK(!sink.finished);

  ListSource source(sentences);
  CollectingSink full;
  full.on_write = [] { throw SystemError("no space left"); };
  CHECK_THROWS_AS(embed(job_of(test.model, source, full, small_batches())), SystemError);
  CHECK(!full.finished);

  std::atomic<bool> stop = false;
  ListSource long_source(sentences);
  CollectingSink stopped;
  stopped.on_write = [&] { stop = true; };
  const EmbedResult result = embed({.model = test.model,
                                    .source = long_source,
                                    .sink = stopped,
                                    .options = small_batches(),
                                    .resources = small_batches(),
                                    .stop = stop});
  CHECK(!result.completed);
  CHECK(!stopped.finished);
  CHECK(stopped.tokens.size() < sentences.size());
}

TEST_CASE("impossible options are refused") {
  const EmbeddedModel test;
  ListSource source({});
  CollectingSink sink;
  RunOptions options;
  options.layers = LayerSelection::mix;
  options.mix_weights = {1.0F};
  CHECK_THROWS_AS(embed(job_of(test.model, source, sink, options)), RequestError);
  options = RunOptions{};
  options.lanes = 0;
  CHECK_THROWS_AS(embed(job_of(test.model, source, sink, options)), RequestError);
  options = RunOptions{};
  options.initial_state = InitialState::carry;
  options.carried_state = {1.0F};
  CHECK_THROWS_AS(embed(job_of(test.model, source, sink, options)), InputError);
}

/// The next sentence arrives when the last one has been written; after `answers` sentences none
/// arrives.
class Conversation final : public SentenceSource, public ActivationSink {
 public:
  explicit Conversation(std::size_t answers) : answers_(answers) {}

  bool next(Sentence& sentence) override {
    REQUIRE(wait(std::chrono::seconds(60)));
    const std::lock_guard lock(mutex_);
    sentence.clear();
    sentence.document = std::make_shared<const Document>();
    sentence.add("a", {0, 1});
    ++asked_;
    return true;
  }
  bool wait(std::chrono::microseconds time) override {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [&] { return written_ == asked_ && asked_ < answers_; });
  }
  void write(const ActivationBatch& batch) override {
    const std::lock_guard lock(mutex_);
    written_ += batch.sentences.size();
    if (written_ == answers_) throw std::runtime_error("the last answer");
    changed_.notify_all();
  }
  void end_segment(const SegmentEnd& /*end*/) override {}
  SinkTraits traits() const override { return {.awaited = true}; }

  std::size_t written() const { return written_; }

 private:
  std::size_t answers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t asked_ = 0;
  std::size_t written_ = 0;
};

TEST_CASE("awaited sentences are written one by one, and a failure does not wait for more") {
  const EmbeddedModel test;
  RunOptions options = small_batches();
  Conversation conversation(3);
  CHECK_THROWS_WITH(embed(job_of(test.model, conversation, conversation, options)),
                    "the last answer");
  CHECK(conversation.written() == 3);
}

}  // namespace
}  // namespace elmo
