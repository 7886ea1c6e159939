#include "core/tasks/common/named_label_scores.h"

#include <utility>

namespace elmo {

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
