#include "core/tasks/coref/coref_scores.h"

#include <algorithm>
#include <string>

namespace elmo {
namespace {

ScoreFigure agreement_figure(const std::string& name, const ClusterAgreement& agreement) {
  return {name, std::vector<ScoreFigure>{{"precision", agreement.precision()},
                                         {"recall", agreement.recall()},
                                         {"f1", agreement.f1()}}};
}

AgreementCounts sum(const AgreementCounts& a, const AgreementCounts& b) {
  return {a.expected + b.expected, a.predicted + b.predicted, a.correct + b.correct};
}

bool begins_or_ends_with(const RowSpan& mention, const RowSpan& name) {
  return (mention.begin == name.begin && mention.end >= name.end) ||
         (mention.end == name.end && mention.begin <= name.begin);
}

}  // namespace

void CorefScores::add_pronoun(const AmbiguousPronoun& pronoun,
                              std::span<const MentionCluster> predicted) {
  has_pronouns_ = true;
  AgreementCounts& counts = pairs_[static_cast<std::size_t>(pronoun.gender)];
  const auto cluster = std::ranges::find_if(predicted, [&](const MentionCluster& one) {
    return std::ranges::find(one, pronoun.pronoun) != one.end();
  });
  for (const AmbiguousPronoun::Name& name : pronoun.names) {
    const bool found =
        cluster != predicted.end() && std::ranges::any_of(*cluster, [&](const RowSpan& mention) {
          return begins_or_ends_with(mention, name.tokens);
        });
    if (name.is_meant) ++counts.expected;
    if (found) ++counts.predicted;
    if (name.is_meant && found) ++counts.correct;
  }
}

void CorefScores::add(const TaskRecord& record, const TaskPrediction& prediction) {
  const std::vector<MentionCluster> predicted = clusters_of(prediction.labels);
  const auto* const gold = dynamic_cast<const CorefGold*>(record.gold.get());
  if (gold != nullptr && gold->pronoun) {
    add_pronoun(*gold->pronoun, predicted);
    return;
  }
  std::vector<MentionCluster> expected = clusters_of(record.labels);
  std::erase_if(expected, [](const MentionCluster& cluster) { return cluster.size() < 2; });
  clusters_.add(expected, predicted);
}

double CorefScores::score() const {
  return has_pronouns_ ? sum(pairs_[0], pairs_[1]).f1() : clusters_.f1();
}

std::vector<ScoreFigure> CorefScores::figures() const {
  if (!has_pronouns_) {
    return {{"f1", clusters_.f1()},
            agreement_figure("muc", clusters_.muc()),
            agreement_figure("b_cubed", clusters_.b_cubed()),
            agreement_figure("ceaf_e", clusters_.ceaf_e())};
  }
  const double masculine = pairs_[static_cast<std::size_t>(PronounGender::masculine)].f1();
  const double feminine = pairs_[static_cast<std::size_t>(PronounGender::feminine)].f1();
  return {{"f1", score()},
          {"masculine", masculine},
          {"feminine", feminine},
          {"bias", masculine == 0.0 ? 0.0 : feminine / masculine}};
}

}  // namespace elmo
