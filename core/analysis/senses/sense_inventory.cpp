#include "core/analysis/senses/sense_inventory.h"

#include <algorithm>

namespace elmo {

std::optional<std::size_t> SenseWord::most_frequent() const {
  if (keys.empty()) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
}

std::optional<std::size_t> SenseWord::first() const {
  if (!listed) return most_frequent();
  return 0;
}

std::size_t SenseInventory::ask(const LemmaKey& lemma) {
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
  std::vector<std::size_t> places;
  for (const std::string& key : keys) {
    auto found = std::ranges::find(senses.keys, key);
    if (found == senses.keys.end()) {
      if (senses.listed) continue;
      found = senses.keys.insert(found, key);
      senses.counts.push_back(0);
    }
    const auto place = static_cast<std::size_t>(found - senses.keys.begin());
    if (std::ranges::find(places, place) != places.end()) continue;
    ++senses.counts[place];
    places.push_back(place);
  }
  return places;
}

}  // namespace elmo
