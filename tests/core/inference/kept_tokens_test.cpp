#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "core/inference/batcher.h"
#include "core/inference/encode_stage.h"
#include "core/inference/lstm_stage.h"
#include "core/inference/output_layers.h"
#include "tests/core/inference/collect.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

const Bilm& kept_model() {
  static const Bilm small(small_options(), random_parameters(small_options(), 21),
                          Precision::float32);
  return small;
}

using KeptTokens = std::vector<std::uint32_t>;

// The vectors of the kept tokens, by sentence, as a sink received them.
struct KeptSink final : ActivationSink {
  std::vector<std::uint64_t> numbers;
  std::vector<std::vector<float>> activations;
  std::vector<SegmentEnd> segments;
  std::vector<std::size_t> sentences_at;  // number of sentences at the end of each segment

  SinkTraits wanted;

  SinkTraits traits() const override { return wanted; }
  void write(const ActivationBatch& batch) override {
    const float* from = batch.activations.data();
    const std::size_t tokens = batch.token_count();
    const std::size_t values = tokens == 0 ? 0 : batch.activations.size() / tokens;
    for (std::size_t s = 0; s < batch.sentences.size(); ++s) {
      const std::size_t count = batch.sentences[s].kept_count() * values;
      numbers.push_back(batch.number_of(s));
      activations.emplace_back(from, from + count);
      from += count;
    }
  }
  void end_segment(const SegmentEnd& end) override {
    segments.push_back(end);
    sentences_at.push_back(numbers.size());
  }
};

struct Selection {
  Sentences sentences;
  std::vector<KeptTokens> kept;

  KeptSink run(const RunOptions& options) const {
    ListSource source(sentences);
    source.keep = [&](std::size_t s) { return kept[s]; };
    source.skip(options.first_sentence);
    KeptSink sink;
    sink.wanted.segment_bytes = options.segment_bytes;
    const EmbedResult result = embed(job_of(kept_model(), source, sink, options));
    CHECK(result.completed);
    CHECK(result.progress.sentences == sentences.size() - options.first_sentence);
    return sink;
  }
};

// Few words, so that sentences repeat, and share beginnings and ends.
Selection random_selection(std::mt19937& random) {
  Selection result;
  const double share = std::array{0.0, 0.02, 0.2, 0.9}[random() % 4];
  const std::size_t count = random() % 60;
  for (std::size_t s = 0; s < count; ++s) {
    std::vector<std::string> tokens;
    KeptTokens kept;
    const std::size_t size = random() % 12;
    for (std::uint32_t t = 0; t < size; ++t) {
      tokens.push_back(std::string(1, static_cast<char>('a' + random() % 3)));
      if (std::generate_canonical<double, 32>(random) < share) kept.push_back(t);
    }
    result.sentences.push_back(std::move(tokens));
    result.kept.push_back(std::move(kept));
  }
  return result;
}

RunOptions random_options(std::mt19937& random) {
  RunOptions options;
  options.layers = std::array{LayerSelection::all, LayerSelection::top, LayerSelection::average,
                              LayerSelection::mix}[random() % 4];
  options.layer_norm = options.layers != LayerSelection::all && random() % 2 == 0;
  options.initial_state =
      std::array{InitialState::zero, InitialState::warm, InitialState::carry}[random() % 3];
  if (options.initial_state == InitialState::carry)
    options.lanes = static_cast<int>(1 + random() % 5);
  options.boundaries = random() % 3 == 0;
  options.threads = static_cast<int>(1 + random() % 2);
  return options;
}

TEST_CASE("vectors of kept tokens equal those of the whole run, bit for bit") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 60; ++round) {
    const Selection selection = random_selection(random);
    RunOptions options = random_options(random);
    CAPTURE(round);
    CAPTURE(static_cast<int>(options.initial_state));
    CAPTURE(options.boundaries);
    options.batch_tokens = 1 + random() % 200;
    const CollectingSink all = embed_all(kept_model(), selection.sentences, options);
    options.batch_tokens = 1 + random() % 200;
    const KeptSink some = selection.run(options);

    std::vector<std::uint64_t> expected_numbers;
    const auto values = static_cast<std::size_t>(
        activation_layout(kept_model().options(), options).values_per_token());
    bool equal = true;
    for (std::size_t s = 0; s < selection.sentences.size(); ++s) {
      const KeptTokens& kept = selection.kept[s];
      if (kept.empty() && options.initial_state != InitialState::carry) continue;
      const std::size_t place = expected_numbers.size();
      expected_numbers.push_back(s);
      if (place >= some.activations.size()) continue;
      REQUIRE(some.activations[place].size() == kept.size() * values);
      for (std::size_t k = 0; k < kept.size(); ++k) {
        const std::size_t token = kept[k] + (options.boundaries ? 1 : 0);
        equal = equal && std::memcmp(some.activations[place].data() + k * values,
                                     all.activations[s].data() + token * values,
                                     values * sizeof(float)) == 0;
      }
    }
    CHECK(equal);
    CHECK(some.numbers == expected_numbers);
    CHECK(some.segments.size() == 1);
    CHECK(some.segments.back().next_sentence == selection.sentences.size());
  }
}

TEST_CASE("a run of kept tokens resumes from the end of each segment") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 20; ++round) {
    const Selection selection = random_selection(random);
    RunOptions options = random_options(random);
    options.boundaries = false;
    options.batch_tokens = 50;
    options.segment_bytes = 600 + random() % 3000;
    const KeptSink whole = selection.run(options);
    for (std::size_t i = 0; i + 1 < whole.segments.size(); ++i) {
      RunOptions rest_options = options;
      rest_options.first_sentence = whole.segments[i].next_sentence;
      rest_options.carried_state = whole.segments[i].carried_state;
      const KeptSink rest = selection.run(rest_options);
      const auto begin = static_cast<std::ptrdiff_t>(whole.sentences_at[i]);
      CHECK(rest.numbers ==
            std::vector<std::uint64_t>(whole.numbers.begin() + begin, whole.numbers.end()));
      CHECK(rest.activations == std::vector<std::vector<float>>(whole.activations.begin() + begin,
                                                                whole.activations.end()));
      REQUIRE(rest.segments.size() == whole.segments.size() - i - 1);
      CHECK(rest.segments.back().next_sentence == selection.sentences.size());
    }
  }
}

TEST_CASE("rows of all layers are output in the memory that they were computed in") {
  const Sentences sentences{{"a", "b", "c"}, {}, {"d"}, {"e", "f"}, {"g", "h"}};
  const std::vector<std::optional<KeptTokens>> kept{KeptTokens{0, 2}, std::nullopt, std::nullopt,
                                                    KeptTokens{}, KeptTokens{1}};
  for (const bool selects : {false, true}) {
    for (const bool with_boundaries : {false, true}) {
      for (const bool boundaries : {false, true}) {
        if (boundaries && !with_boundaries) continue;
        ListSource source(sentences);
        if (selects) source.keep = [&](std::size_t s) { return kept[s]; };
        BatchOptions batches;
        batches.batch_tokens = 100;
        batches.with_boundaries = with_boundaries;
        batches.leave_out = false;
        const std::atomic<bool> stopped = false;
        Batcher batcher(
            kept_model(), source, batches, 0, [](const Batch&) { return false; }, stopped);
        const auto batch = batcher.next();
        REQUIRE(batch);
        RunOptions options;
        options.boundaries = boundaries;
        const ActivationLayout layout = activation_layout(kept_model().options(), options);
        const auto values = static_cast<std::size_t>(layout.values_per_token());
        batch->activations.resize(batch->row_count * values);
        std::iota(batch->activations.begin(), batch->activations.end(), 0.0F);
        std::vector<float> expected;
        for (std::size_t s = 0; s < sentences.size(); ++s) {
          const std::size_t size = batch->rows[s].size;
          const bool keeps_all = !selects || !kept[s];
          for (std::size_t row = 0; row < size; ++row) {
            const bool is_boundary = with_boundaries && (row == 0 || row + 1 == size);
            const auto token = static_cast<std::uint32_t>(row - (with_boundaries ? 1 : 0));
            if (is_boundary ? !boundaries || !keeps_all
                            : !keeps_all && std::ranges::count(*kept[s], token) == 0) {
              continue;
            }
            const auto first = static_cast<std::ptrdiff_t>((batch->rows[s].begin + row) * values);
            expected.insert(expected.end(), batch->activations.begin() + first,
                            batch->activations.begin() + first + std::ptrdiff_t(values));
          }
        }
        const float* computed = batch->activations.data();
        OutputLayers(kept_model().options(), options, with_boundaries).apply(*batch);
        CHECK(batch->selected.data() == computed);
        CHECK(std::vector<float>(batch->selected.begin(), batch->selected.end()) == expected);
      }
    }
  }
}

// Returns the number of steps, in both directions and all layers, that a batch of these sentences
// takes.
std::uint64_t steps_of(const Selection& selection, bool whole_sentences) {
  ListSource source(selection.sentences);
  source.keep = [&](std::size_t s) { return selection.kept[s]; };
  BatchOptions batches;
  batches.batch_tokens = 1000;
  batches.whole_sentences = whole_sentences;
  const std::atomic<bool> stopped = false;
  Batcher batcher(
      kept_model(), source, batches, 0, [](const Batch&) { return false; }, stopped);
  const std::unique_ptr<Batch> batch = batcher.next();
  RunMonitor monitor;
  EncodeStage encode(kept_model(), 0);
  LstmStage lstms(kept_model(), {}, {.workers = 1, .threads = 1}, {}, false, monitor);
  Workspace workspace;
  for (const auto& job : encode.jobs(*batch)) job(workspace);
  SpareMemory memory;
  encode.fill_rows(*batch, memory);
  for (const auto& job : lstms.jobs(*batch)) job(workspace);
  return monitor.lane_steps;
}

TEST_CASE("steps that reach no kept token are not computed, in any layer") {
  const auto layers = static_cast<std::uint64_t>(kept_model().options().lstm.n_layers);
  // No two sentences share their first or last word, which would save further steps.
  const Sentences sentences{{"a", "b", "c", "d", "e"}, {"b", "a", "f"}, {"c", "x", "g"}, {"d"}};
  // Steps: forward a b c, backward e d c; none for the second sentence; c x g and g; d twice.
  CHECK(steps_of({sentences, {{2}, {}, {2}, {0}}}, false) == layers * (3 + 3 + 3 + 1 + 1 + 1));
  CHECK(steps_of({sentences, {{1, 3}, {0}, {}, {}}}, false) == layers * (4 + 4 + 1 + 3));
  CHECK(steps_of({sentences, {{2}, {}, {2}, {0}}}, true) == layers * 2 * (5 + 3 + 1));
  // Two copies of a sentence take as many steps as both together need.
  CHECK(steps_of({{sentences[0], sentences[0]}, {{1}, {2}}}, false) == layers * (3 + 4));
}

TEST_CASE("a long stretch without a kept token is left when the run is stopping") {
  ListSource source(random_sentences(100, 5, 1));
  std::atomic<bool> stopped = false;
  std::size_t read = 0;
  source.keep = [&](std::size_t) {
    if (++read == 10) stopped = true;
    return KeptTokens{};
  };
  BatchOptions options;
  options.batch_tokens = 100;
  Batcher batcher(
      kept_model(), source, options, 0, [](const Batch&) { return false; }, stopped);
  CHECK(!batcher.next());
  CHECK(read == 10);
}

}  // namespace
}  // namespace elmo
