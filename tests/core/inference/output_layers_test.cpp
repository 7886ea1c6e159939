#include "core/inference/output_layers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/core/inference/collect.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

const Bilm& pooled_model() {
  static const Bilm small(small_options(), random_parameters(small_options(), 22),
                          Precision::float32);
  return small;
}

struct PooledSink final : ActivationSink {
  std::vector<PooledRow> rows;
  std::vector<float> values;
  std::vector<std::uint64_t> ends;       // ends of segments
  std::vector<std::size_t> rows_at_end;  // number of rows at the end of each segment

  SinkTraits wanted;

  SinkTraits traits() const override { return wanted; }
  void write(const ActivationBatch& batch) override {
    rows.insert(rows.end(), batch.pooled.begin(), batch.pooled.end());
    values.insert(values.end(), batch.activations.begin(), batch.activations.end());
  }
  void end_segment(const SegmentEnd& end) override {
    ends.push_back(end.next_sentence);
    rows_at_end.push_back(rows.size());
  }
};

// Sentences and documents, some without tokens, some without kept tokens.
struct PooledCorpus {
  Sentences sentences;
  std::vector<std::uint32_t> documents;
  std::vector<std::optional<std::vector<std::uint32_t>>> kept;

  PooledSink run(const RunOptions& options) const {
    ListSource source(sentences);
    source.keep = [&](std::size_t s) { return kept[s]; };
    source.document_of = [&](std::size_t s) { return documents[s]; };
    source.skip(options.first_sentence);
    PooledSink sink;
    sink.wanted.segment_bytes = options.segment_bytes;
    CHECK(embed(job_of(pooled_model(), source, sink, options)).completed);
    return sink;
  }
};

PooledCorpus random_corpus(std::mt19937& random, bool selects) {
  PooledCorpus corpus{random_sentences(40, 9, random() % 1000), {}, {}};
  std::uint32_t document = 0;
  for (std::vector<std::string>& tokens : corpus.sentences) {
    if (random() % 8 == 0) tokens.clear();
    if (random() % 3 == 0) document += static_cast<std::uint32_t>(1 + random() % 2);
    corpus.documents.push_back(document);
    corpus.kept.emplace_back();
    if (!selects) continue;
    corpus.kept.back().emplace();
    for (std::uint32_t t = 0; t < tokens.size(); ++t) {
      if (random() % 4 == 0) corpus.kept.back()->push_back(t);
    }
  }
  return corpus;
}

// A second implementation: pools the vectors of a whole run in the simplest way.
struct ExpectedRows {
  std::vector<std::uint64_t> first_sentences;
  std::vector<float> values;
};

ExpectedRows expected_of(const PooledCorpus& corpus, const CollectingSink& all, std::size_t rows,
                         std::size_t width, PoolOptions pool) {
  ExpectedRows result;
  const std::size_t values = rows * width;
  for (std::size_t s = 0; s < corpus.sentences.size();) {
    std::vector<const float*> tokens;
    std::optional<std::size_t> first;
    const std::size_t begin = s;
    do {
      const auto& kept = corpus.kept[s];
      if (!first && (!kept || !kept->empty())) first = s;
      for (std::uint32_t t = 0; t < corpus.sentences[s].size(); ++t) {
        const bool keep = !kept || std::find(kept->begin(), kept->end(), t) != kept->end();
        if (keep) tokens.push_back(all.activations[s].data() + t * values);
      }
      ++s;
    } while (pool.unit == PoolUnit::document && s < corpus.sentences.size() &&
             corpus.documents[s] == corpus.documents[begin]);
    if (!first) continue;
    result.first_sentences.push_back(*first);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto column = [&](auto make) {
        for (std::size_t w = 0; w < width; ++w) {
          result.values.push_back(tokens.empty() ? 0.0F : make(row * width + w));
        }
      };
      if (pool.kind == PoolKind::mean) {
        column([&](std::size_t i) {
          double sum = 0;
          for (const float* token : tokens) sum += token[i];
          return static_cast<float>(sum / static_cast<double>(tokens.size()));
        });
      } else if (pool.kind == PoolKind::max) {
        column([&](std::size_t i) {
          float most = tokens[0][i];
          for (const float* token : tokens) most = std::max(most, token[i]);
          return most;
        });
      } else {
        column([&](std::size_t i) { return tokens.front()[i]; });
        column([&](std::size_t i) { return tokens.back()[i]; });
      }
    }
  }
  return result;
}

TEST_CASE("pooled rows match the token vectors, wherever batches and segments end") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 40; ++round) {
    const PooledCorpus corpus = random_corpus(random, round % 2 == 0);
    RunOptions options;
    options.layers = std::array{LayerSelection::all, LayerSelection::average}[random() % 2];
    options.threads = 2;
    options.initial_state = random() % 3 == 0 ? InitialState::carry : InitialState::zero;
    const CollectingSink all = embed_all(pooled_model(), corpus.sentences, options);
    const ActivationLayout tokens = activation_layout(pooled_model().options(), options);
    const PoolOptions pool{
        std::array{PoolKind::mean, PoolKind::max, PoolKind::first_last}[random() % 3],
        std::array{PoolUnit::sentence, PoolUnit::document}[random() % 2]};
    CAPTURE(round);
    CAPTURE(static_cast<int>(pool.kind));
    CAPTURE(static_cast<int>(pool.unit));
    const ExpectedRows expected =
        expected_of(corpus, all, static_cast<std::size_t>(tokens.row_count()),
                    static_cast<std::size_t>(tokens.width), pool);
    options.pool = pool;
    options.batch_tokens = 1 + random() % 80;
    options.segment_bytes = 1 + random() % 2000;
    const PooledSink found = corpus.run(options);

    std::vector<std::uint64_t> first_sentences;
    for (const PooledRow& row : found.rows) first_sentences.push_back(row.first_sentence);
    CHECK(first_sentences == expected.first_sentences);
    CHECK(found.values == expected.values);
    CHECK(found.ends.back() == corpus.sentences.size());
    if (found.ends.size() > 1) {  // a run resumed from there has the remaining rows
      options.first_sentence = found.ends[0];
      RunOptions rest_options = options;
      if (options.initial_state == InitialState::carry) continue;
      const PooledSink rest = corpus.run(rest_options);
      CHECK(rest.rows.size() == found.rows.size() - found.rows_at_end[0]);
      CHECK(std::equal(rest.values.rbegin(), rest.values.rend(), found.values.rbegin()));
    }
  }
}

TEST_CASE("each vector of a normalized row has length 1, except zeros") {
  PooledCorpus corpus{{{"a", "b"}, {}, {"c", "d", "e"}}, {0, 0, 1}, {}};
  corpus.kept.resize(3);
  for (const PoolKind kind : {PoolKind::mean, PoolKind::max, PoolKind::first_last}) {
    RunOptions options;
    options.pool = PoolOptions{kind, PoolUnit::sentence};
    const std::vector<float> plain = corpus.run(options).values;
    options.pool->normalize = true;
    const std::vector<float> normalized = corpus.run(options).values;
    REQUIRE(normalized.size() == plain.size());
    const auto rows = static_cast<std::size_t>(pooled_model().options().activation_rows()) * 3;
    const std::size_t width = plain.size() / rows;
    for (std::size_t row = 0; row < rows; ++row) {
      double squares = 0;
      for (std::size_t i = 0; i < width; ++i)
        squares += std::pow(double{plain[row * width + i]}, 2);
      for (std::size_t i = 0; i < width; ++i) {
        const double expected = squares > 0 ? plain[row * width + i] / std::sqrt(squares) : 0.0;
        CHECK(normalized[row * width + i] == doctest::Approx(expected).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("a pooled row records its source") {
  PooledCorpus corpus{{{"a", "b"}, {}, {"c", "d", "e"}, {"f"}}, {0, 0, 0, 3}, {}};
  using Positions = std::vector<std::uint32_t>;
  corpus.kept = {Positions{1}, Positions{}, Positions{0, 2}, Positions{}};
  RunOptions options;
  options.pool = PoolOptions{PoolKind::mean, PoolUnit::document};
  const PooledSink found = corpus.run(options);
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].document->id == "");
  CHECK(found.rows[0].sentences == 2);
  CHECK(found.rows[0].tokens == 3);
  CHECK(found.rows[0].first_sentence == 0);
  CHECK(found.rows[0].line == 1);
  CHECK(found.rows[0].span == ByteSpan{2, 5});  // ListSource's positions restart in each sentence
}

}  // namespace
}  // namespace elmo
