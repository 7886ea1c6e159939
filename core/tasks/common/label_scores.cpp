#include "core/tasks/common/label_scores.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/tasks/common/spans.h"

namespace elmo {

void LabelScores::add(std::span<const std::string> expected,
                      std::span<const std::string> predicted) {
  if (expected.size() != predicted.size()) {
    throw std::logic_error("as many labels are predicted as tokens are labeled");
  }
  for (std::size_t token = 0; token < expected.size(); ++token) {
    const bool correct = expected[token] == predicted[token];
    ++tokens_.expected;
    ++tokens_.predicted;
    if (correct) ++tokens_.correct;
    if (spans_) continue;
    ++types_[expected[token]].expected;
    ++types_[predicted[token]].predicted;
    if (correct) ++types_[expected[token]].correct;
  }
  if (spans_) add_spans(expected, predicted);
}

double LabelScores::macro_f1() const {
  double sum = 0.0;
  std::uint64_t expected = 0;
  for (const auto& [type, counts] : types_) {
    if (counts.expected == 0) continue;
    sum += counts.f1();
    ++expected;
  }
  return expected == 0 ? 0.0 : sum / static_cast<double>(expected);
}

void LabelScores::add_spans(std::span<const std::string> expected,
                            std::span<const std::string> predicted) {
  const std::vector<LabelSpan> wanted = spans_of(expected);
  const std::vector<LabelSpan> found = spans_of(predicted);
  const auto count = [this](const LabelSpan& span, std::uint64_t AgreementCounts::*which) {
    ++(all_spans_.*which);
    ++(types_[span.type].*which);
  };
  for (const LabelSpan& span : wanted) count(span, &AgreementCounts::expected);
  for (const LabelSpan& span : found) {
    count(span, &AgreementCounts::predicted);
    // Spans of a sentence are ordered and do not overlap.
    const auto same = std::ranges::lower_bound(wanted, span.begin, {}, &LabelSpan::begin);
    if (same != wanted.end() && *same == span) count(span, &AgreementCounts::correct);
  }
}

ScoreFigure counts_figure(const std::string& name, const AgreementCounts& counts) {
  return {name, std::vector<ScoreFigure>{{"precision", counts.precision()},
                                         {"recall", counts.recall()},
                                         {"f1", counts.f1()},
                                         {"expected", counts.expected},
                                         {"predicted", counts.predicted},
                                         {"correct", counts.correct}}};
}

void NamedLabelScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  scores_.add(labels_.names_of(record.labels), labels_.names_of(prediction.labels));
}

std::vector<ScoreFigure> NamedLabelScores::figures() const {
  std::vector<ScoreFigure> figures = {{"precision", scores_.all().precision()},
                                      {"recall", scores_.all().recall()},
                                      {"f1", scores_.all().f1()},
                                      {"macro_f1", scores_.macro_f1()},
                                      {"accuracy", scores_.accuracy()}};
  if (tokens_) figures.push_back({"tokens", scores_.tokens()});
  std::vector<ScoreFigure> types;
  for (const auto& [type, counts] : scores_.types()) types.push_back(counts_figure(type, counts));
  figures.push_back({"types", std::move(types)});
  return figures;
}

}  // namespace elmo
