// The coreference model, compared with a plain reference, on documents small enough to memorize,
// and on a long one.
#include "core/tasks/coref/coref_model.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/tasks/coref/antecedent_scorer.h"
#include "core/tasks/coref/coref_scores.h"
#include "core/train/optimizer.h"
#include "tests/core/tasks/little_texts.h"
#include "tests/core/tasks/reference_text.h"
#include "tests/core/tasks/slope.h"

namespace elmo {
namespace {

constexpr std::int64_t kGenres = 2;
const std::vector<std::string> kGenreNames(kGenres);
constexpr std::size_t kMaxMentionTokens = 10;

// A plain reference: all spans, all pairs, one number at a time.
class CorefReference {
 public:
  CorefReference(const TaskOptions& options, const ReferenceValues& values)
      : options_(options), values_(values), text_(options, values) {}

  double loss(TaskBatch batch) const {
    double sum = 0.0;
    for (const TaskExample& example : batch) sum += document_loss(example);
    return sum / static_cast<double>(batch.size()) + text_.penalty();
  }

 private:
  struct Mention {
    RowSpan span;
    std::size_t sentence = 0;
    ReferenceRow vector;
    double score = 0.0;
    std::int32_t cluster = -1;
  };

  double network(const std::string& name, const ReferenceRow& sums) const {
    const ReferenceRow hidden = text_.rectified(name + "/hidden", {reference_relu(sums)})[0];
    double score = values_.at(name + "/score/b")[0];
    const ReferenceRow& weights = values_.at(name + "/score/W");
    for (std::size_t c = 0; c < hidden.size(); ++c) score += weights[c] * hidden[c];
    return score;
  }

  ReferenceRow product(const ReferenceRow& row, const std::string& name) const {
    const ReferenceRow& weights = values_.at(name);
    const std::size_t columns = weights.size() / row.size();
    ReferenceRow sums(columns, 0.0);
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t c = 0; c < columns; ++c) sums[c] += row[i] * weights[i * columns + c];
    }
    return sums;
  }

  static void add_to(ReferenceRow& sums, const ReferenceRow& more) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += more[c];
  }

  ReferenceRow table_row(const std::string& name, std::size_t row, std::size_t columns) const {
    const auto begin = values_.at(name).begin() + static_cast<std::ptrdiff_t>(row * columns);
    return {begin, begin + static_cast<std::ptrdiff_t>(columns)};
  }

  // Section 4: all spans of the document with their vectors and scores.
  std::vector<Mention> all_spans(const TaskExample& example) const {
    std::vector<Mention> spans;
    std::int64_t first = 0;
    for (std::size_t n = 0; n < example.texts.size(); ++n) {
      const TaskText& sentence = example.texts[n];
      const ReferenceRows x = text_.tokens(sentence);
      const ReferenceRows h =
          text_.with_output_elmo(text_.bilstms("encoder", options_.layers, x), sentence);
      ReferenceRow heads;
      for (const ReferenceRow& row : text_.linear("span/head/first", h)) {
        heads.push_back(network("span/head", row));
      }
      for (std::size_t begin = 0; begin < h.size(); ++begin) {
        for (std::size_t end = begin + 1; end <= std::min(begin + kMaxMentionTokens, h.size());
             ++end) {
          Mention& span = spans.emplace_back();
          span.sentence = n;
          span.span = {first + static_cast<std::int64_t>(begin),
                       first + static_cast<std::int64_t>(end)};
          span.vector = h[begin];
          append(span.vector, h[end - 1]);
          const ReferenceRow shares =
              reference_softmax({heads.begin() + static_cast<std::ptrdiff_t>(begin),
                                 heads.begin() + static_cast<std::ptrdiff_t>(end)});
          ReferenceRow head(x[0].size(), 0.0);
          for (std::size_t t = begin; t < end; ++t) {
            for (std::size_t c = 0; c < head.size(); ++c) head[c] += shares[t - begin] * x[t][c];
          }
          append(span.vector, head);
          append(span.vector, table_row("span/width", end - begin - 1, 20));
          span.score = network("mention", text_.linear("mention/first", {span.vector})[0]);
        }
      }
      first += sentence.tokens();
    }
    return spans;
  }

  // The best spans that do not cross, and gold mentions of clusters with several mentions.
  static std::vector<Mention> kept(std::vector<Mention> spans, const TaskExample& example) {
    std::map<RowSpan, std::int32_t> gold;
    std::int32_t number = 0;
    for (const MentionCluster& cluster : example.gold->as<CorefGold>().clusters) {
      for (const RowSpan& mention : cluster) {
        if (cluster.size() > 1) gold[mention] = number;
      }
      ++number;
    }
    std::ranges::stable_sort(spans,
                             [](const Mention& a, const Mention& b) { return a.score > b.score; });
    const auto most =
        static_cast<std::size_t>(std::ceil(0.4 * static_cast<double>(example.tokens())));
    std::vector<Mention> taken;
    std::vector<Mention> others;
    for (Mention& span : spans) {
      const auto found = gold.find(span.span);
      if (found != gold.end()) span.cluster = found->second;
      const bool crosses = std::ranges::any_of(taken, [&](const Mention& other) {
        const auto [a, b] = std::minmax(span.span, other.span);
        return a.begin < b.begin && b.begin < a.end && a.end < b.end;
      });
      if (!crosses && taken.size() < most) {
        taken.push_back(span);
      } else if (found != gold.end()) {
        others.push_back(span);
      }
    }
    taken.insert(taken.end(), others.begin(), others.end());
    std::ranges::sort(taken, {}, &Mention::span);
    return taken;
  }

  // Equations 1, 2, 3 and 9.
  double document_loss(const TaskExample& example) const {
    const std::vector<Mention> mentions = kept(all_spans(example), example);
    double loss = 0.0;
    for (std::size_t i = 0; i < mentions.size(); ++i) {
      double all = 1.0;
      double right = 0.0;
      for (std::size_t j = 0; j < i; ++j) {
        const double e = std::exp(pair_score(example, mentions, i, j));
        all += e;
        if (mentions[i].cluster >= 0 && mentions[j].cluster == mentions[i].cluster) right += e;
      }
      loss += std::log(all) - std::log(right == 0.0 ? 1.0 : right);
    }
    return loss / static_cast<double>(mentions.size());
  }

  double pair_score(const TaskExample& example, const std::vector<Mention>& mentions, std::size_t i,
                    std::size_t j) const {
    const ReferenceRow& own = mentions[i].vector;
    const ReferenceRow& other = mentions[j].vector;
    ReferenceRow products;
    for (std::size_t c = 0; c < own.size(); ++c) products.push_back(own[c] * other[c]);
    ReferenceRow sums = product(own, "antecedent/span/W");
    add_to(sums, product(other, "antecedent/earlier/W"));
    add_to(sums, product(products, "antecedent/product/W"));
    const std::size_t distance = i - j;
    const std::size_t bucket =
        distance < 5 ? distance - 1 : static_cast<std::size_t>(std::log2(distance)) + 2;
    add_to(sums, table_row("antecedent/distance", bucket, sums.size()));
    const auto& gold = example.gold->as<CorefGold>();
    const std::int32_t genre = gold.genre;
    add_to(sums,
           table_row("antecedent/genre",
                     static_cast<std::size_t>(genre < 0 || genre >= kGenres ? kGenres : genre),
                     sums.size()));
    std::size_t speaker = 0;
    if (!gold.speakers.empty()) {
      const std::int32_t a = gold.speakers[mentions[i].sentence];
      const std::int32_t b = gold.speakers[mentions[j].sentence];
      if (a >= 0 && b >= 0) speaker = a == b ? 2 : 1;
    }
    add_to(sums, table_row("antecedent/speaker", speaker, sums.size()));
    double score = mentions[i].score + mentions[j].score + network("antecedent", sums);
    const ReferenceRow coarse = product(own, "antecedent/coarse");
    for (std::size_t c = 0; c < coarse.size(); ++c) {
      score += coarse[c] * other[c] / static_cast<double>(own.size());
    }
    return score;
  }

  const TaskOptions& options_;
  const ReferenceValues& values_;
  ReferenceText text_;
};

TaskOptions coref_options(ElmoPlace elmo) {
  TaskOptions options = little_options(elmo);
  options.word_columns = 3;
  return options;
}

std::shared_ptr<CorefGold> document(std::int32_t genre, std::vector<std::int32_t> speakers,
                                    std::vector<MentionCluster> clusters) {
  auto gold = std::make_shared<CorefGold>();
  gold->genre = genre;
  gold->speakers = std::move(speakers);
  gold->clusters = std::move(clusters);
  return gold;
}

LittleTexts little_documents(const TaskOptions& options) {
  LittleTexts texts(options.bilm);
  texts.add({{0, 1, 2, 3}, {4, 5}, {6, 0, 1, 2}},
            document(1, {0, 1, 0}, {{{0, 1}, {7, 8}, {4, 6}}, {{1, 3}, {8, 10}}}));
  texts.add({{7, 8, 9}, {0, 7}}, document(-1, {}, {}));
  texts.add({{3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8}},
            document(7, {-1}, {{{0, 1}, {5, 6}}, {{11, 12}}}));
  return texts;
}

TEST_CASE("loss of coreference, and its gradient") {
  const WordVocabulary words = little_words();
  Workers workers(2);
  TaskOptions concatenated = coref_options(ElmoPlace::both);
  concatenated.mix.kind = MixKind::concat;
  for (const TaskOptions& options :
       {coref_options(ElmoPlace::none), coref_options(ElmoPlace::both), concatenated}) {
    CAPTURE(kElmoPlaces.word(options.elmo));
    CAPTURE(kMixKinds.word(options.mix.kind));
    const LittleTexts texts = little_documents(options);
    const std::vector<TaskExample> batch = texts.batch();
    CorefModel model(options, words, kGenreNames);
    ReferenceValues values = randomize(model.parameters(), 1, 0.15F);
    PassOptions pass;
    pass.training = true;
    const double loss = model.train(batch, pass, workers);
    const CorefReference reference(options, values);
    CHECK(loss == doctest::Approx(reference.loss(batch)).epsilon(1e-5));
    // Checks some numbers of the largest parameters only, because each takes two passes of the
    // reference.
    for (const Parameter* parameter : model.parameters()) {
      CAPTURE(parameter->name);
      const AlignedVector<float> gradient = whole_gradient(*parameter);
      DoubleNumbers& numbers = values.at(parameter->name);
      double largest = 1e-3;
      for (const float value : gradient) largest = std::max(largest, std::fabs(double{value}));
      const std::size_t step = std::max<std::size_t>(1, numbers.size() / 17);
      for (std::size_t i = 0; i < numbers.size(); i += step) {
        constexpr double kStep = 1e-5;
        const double before = numbers[i];
        numbers[i] = before + kStep;
        const double above = reference.loss(batch);
        numbers[i] = before - kStep;
        const double below = reference.loss(batch);
        numbers[i] = before;
        CHECK(std::fabs((above - below) / (2 * kStep) - double{gradient[i]}) / largest <
              kGradientTolerance);
      }
    }
  }
}

TEST_CASE("clusters of one mention do not change what coreference learns") {
  const WordVocabulary words = little_words();
  const TaskOptions options = coref_options(ElmoPlace::none);
  std::vector<double> losses;
  for (const bool more : {false, true}) {
    LittleTexts texts(options.bilm);
    std::vector<MentionCluster> clusters{{{0, 1}, {5, 6}}};
    if (more) clusters.insert(clusters.end(), {{{0, 8}}, {{3, 8}}, {{1, 7}}, {{9, 12}}});
    texts.add({{0, 1, 2, 3, 4, 5, 6, 7}, {8, 0, 1, 2}}, document(-1, {}, clusters));
    CorefModel model(options, words, kGenreNames);
    randomize(model.parameters(), 1, 0.15F);
    Workers workers(1);
    PassOptions pass;
    pass.training = true;
    losses.push_back(model.train(texts.batch(), pass, workers));
  }
  CHECK(losses[0] == losses[1]);
}

TEST_CASE("dropout of coreference matches its gradient") {
  const WordVocabulary words = little_words();
  TaskOptions options = coref_options(ElmoPlace::both);
  options.layers = 2;
  options.hidden = 8;
  options.dropout = 0.4F;
  options.mix.dropout = 0.3F;
  const LittleTexts texts = little_documents(options);
  const std::vector<TaskExample> batch = texts.batch();
  CorefModel model(options, words, kGenreNames);
  model.initialize(5);
  check_slope(model, batch);
}

// Twenty documents. In each, a word and its next occurrence form a cluster.
LittleTexts memorable_documents(const TaskOptions& options) {
  LittleTexts texts(options.bilm);
  for (int n = 0; n < 20; ++n) {
    const int a = n % 5;
    const int b = 5 + (n * 3) % 4;
    const bool even = n % 2 == 0;
    texts.add(
        {{a, 9, b, 9}, {9, a, 9, 9, 9}, {b, 9, 9, even ? a : b, 9}},
        document(n % 2, {0, 1, 0},
                 even
                     ? std::vector<MentionCluster>{{{0, 1}, {5, 6}, {12, 13}}, {{2, 3}, {9, 10}}}
                     : std::vector<MentionCluster>{{{0, 1}, {5, 6}}, {{2, 3}, {9, 10}, {12, 13}}}));
  }
  return texts;
}

TEST_CASE("coreference memorizes a few documents, for any number of workers and batch size") {
  const WordVocabulary words = little_words();
  TaskOptions options = coref_options(ElmoPlace::both);
  options.hidden = 8;
  const LittleTexts texts = memorable_documents(options);
  const std::vector<TaskExample> batch = texts.batch();
  std::vector<double> expected;
  for (const int count : {1, 2, 3}) {
    Workers workers(count);
    CorefModel model(options, words, kGenreNames);
    model.initialize(2);
    ParameterOptimizer optimizer({}, model.parameters());
    PassOptions pass;
    pass.training = true;
    std::vector<double> losses;
    for (pass.step = 0; pass.step < (count == 1 ? 60U : 5U); ++pass.step) {
      for (Parameter* parameter : model.parameters()) parameter->clear_gradient();
      losses.push_back(model.train(batch, pass, workers));
      optimizer.apply(pass.step, 0.01F, 1.0F, workers);
    }
    if (count > 1) {
      CHECK(std::ranges::equal(losses, std::span(expected).first(losses.size())));
      continue;
    }
    expected = losses;
    const auto together = model.predict(batch, workers);
    REQUIRE(together.size() == batch.size());
    CorefScores scores;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      TaskRecord record;
      record.gold = std::make_shared<CorefGold>(batch[i].gold->as<CorefGold>());
      scores.add(record, *together[i]);
      const auto alone = model.predict(std::span(batch).subspan(i, 1), workers);
      CHECK(alone[0]->as<ClusterPrediction>().clusters ==
            together[i]->as<ClusterPrediction>().clusters);
    }
    MESSAGE("loss " << losses.back() << ", f1 " << scores.score());
    CHECK(scores.score() >= 99.0);
  }
}

TEST_CASE("a long document is cut for training and read in parts for prediction") {
  const WordVocabulary words = little_words();
  const TaskOptions options = coref_options(ElmoPlace::none);
  LittleTexts texts(options.bilm);
  std::vector<std::vector<int>> sentences;
  std::vector<MentionCluster> expected(10);
  for (int n = 0; n < 900; ++n) {
    sentences.push_back({n % 10, 3, 5, (n * n / 7) % 10, 1});
    expected[static_cast<std::size_t>(n % 10)].push_back({5 * n, 5 * n + 1});
    expected[static_cast<std::size_t>(n * n / 7 % 10)].push_back({5 * n + 3, 5 * n + 4});
  }
  texts.add(sentences, document(-1, {}, expected));
  const std::vector<TaskExample> batch = texts.batch();
  CorefModel model(options, words, {});
  model.initialize(1);
  std::vector<double> losses;
  for (const int count : {1, 2}) {
    Workers workers(count);
    for (const std::uint64_t step : {4U, 5U, 4U}) {
      for (Parameter* parameter : model.parameters()) parameter->clear_gradient();
      PassOptions pass;
      pass.training = true;
      pass.step = step;
      losses.push_back(model.train(batch, pass, workers));
      CHECK(model.trained_tokens(batch) == 500);
    }
  }
  CHECK(losses[0] != losses[1]);
  CHECK(losses[2] == losses[0]);
  CHECK(losses[3] == losses[0]);

  Workers workers(2);
  for (Parameter* parameter : model.parameters()) {
    if (parameter->name == "mention/score/b") parameter->values[0] = 5.0F;  // link everything
  }
  const auto predictions = model.predict(batch, workers);
  const std::vector<MentionCluster>& clusters = predictions[0]->as<ClusterPrediction>().clusters;
  REQUIRE(clusters.size() == 1);
  // All kept spans in parts of 2050, 2050 and 400 tokens.
  CHECK(clusters[0].size() == 1800);
  CHECK(std::ranges::is_sorted(clusters[0]));
  CHECK(clusters[0].back().end > 4490);
}

}  // namespace
}  // namespace elmo
