#include "core/analysis/senses.h"

#include <algorithm>
#include <cmath>

#include "core/kernels/product.h"

namespace elmo {

std::optional<std::size_t> SenseWord::most_frequent() const {
  if (keys.empty()) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
}

std::optional<std::size_t> SenseWord::first() const {
  if (!listed) return most_frequent();
  return 0;
}

std::size_t SenseInventory::add(const LemmaKey& lemma) {
  const auto [found, is_new] = numbers_.try_emplace(lemma, words_.size());
  if (is_new) {
    SenseWord word;
    if (const auto listed = candidates_.find(lemma); listed != candidates_.end()) {
      word.keys = listed->second;
      word.counts.resize(word.keys.size());
      word.listed = true;
    }
    words_.push_back(std::move(word));
  }
  return found->second;
}

std::optional<std::size_t> SenseInventory::find(const LemmaKey& lemma) const {
  const auto found = numbers_.find(lemma);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::size_t> SenseInventory::count(std::size_t word,
                                               const std::vector<std::string>& keys) {
  SenseWord& senses = words_[word];
  std::vector<std::size_t> indices;
  for (const std::string& key : keys) {
    auto found = std::ranges::find(senses.keys, key);
    if (found == senses.keys.end()) {
      if (senses.listed) continue;
      found = senses.keys.insert(found, key);
      senses.counts.push_back(0);
    }
    const auto index = static_cast<std::size_t>(found - senses.keys.begin());
    if (std::ranges::find(indices, index) != indices.end()) continue;
    ++senses.counts[index];
    indices.push_back(index);
  }
  return indices;
}

bool SenseStream::next(Sentence& sentence) {
  SenseSentence read;
  do {
    if (!read_(read)) return false;
    std::erase_if(read.instances, [this](const SenseInstance& at) { return !wanted_(at); });
  } while (read.instances.empty());
  sentence = std::move(read.sentence);
  const std::lock_guard lock(mutex_);
  in_pipeline_.push_back(std::move(read.instances));
  return true;
}

void SenseStream::write(const ActivationBatch& batch) {
  const std::size_t values =
      batch.activations.size() / std::max<std::size_t>(1, batch.token_count());
  std::span<const float> rest = batch.activations;
  for (const Sentence& sentence : batch.sentences) {
    std::vector<SenseInstance> instances;
    {
      const std::lock_guard lock(mutex_);
      instances = std::move(in_pipeline_.front());
      in_pipeline_.pop_front();
    }
    for (const SenseInstance& instance : instances) {
      const float share = 1.0F / static_cast<float>(instance.end - instance.begin);
      mean_.assign(values, 0.0F);
      for (std::size_t token = instance.begin; token < instance.end; ++token) {
        const std::span<const float> vector = rest.subspan(token * values, values);
        for (std::size_t i = 0; i < values; ++i) mean_[i] += share * vector[i];
      }
      take_(instance, mean_);
    }
    rest = rest.subspan(sentence.size() * values);
  }
}

namespace {

// Examples that are compared together: enough for efficient products, few enough for the cache.
constexpr std::size_t kExamples = 4096;

}  // namespace

SenseSearch::SenseSearch(std::vector<TokenLayer> layers, std::int64_t values)
    : layers_(std::move(layers)), values_(static_cast<std::size_t>(values)) {}

/// Appends a token's vector with each layer scaled to length 1. A zero layer stays zero, with
/// cosine 0 to everything.
template <typename Number>
void SenseSearch::append_scaled(std::span<const Number> vector, std::vector<float>& to) const {
  for (const TokenLayer& layer : layers_) {
    const auto part = vector.subspan(static_cast<std::size_t>(layer.begin),
                                     static_cast<std::size_t>(layer.width));
    double squares = 0;
    for (const double value : part) squares += value * value;
    const double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
    for (const double value : part) to.push_back(static_cast<float>(value * factor));
  }
}

void SenseSearch::add_question(std::size_t word, std::span<const float> vector) {
  if (words_.size() <= word) words_.resize(word + 1);
  Word& asked = words_[word];
  questions_.push_back({word, asked.vectors.size() / values_});
  append_scaled(vector, asked.vectors);
}

void SenseSearch::add_example(std::size_t word, std::span<const std::size_t> senses,
                              std::span<const float> vector) {
  if (word >= words_.size() || senses.empty()) return;
  std::vector<std::vector<double>>& sums = words_[word].sums;
  for (const std::size_t sense : senses) {
    if (sums.size() <= sense) sums.resize(sense + 1);
    sums[sense].resize(values_);
    for (std::size_t i = 0; i < values_; ++i) sums[sense][i] += double{vector[i]};
  }
  examples_.push_back({word, Senses(senses.begin(), senses.end()), examples_.size()});
  append_scaled(vector, example_vectors_);
  if (examples_.size() == kExamples) compare_examples();
}

/// Compares the collected examples with the questions about their words.
void SenseSearch::compare_examples() {
  std::ranges::stable_sort(examples_, {}, &Example::word);
  std::vector<Senses> senses;
  std::vector<float> vectors;
  for (std::size_t begin = 0; begin < examples_.size();) {
    const std::size_t word = examples_[begin].word;
    senses.clear();
    vectors.clear();
    for (; begin < examples_.size() && examples_[begin].word == word; ++begin) {
      const auto row =
          example_vectors_.begin() + static_cast<std::ptrdiff_t>(examples_[begin].row * values_);
      vectors.insert(vectors.end(), row, row + static_cast<std::ptrdiff_t>(values_));
      senses.push_back(std::move(examples_[begin].senses));
    }
    compare(words_[word], senses, vectors, words_[word].exemplars);
  }
  examples_.clear();
  example_vectors_.clear();
}

/// Compares vectors [senses.size(), values] of these senses with the questions about `word`.
void SenseSearch::compare(const Word& word, std::span<const Senses> senses,
                          std::span<const float> vectors, Cosines& cosines) {
  const std::size_t questions = word.vectors.size() / values_;
  if (questions == 0 || senses.empty()) return;
  cosines.resize(layers_.size());
  products_.resize(senses.size() * questions);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const std::int64_t begin = layers_[layer].begin;
    const auto stride = static_cast<std::int64_t>(values_);
    const auto columns = static_cast<std::int64_t>(senses.size());
    const auto rows = static_cast<std::int64_t>(questions);
    const std::int64_t width = layers_[layer].width;
    multiply({word.vectors.data() + begin, rows, width, stride},
             ConstFloatView(vectors.data() + begin, columns, width, stride).transposed(),
             {products_.data(), rows, columns});
    cosines[layer].resize(questions);
    const float* product = products_.data();
    for (std::vector<float>& largest : cosines[layer]) {
      for (const Senses& of_example : senses) {
        for (const std::size_t sense : of_example) {
          if (largest.size() <= sense) largest.resize(sense + 1, kNone);
          largest[sense] = std::max(largest[sense], *product);
        }
        ++product;
      }
    }
  }
}

void SenseSearch::finish() {
  compare_examples();
  for (Word& word : words_) {
    std::vector<Senses> senses;
    std::vector<float> vectors;
    for (std::size_t sense = 0; sense < word.sums.size(); ++sense) {
      if (word.sums[sense].empty()) continue;
      senses.push_back({sense});
      // The sum has the same direction as the mean.
      append_scaled(std::span<const double>(word.sums[sense]), vectors);
    }
    compare(word, senses, vectors, word.averages);
  }
}

std::optional<std::size_t> SenseSearch::answer(std::size_t question, std::size_t layer,
                                               SenseNeighbor neighbor, float prior,
                                               const SenseWord& word) const {
  const auto& [number, index] = questions_[question];
  const Word& asked = words_[number];
  const Cosines& all = neighbor == SenseNeighbor::average ? asked.averages : asked.exemplars;
  std::vector<float> scores;
  if (!all.empty()) scores = all[layer][index];
  for (std::size_t sense = 0; sense < scores.size(); ++sense) {
    if (scores[sense] == kNone) continue;
    scores[sense] += prior * std::log(static_cast<float>(word.counts[sense]));
  }
  const auto best = std::ranges::max_element(scores);
  if (best == scores.end() || *best == kNone) return word.first();
  const auto ties = [&](float score) { return score >= *best - kTie; };
  return static_cast<std::size_t>(std::ranges::find_if(scores, ties) - scores.begin());
}

double SenseCount::f1() const {
  return answered + instances == 0
             ? 0
             : 2 * static_cast<double>(correct) / static_cast<double>(answered + instances);
}

SenseCount& SenseCount::operator+=(const SenseCount& other) {
  instances += other.instances;
  answered += other.answered;
  correct += other.correct;
  return *this;
}

SenseScores& SenseScores::operator+=(const SenseScores& other) {
  first_candidate += other.first_candidate;
  most_frequent += other.most_frequent;
  if (layers.empty()) {
    layers = other.layers;
    return *this;
  }
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    layers[layer].average += other.layers[layer].average;
    layers[layer].exemplar += other.layers[layer].exemplar;
  }
  return *this;
}

SenseScores score_senses(const SenseSearch& search, const SenseInventory& inventory,
                         const std::vector<SenseQuestion>& questions, std::size_t first,
                         float prior) {
  SenseScores scores;
  for (const TokenLayer& layer : search.layers()) scores.layers.push_back({layer.name, {}, {}});
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const SenseWord& word = inventory.word(search.word_of(first + q));
    const auto add = [&](SenseCount& count, std::optional<std::size_t> answer) {
      ++count.instances;
      if (!answer) return;
      ++count.answered;
      const std::vector<std::string>& right = questions[q].keys;
      if (std::ranges::find(right, word.keys[*answer]) != right.end()) ++count.correct;
    };
    add(scores.first_candidate, word.first());
    add(scores.most_frequent, word.most_frequent());
    for (std::size_t layer = 0; layer < scores.layers.size(); ++layer) {
      const auto answer = [&](SenseNeighbor neighbor) {
        return search.answer(first + q, layer, neighbor, prior, word);
      };
      add(scores.layers[layer].average, answer(SenseNeighbor::average));
      add(scores.layers[layer].exemplar, answer(SenseNeighbor::exemplar));
    }
  }
  return scores;
}

}  // namespace elmo
