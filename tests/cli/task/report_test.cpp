#include "cli/task/report.h"

#include <doctest/doctest.h>

#include <array>

using namespace elmo;

TEST_CASE("scores of several seeds have a mean and a deviation") {
  std::array<TaskOutcome, 2> outcomes;
  outcomes[0].best.score = 50;
  outcomes[1].best.score = 52;
  CHECK(seed_statistics(outcomes).mean == 51);
  CHECK(outcomes_text(outcomes, kF1Metric) == "F1 on dev 51.00 ± 1.41 over 2 seeds\n");
  CHECK(outcomes_text(std::span(outcomes).first(1), kAccuracyMetric) == "accuracy on dev 50.00\n");
  CHECK(outcomes_text(outcomes, TaskMetric{"pearson", "Pearson", "", 3}) ==
        "Pearson on dev 51.000 ± 1.414 over 2 seeds\n");
  CHECK(score_axis(kF1Metric) == "F1 on dev, %");
  CHECK(score_axis(TaskMetric{"pearson", "Pearson", "", 3}) == "Pearson on dev");
  outcomes[0].test = 40;
  CHECK(outcomes_text(std::span(outcomes).first(1), kF1Metric) ==
        "F1 on dev 50.00\nF1 on test 40.00\n");
  CHECK(outcomes_json(outcomes, kF1Metric).find("\"ended_by\": \"patience\"") != std::string::npos);
}

TEST_CASE("nested figures are rows of a table") {
  TaskEvaluationResult result;
  result.examples = 3;
  result.figures = {
      {"accuracy", 66.666},
      {"labels",
       std::vector<ScoreFigure>{
           {"NOUN", std::vector<ScoreFigure>{{"f1", 50.0}, {"count", std::uint64_t{2}}}}}}};
  result.confusions[{"NOUN", "VERB"}] = 2;
  const std::string text = scores_text(result);
  CHECK_MESSAGE(text.find("accuracy 66.67, 3 examples\n") != std::string::npos, text);
  CHECK_MESSAGE(text.find("NOUN                     50.00         2\n") != std::string::npos, text);
  CHECK_MESSAGE(text.find("NOUN → VERB: 2\n") != std::string::npos, text);
}
