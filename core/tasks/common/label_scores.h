// How far predicted labels agree with the expected ones: spans as conlleval counts them, and
// tokens.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace elmo {

/// How often something was expected, predicted, and both. Figures are in percent, and 0 where
/// nothing was there to count, as conlleval has it.
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

/// Scores of a corpus, a sentence at a time. One thread.
class LabelScores {
 public:
  /// `spans`: labels are of a span scheme, and types are those of spans. Else types are labels.
  explicit LabelScores(bool spans) : spans_(spans) {}

  /// One label a token, as many expected as predicted (else std::logic_error). A span is correct
  /// where its begin, its end and its type are; a token where its whole label is.
  void add(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans() const { return spans_; }
  /// What models are compared by, in percent: F1 of spans, accuracy of other labels.
  double score() const { return spans_ ? all_spans_.f1() : accuracy(); }
  std::uint64_t tokens() const { return tokens_.expected; }
  /// Of tokens, in percent; of labels O too.
  double accuracy() const { return tokens_.recall(); }
  /// Over all spans; of other labels, over all tokens.
  const AgreementCounts& all() const { return spans_ ? all_spans_ : tokens_; }
  /// The mean F1 of the types that were expected.
  double macro_f1() const;
  /// By type of span or by label, of all that were expected or predicted.
  const std::map<std::string, AgreementCounts>& types() const { return types_; }

 private:
  void add_spans(std::span<const std::string> expected, std::span<const std::string> predicted);

  bool spans_;
  AgreementCounts tokens_;
  AgreementCounts all_spans_;
  std::map<std::string, AgreementCounts> types_;
};

}  // namespace elmo
