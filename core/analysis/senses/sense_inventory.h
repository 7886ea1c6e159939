// Words and their senses: the possible senses of each word, and how often each occurs in training.
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

/// An occurrence of a word with its sense.
struct SenseInstance {
  std::string id;         ///< unique in its file
  std::size_t begin = 0;  ///< first token of the word
  std::size_t end = 0;    ///< after its last token; at least one token
  std::string lemma;
  std::string part_of_speech;
  std::vector<std::string> keys;  ///< of the senses, at least one; each counts as correct
  bool is_name = false;           ///< a person, a group or a location, labeled with its kind
};

/// A sentence with the senses of some of its words, in order.
struct SenseSentence {
  Sentence sentence;
  std::vector<SenseInstance> instances;
};

/// A lemma and its part of speech.
using LemmaKey = std::pair<std::string, std::string>;

/// Sense keys that a word may have. The first is the fallback.
using SenseCandidates = std::map<LemmaKey, std::vector<std::string>>;

/// Senses of a word.
struct SenseWord {
  std::vector<std::string> keys;      ///< candidates in order; not listed: in order of training
  std::vector<std::uint64_t> counts;  ///< training instances of each sense
  bool listed = false;                ///< the candidates are given; training adds none

  /// Index of the most frequent sense in training, the first of equally frequent ones. Without
  /// training instances, the first candidate. Nothing if the word has no sense.
  std::optional<std::size_t> most_frequent() const;
  /// Index of the first candidate; of a word that is not listed, the most frequent sense.
  std::optional<std::size_t> first() const;
};

/// Words of interest and their senses. One thread.
class SenseInventory {
 public:
  /// `candidates` may be empty; a word's senses are then those in the training data. `candidates`
  /// must outlive this object.
  explicit SenseInventory(const SenseCandidates& candidates) : candidates_(candidates) {}

  /// Returns the number of a word, from 0. Adds the word if it is new.
  std::size_t ask(const LemmaKey& lemma);

  /// The number of a word that was added by ask(), or nothing.
  std::optional<std::size_t> find(const LemmaKey& lemma) const;

  /// Counts the senses of a training instance and returns their indices among the word's senses.
  /// Senses that are not candidates are ignored.
  std::vector<std::size_t> count(std::size_t word, const std::vector<std::string>& keys);

  const SenseWord& word(std::size_t number) const { return words_[number]; }
  std::size_t size() const { return words_.size(); }

 private:
  const SenseCandidates& candidates_;
  std::map<LemmaKey, std::size_t> numbers_;
  std::vector<SenseWord> words_;
};

}  // namespace elmo
