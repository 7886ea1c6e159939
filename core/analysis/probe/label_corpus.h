// The labels of a corpus as numbers, a token at a time, and what words alone predict of them.
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

/// The tokens of labeled sentences, one sentence after another.
struct LabelCorpus {
  std::vector<std::int32_t> labels;    ///< [tokens] of the training data; −1: none of them
  std::vector<std::int32_t> by_word;   ///< [tokens] the label that the word has most often
  std::vector<bool> unknown;           ///< [tokens] whether training never had the word
  std::vector<std::size_t> begins{0};  ///< [sentences + 1] the first token of each

  std::size_t tokens() const { return labels.size(); }
  std::size_t sentences() const { return begins.size() - 1; }
};

/// Statistics of training labels: which there are, and how often each word has each. Grows
/// with the distinct words. One thread.
class WordLabels {
 public:
  /// Reads training data to its end. InputError where it has one label only, or more than
  /// kMaxLabels (task_kind.h), which are taken for a mistake, such as a column of lemmas; else as
  /// the source.
  explicit WordLabels(LabeledSource& train);

  /// In the order in which they come first.
  const std::vector<std::string>& names() const { return names_; }

  /// Reads a corpus to its end. A word has the label that it had most often in training, of several
  /// the one that came first; an unknown one that which is most frequent of all.
  /// InputError where training never saw most of its labels; else as the source.
  LabelCorpus corpus(LabeledSource& source) const;

 private:
  using Counts = std::map<std::int32_t, std::uint64_t>;

  static std::int32_t most_frequent(const Counts& counts);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // of names_
  std::unordered_map<std::string, std::int32_t> best_;     // of each word
  std::int32_t best_of_all_ = 0;
};

}  // namespace elmo
