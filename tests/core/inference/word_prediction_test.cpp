#include "core/inference/word_prediction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "tests/core/inference/collect.h"
#include "tests/fixtures/models.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

TEST_CASE("the average is finite even if the product of both perplexities is not") {
  PerplexityResult result;
  result.sentences = 1;
  result.tokens = 3;
  result.unknown = 1;
  result.log_probability = {LogProbability{-2400.0, -900.0}, LogProbability{-1600.0, -400.0}};
  CHECK(result.perplexity().average == doctest::Approx(std::exp(500.0)));
  CHECK(result.known_perplexity().average == doctest::Approx(std::exp(450.0)));
}

TEST_CASE("without predictions there is no perplexity") {
  PerplexityResult result;
  Sentence empty;
  result.add({0, empty, {}, {}, {}, 0});
  CHECK(result.predictions() == 0);
  CHECK(std::isnan(result.perplexity().forward));
  CHECK(std::isnan(result.perplexity().average));
}

constexpr double kPerplexityTolerance = 1e-5;  // relative; the activations are float32

// A vocabulary of most words in the sentences (every seventh is left out) and of words that no
// sentence has. It makes several tiles, the last one incomplete.
SoftmaxLayer random_softmax(const Sentences& sentences, std::int64_t width, std::size_t size) {
  std::set<std::string> distinct;
  for (const auto& sentence : sentences) distinct.insert(sentence.begin(), sentence.end());
  for (const char* reserved : {"<S>", "</S>", "<UNK>"}) distinct.erase(reserved);
  std::vector<std::string> words{"</S>", "<UNK>"};
  std::size_t count = 0;
  for (const std::string& word : distinct) {
    if (++count % 7 != 0) words.push_back(word);
  }
  words.emplace_back("<S>");
  while (words.size() < size) words.push_back("never" + std::to_string(words.size()));
  std::mt19937 generator(5);
  std::uniform_real_distribution<float> uniform(-1.5F, 1.5F);
  SoftmaxLayer softmax(Vocabulary(std::move(words)), width);
  for (float& value : softmax.weights.values) value = uniform(generator);
  for (float& value : softmax.bias.values) value = 2.0F * uniform(generator);
  return softmax;
}

double reference_log_probability(const SoftmaxLayer& softmax, const std::vector<double>& h,
                                 std::int64_t target) {
  std::vector<double> logits;
  for (std::size_t word = 0; word < softmax.bias.values.size(); ++word) {
    double logit = double{softmax.bias.values[word]};
    for (std::size_t k = 0; k < h.size(); ++k) {
      logit += h[k] * double{softmax.weights.values[word * h.size() + k]};
    }
    logits.push_back(logit);
  }
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0.0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  return logits[static_cast<std::size_t>(target)] - largest - std::log(sum);
}

struct ExpectedLogProbabilities {
  std::vector<double> forward;
  std::vector<double> backward;
};

struct ScoredModel {
  ModelOptions options = small_options();
  Parameters parameters = random_parameters(options, 11);
  ReferenceBilm reference{options, parameters};
  Bilm model = make(Precision::float32);
  Sentences sentences = make_sentences();
  SoftmaxLayer softmax = random_softmax(sentences, options.lstm.projection_dim, 2100);

  Bilm make(Precision precision) const {
    Parameters to_pack = parameters;
    return Bilm(options, std::move(to_pack), precision);
  }

  static Sentences make_sentences() {
    Sentences made = random_sentences(60, 12, 3);
    made[4].clear();
    made[20] = made[19];
    made[30] = {"<S>", "</S>", "<UNK>"};
    made[40] = {made[0].front()};
    return made;
  }

  ExpectedLogProbabilities expected(const std::vector<std::string>& tokens,
                                    ReferenceState& state) const {
    const ReferenceActivations rows = reference.activations(tokens, state, true);
    const auto target = [&](std::size_t token) {
      if (token == 0) return softmax.vocabulary.begin_sentence();
      if (token > tokens.size()) return softmax.vocabulary.end_sentence();
      return softmax.vocabulary.row(tokens[token - 1]);
    };
    ExpectedLogProbabilities result;
    for (std::size_t token = 0; token <= tokens.size(); ++token) {
      const auto& before = rows[token];
      const auto& after = rows[token + 1];
      result.forward.push_back(
          reference_log_probability(softmax, before[before.size() - 2], target(token + 1)));
      result.backward.push_back(reference_log_probability(softmax, after.back(), target(token)));
    }
    return result;
  }
};

struct Predictions {
  PerplexityResult result;
  std::vector<std::uint64_t> numbers;
  std::vector<ExpectedLogProbabilities> sentences;
};

Predictions predict(const Bilm& model, const ScoredModel& test, const Sentences& sentences,
                    const WordPredictionOptions& options) {
  ListSource source(sentences);
  const std::atomic<bool> stop = false;
  Predictions found;
  const PredictionListener listener = [&](const SentencePrediction& prediction) {
    found.numbers.push_back(prediction.number);
    found.result.add(prediction);
    found.sentences.push_back({{prediction.forward.begin(), prediction.forward.end()},
                               {prediction.backward.begin(), prediction.backward.end()}});
    CHECK(prediction.targets.size() == prediction.sentence.size());
    if (prediction.sentence.size() == 0) return;
    CHECK(prediction.sentence.size() == prediction.forward.size() + 1);
    CHECK(prediction.sentence.token(0) == "<S>");
  };
  found.result.completed =
      predict_words(model, test.softmax, source, options, stop, nullptr, listener).completed;
  return found;
}

void check_close(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(kPerplexityTolerance));
    CHECK(found[i] <= 0.0);
  }
}

TEST_CASE("log probabilities match the full softmax, from each initial state") {
  const ScoredModel test;
  for (const int lanes : {0, 1, 3}) {
    CAPTURE(lanes);
    WordPredictionOptions options;
    options.threads = 2;
    if (lanes > 0) {
      options.initial_state = InitialState::carry;
      options.lanes = lanes;
    }
    const Predictions found = predict(test.model, test, test.sentences, options);
    std::vector<ReferenceState> states(static_cast<std::size_t>(std::max(lanes, 1)),
                                       test.reference.zero_state());
    LogProbability sums[2];
    std::uint64_t tokens = 0;
    std::uint64_t unknown = 0;
    std::size_t next = 0;
    for (std::size_t s = 0; s < test.sentences.size(); ++s) {
      CAPTURE(s);
      const auto& sentence = test.sentences[s];
      CHECK(found.numbers[s] == s);
      if (sentence.empty()) {
        CHECK(found.sentences[s].forward.empty());
        CHECK(found.sentences[s].backward.empty());
        continue;
      }
      ReferenceState zero = test.reference.zero_state();
      const ExpectedLogProbabilities expected =
          test.expected(sentence, lanes > 0 ? states[s % states.size()] : zero);
      check_close(found.sentences[s].forward, expected.forward);
      check_close(found.sentences[s].backward, expected.backward);
      ++next;
      for (std::size_t t = 0; t <= sentence.size(); ++t) {
        sums[0].all += expected.forward[t];
        sums[1].all += expected.backward[t];
      }
      for (std::size_t t = 0; t < sentence.size(); ++t) {
        ++tokens;
        if (test.softmax.vocabulary.contains(sentence[t])) continue;
        ++unknown;
        sums[0].unknown += expected.forward[t];
        sums[1].unknown += expected.backward[t + 1];
      }
    }
    const PerplexityResult& result = found.result;
    CHECK(result.completed);
    CHECK(result.sentences == next);
    CHECK(result.tokens == tokens);
    CHECK(result.predictions() == tokens + next);
    CHECK(result.unknown == unknown);
    CHECK(unknown > 10);
    const Perplexity all = result.perplexity();
    const Perplexity known = result.known_perplexity();
    double losses = 0.0;
    for (const std::size_t direction : {0U, 1U}) {
      const LogProbability& sum = result.log_probability[direction];
      CHECK(sum.all == doctest::Approx(sums[direction].all).epsilon(kPerplexityTolerance));
      CHECK(sum.unknown == doctest::Approx(sums[direction].unknown).epsilon(kPerplexityTolerance));
      const double loss = -sums[direction].all / static_cast<double>(tokens + next);
      const double known_loss = (sums[direction].unknown - sums[direction].all) /
                                static_cast<double>(tokens + next - unknown);
      losses += loss;
      CHECK((direction == 0 ? all.forward : all.backward) ==
            doctest::Approx(std::exp(loss)).epsilon(kPerplexityTolerance));
      CHECK((direction == 0 ? known.forward : known.backward) ==
            doctest::Approx(std::exp(known_loss)).epsilon(kPerplexityTolerance));
    }
    CHECK(all.average == doctest::Approx(std::exp(losses / 2)).epsilon(kPerplexityTolerance));
  }
}

TEST_CASE("predictions do not depend on neighbors, batches or threads") {
  const ScoredModel test;
  WordPredictionOptions options;
  options.threads = 3;
  Sentences sentences = test.sentences;
  // The same beginnings and ends, which are computed once.
  for (std::size_t s = 0; s < test.sentences.size(); ++s) {
    sentences.push_back(test.sentences[s]);
    if (!sentences.back().empty()) sentences.back().back() = "another";
  }
  const Predictions together = predict(test.model, test, sentences, options);
  options.threads = 1;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    CAPTURE(s);
    const Predictions alone = predict(test.model, test, {sentences[s]}, options);
    CHECK(alone.sentences[0].forward == together.sentences[s].forward);
    CHECK(alone.sentences[0].backward == together.sentences[s].backward);
  }
}

TEST_CASE("a biLM of lower precision predicts nearly as well") {
  if (!is_supported(Precision::bfloat16)) {
    MESSAGE("skipped: this CPU has no bfloat16 products");
    return;
  }
  const ScoredModel test;
  const Bilm rounded = test.make(Precision::bfloat16);
  const double exact = predict(test.model, test, test.sentences, {}).result.perplexity().average;
  const double found = predict(rounded, test, test.sentences, {}).result.perplexity().average;
  CHECK(found == doctest::Approx(exact).epsilon(0.01));
  CHECK(found != exact);
}

TEST_CASE("reading ends with the sentence that reaches the limit of tokens") {
  const ScoredModel test;
  WordPredictionOptions options;
  const std::size_t first = test.sentences[0].size();
  options.max_tokens = first + 1;
  const PerplexityResult result = predict(test.model, test, test.sentences, options).result;
  CHECK(result.completed);
  CHECK(result.sentences == 2);
  CHECK(result.tokens == first + test.sentences[1].size());
}

TEST_CASE("a stopped run reports that it was stopped") {
  const ScoredModel test;
  ListSource source(test.sentences);
  const std::atomic<bool> stop = true;
  const auto ignore = [](const SentencePrediction&) {};
  CHECK_FALSE(predict_words(test.model, test.softmax, source, {}, stop, nullptr, ignore).completed);
}

TEST_CASE("a softmax of another width is refused") {
  const ScoredModel test;
  const SoftmaxLayer narrow =
      random_softmax(test.sentences, test.options.lstm.projection_dim - 1, 100);
  ListSource source(test.sentences);
  const std::atomic<bool> stop = false;
  CHECK_THROWS_WITH_AS(predict_words(test.model, narrow, source, {}, stop, nullptr, nullptr),
                       "the softmax has 7 weights a word, but the model's activations have 8 "
                       "numbers; take the softmax that was trained with this model",
                       InputError);
}

}  // namespace
}  // namespace elmo
