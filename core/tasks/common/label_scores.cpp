#include "core/tasks/common/label_scores.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "core/tasks/common/spans.h"
#include "core/text.h"

namespace elmo {

void KnownLabels::add(const std::string& label, bool known) {
  if (label == "O") return;
  ++(known ? known_ : unknown_);
  if (!known && first_unknown_.empty()) first_unknown_ = label;
}

void KnownLabels::check(const std::string& file) const {
  if (unknown_ <= known_) return;
  throw InputError(file + ": training never saw the label in " + std::to_string(unknown_) + " of " +
                   std::to_string(known_ + unknown_) + " cases, such as '" +
                   excerpt(first_unknown_) +
                   "'; expected labels of the same kind as in the training data");
}

void LabelScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const std::vector<std::string> expected = labels_.names_of(record.gold->as<LabelGold>().labels);
  const std::vector<std::string> predicted =
      labels_.names_of(prediction.as<LabelPrediction>().labels);
  if (expected.size() != predicted.size()) {
    throw std::logic_error("the record and the prediction differ in the number of labels");
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

std::vector<ScoreFigure> LabelScores::figures() const {
  std::vector<ScoreFigure> figures = {{"precision", all().precision()},
                                      {"recall", all().recall()},
                                      {"f1", all().f1()},
                                      {"macro_f1", macro_f1()},
                                      {"accuracy", accuracy()}};
  if (of_tokens_) figures.push_back({"tokens", tokens_.expected});
  std::vector<ScoreFigure> types;
  for (const auto& [type, counts] : types_) types.push_back(counts_figure(type, counts));
  figures.push_back({"types", std::move(types)});
  return figures;
}

}  // namespace elmo
