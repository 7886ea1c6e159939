// Loss and choice of antecedents. The test of the model covers their scores.
#include "core/tasks/coref/antecedent_scorer.h"

#include <doctest/doctest.h>

#include <vector>

namespace elmo {

TEST_CASE("loss of antecedents for scores of any size") {
  AntecedentPairs pairs;
  pairs.begins = {0, 0, 1, 3};
  pairs.antecedents = {0, 0, 1};
  pairs.scores = {1000.0F, -2000.0F, 900.0F};
  const std::vector<std::int32_t> clusters = {4, -1, 4};
  AlignedVector<float> gradient;
  // Losses of the three mentions: log(1 + e^0); 1000 − 0; 900 + 2000.
  CHECK(antecedent_loss(pairs, clusters, 0.5, gradient) == doctest::Approx(3900.0));
  CHECK(gradient[0] == doctest::Approx(0.5));
  CHECK(gradient[1] == doctest::Approx(-0.5));
  CHECK(gradient[2] == doctest::Approx(0.5));
  CHECK(best_antecedent(pairs, 0) == -1);
  CHECK(best_antecedent(pairs, 1) == 0);
  CHECK(best_antecedent(pairs, 2) == 1);
}

}  // namespace elmo
