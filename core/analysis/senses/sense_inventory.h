// Words and their senses: which ones a word may have, and how often training met each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"

namespace elmo {

/// A place where a word is used in some sense.
struct SenseInstance {
  std::string id;         ///< of the place, unique in its file
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< past its last one; at least one token
  std::string lemma;
  std::string part_of_speech;
  std::vector<std::string> keys;  ///< of the senses, at least one; any of them is right
  bool is_name = false;           ///< of a person, a group, a place: tagged by its kind
};

/// A sentence with the senses of some of its words, in order.
struct SenseSentence {
  Sentence sentence;
  std::vector<SenseInstance> instances;
};

/// A lemma and its part of speech.
using LemmaKey = std::pair<std::string, std::string>;

/// Keys of the senses that a word may have, the first one the back-off.
using SenseCandidates = std::map<LemmaKey, std::vector<std::string>>;

/// A word's senses.
struct SenseWord {
  std::vector<std::string> keys;      ///< candidates in their order; none listed: as training came
  std::vector<std::uint64_t> counts;  ///< instances of each in training
  bool listed = false;                ///< the candidates are given, training adds none

  /// The sense that training met most often, the first of several; where it met none, the first
  /// candidate. Nothing where the word has no sense at all.
  std::optional<std::size_t> most_frequent() const;
  /// The first candidate; of a word that is not listed the most frequent sense.
  std::optional<std::size_t> first() const;
};

/// The words that are asked for. One thread.
class SenseInventory {
 public:
  /// `candidates` may be empty: the senses of a word are then those that training meets. It has to
  /// outlive this.
  explicit SenseInventory(const SenseCandidates& candidates) : candidates_(candidates) {}

  /// The number of a word, which is added where it is not known. Numbers go from 0 on.
  std::size_t ask(const LemmaKey& lemma);

  /// The number of a word that was asked for.
  std::optional<std::size_t> find(const LemmaKey& lemma) const;

  /// Counts the senses of an instance in training and gives their places among the word's; those
  /// that are no candidates are left out.
  std::vector<std::size_t> count(std::size_t word, const std::vector<std::string>& keys);

  const SenseWord& word(std::size_t number) const { return words_[number]; }
  std::size_t size() const { return words_.size(); }

 private:
  const SenseCandidates& candidates_;
  std::map<LemmaKey, std::size_t> numbers_;
  std::vector<SenseWord> words_;
};

}  // namespace elmo
