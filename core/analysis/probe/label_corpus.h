// Labels of a corpus as one number per token, and the labels that words alone predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/tasks/common/labeled_sentence.h"

namespace elmo {

/// Tokens of labeled sentences, one sentence after another.
struct LabelCorpus {
  std::vector<std::int32_t>
      labels;  ///< [tokens] label, numbered as in training; −1: not in training
  std::vector<std::int32_t> by_word;   ///< [tokens] the most frequent label of the word
  std::vector<bool> unknown;           ///< [tokens] true if the word is not in the training data
  std::vector<std::size_t> begins{0};  ///< [sentences + 1] first token of each sentence

  std::size_t tokens() const { return labels.size(); }
  std::size_t sentences() const { return begins.size() - 1; }
};

/// Statistics of training labels: the distinct labels, and each word's most frequent label. Memory
/// grows with the number of distinct words. One thread.
class WordLabels {
 public:
  /// Reads training data to its end. InputError if it has only one label, or more than kMaxLabels
  /// (task_kind.h), which is likely a mistake, such as a column of lemmas. Other errors: as the
  /// source's.
  explicit WordLabels(LabeledSource& train);

  /// Labels in order of first occurrence.
  const std::vector<std::string>& names() const { return names_; }

  /// Reads a corpus to its end. LabelCorpus::by_word has each word's most frequent training label
  /// or, of equally frequent ones, the first. Unknown words get the most frequent label of all.
  /// InputError if training never saw most of the corpus's labels. Other errors: as the source's.
  LabelCorpus corpus(LabeledSource& source) const;

 private:
  using Counts = std::map<std::int32_t, std::uint64_t>;

  static std::int32_t most_frequent(const Counts& counts);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // index in names_
  std::unordered_map<std::string, std::int32_t> best_;     // label predicted for each word
  std::int32_t best_of_all_ = 0;
};

}  // namespace elmo
