// The data of probes: labels of a corpus as one number per token, its activations in a shuffled
// order, and the accuracy of predicted labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inference/activations.h"
#include "core/matrix.h"
#include "core/tasks/common/label_scores.h"
#include "core/tasks/common/task_corpus.h"

namespace elmo {

/// Tokens of labeled sentences, one sentence after another.
struct LabelCorpus {
  /// [tokens] label, numbered as in training; −1: not in training.
  std::vector<std::int32_t> labels;
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
  /// Reads training data, whose labels `labels` numbers, to its end. `labels` must be empty before
  /// and outlive this object. InputError if it has only one label, or more than kMaxLabels
  /// (task_kind.h), which is likely a mistake, such as a column of lemmas. Other errors: as the
  /// source's.
  WordLabels(ExampleSource& train, const LabelSet& labels);

  /// Number of training labels.
  std::size_t size() const { return size_; }

  /// Reads a corpus with the same numbers of labels to its end. LabelCorpus::by_word has each
  /// word's most frequent training label or, of equally frequent ones, the first. Unknown words get
  /// the most frequent label of all. InputError if training never saw most of the corpus's labels.
  /// Other errors: as the source's.
  LabelCorpus corpus(ExampleSource& source) const;

 private:
  using Counts = std::map<std::int32_t, std::uint64_t>;

  static std::int32_t most_frequent(const Counts& counts);

  const LabelSet& labels_;
  std::size_t size_ = 0;
  std::unordered_map<std::string, std::int32_t> best_;  // label predicted for each word
  std::int32_t best_of_all_ = 0;
};

/// Visits a source's tokens once per epoch, with a bounded part of them in memory. Runs of adjacent
/// tokens are read in a shuffled order, and the tokens of all runs in memory are shuffled again.
/// The order depends only on seed and epoch. One thread.
class TokenStream {
 public:
  /// Uses runs of 256 tokens, as many as fit into about 64 MiB. `source` must outlive this object
  /// and have tokens.
  TokenStream(ActivationSource& source, std::uint64_t seed);

  /// Uses other sizes, in tokens. The part in memory, `kept`, is a multiple of `run`.
  TokenStream(ActivationSource& source, std::uint64_t seed, std::uint64_t run, std::uint64_t kept);

  void begin_epoch(std::uint64_t epoch);

  /// Advances to the next part. Returns false at the end of the epoch.
  bool next();

  /// Token numbers of the current part, and their activations [tokens, R, W]. Valid until next().
  std::span<const std::uint64_t> tokens() const { return tokens_; }
  std::span<const float> activations() const { return shuffled_; }

 private:
  ActivationSource& source_;
  std::uint64_t seed_;
  std::uint64_t run_;
  std::uint64_t runs_at_once_;
  std::uint64_t epoch_ = 0;
  std::uint64_t next_run_ = 0;
  std::vector<std::uint64_t> tokens_;
  AlignedVector<float> read_;  // of one run
  AlignedVector<float> shuffled_;
};

/// All figures in percent.
struct ProbeScore {
  double accuracy = 0.0;
  /// Bounds of the 95 % confidence interval of the accuracy.
  double low = 0.0;
  double high = 0.0;
  std::uint64_t unknown_tokens = 0;  ///< number of tokens whose words are not in the training data
  double unknown = 0.0;              ///< accuracy on these tokens; 0 without such tokens
};

/// Compares `predicted` [tokens] with the corpus's labels. The bounds come from the bootstrap over
/// sentences (Efron and Tibshirani 1993, section 13.3: percentiles of 1,000 samples), because
/// errors of tokens in one sentence are not independent. Any thread.
ProbeScore score_labels(const LabelCorpus& corpus, std::span<const std::int32_t> predicted,
                        std::uint64_t seed);

}  // namespace elmo
