#include "core/train/bilm/bilm_learner.h"

#include <doctest/doctest.h>

namespace elmo {
namespace {

TEST_CASE("a record has the means of its steps, and the next record starts over") {
  StepMeans means;
  StepResult step;
  step.step = 11;
  step.loss[0] = 4.0;
  step.loss[1] = 5.0;
  step.gradient_norm = 1.0;
  step.learning_rate = 0.5F;
  means.add(step);
  step.step = 12;
  step.loss[0] = 2.0;
  step.loss[1] = 4.0;
  step.gradient_norm = 2.0;
  step.learning_rate = 0.25F;
  means.add(step);
  const TrainingRecord record = means.take(700, 3.5);
  CHECK(record.step == 12);
  CHECK(record.tokens == 700);
  CHECK(record.loss_forward == 3.0);
  CHECK(record.loss_backward == 4.5);
  CHECK(record.learning_rate == 0.25F);
  CHECK(record.gradient_norm == 1.5);
  CHECK(record.seconds == 3.5);
  CHECK(means == StepMeans{});
}

}  // namespace
}  // namespace elmo
