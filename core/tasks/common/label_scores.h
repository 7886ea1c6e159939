// Agreement of predicted labels with the expected ones: spans, counted as by conlleval, and tokens.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace elmo {

/// How often something was expected, predicted, and both. Figures are percentages, and 0 if there
/// was nothing to count, as in conlleval.
struct AgreementCounts {
  std::uint64_t expected = 0;
  std::uint64_t predicted = 0;
  std::uint64_t correct = 0;

  double precision() const { return percent(correct, predicted); }
  double recall() const { return percent(correct, expected); }
  /// 2 · precision · recall / (precision + recall)
  double f1() const { return percent(2 * correct, expected + predicted); }

  static double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// Scores of a corpus, added one sentence at a time. One thread.
class LabelScores {
 public:
  /// `spans`: the labels follow a span scheme, and types are span types. Otherwise types are
  /// labels.
  explicit LabelScores(bool spans) : spans_(spans) {}

  /// Adds a sentence. Both arguments have one label per token (else std::logic_error). A span is
  /// correct if its begin, end and type are; a token, if its whole label is.
  void add(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans() const { return spans_; }
  /// The figure for comparing models, in percent: F1 of spans, or accuracy of other labels.
  double score() const { return spans_ ? all_spans_.f1() : accuracy(); }
  std::uint64_t tokens() const { return tokens_.expected; }
  /// Accuracy over tokens, including those labeled O, in percent.
  double accuracy() const { return tokens_.recall(); }
  /// Counts over all spans; for other labels, over all tokens.
  const AgreementCounts& all() const { return spans_ ? all_spans_ : tokens_; }
  /// Mean F1 of the expected types.
  double macro_f1() const;
  /// Counts by span type or by label, for all that were expected or predicted.
  const std::map<std::string, AgreementCounts>& types() const { return types_; }

 private:
  void add_spans(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans_;
  AgreementCounts tokens_;
  AgreementCounts all_spans_;
  std::map<std::string, AgreementCounts> types_;
};

}  // namespace elmo
