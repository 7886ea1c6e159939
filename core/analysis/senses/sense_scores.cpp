#include "core/analysis/senses/sense_scores.h"

#include <algorithm>
#include <optional>

namespace elmo {

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
