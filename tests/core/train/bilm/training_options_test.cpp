#include "core/train/bilm/training_options.h"

#include <doctest/doctest.h>

#include <limits>

#include "core/error.h"

namespace elmo {
namespace {

TEST_CASE("epochs are converted to steps, rounded up") {
  CHECK(steps_of_epochs(1.0F, 100, 5, 20) == 1);
  CHECK(steps_of_epochs(1.0F, 101, 5, 20) == 2);
  CHECK(steps_of_epochs(2.5F, 1000, 5, 20) == 25);
  CHECK(steps_of_epochs(0.001F, 3, 5, 20) == 1);
}

TEST_CASE("epochs of too many steps are refused") {
  const float infinite = std::numeric_limits<float>::infinity();
  for (const float epochs : {1e30F, 1e15F, infinite, -1.0F, 0.0F, infinite - infinite}) {
    CAPTURE(epochs);
    CHECK_THROWS_AS(steps_of_epochs(epochs, 1000, 1, 1), RequestError);
  }
  CHECK(steps_of_epochs(1.0F, kMaxSteps, 1, 1) == kMaxSteps);
}

TEST_CASE("a plan fills in missing values") {
  TrainingOptions options;
  options.lanes = 5;
  options.unroll = 20;
  options.threads = 3;
  PlanRequest request;
  request.epochs = 4.0F;
  TrainingOptions made = planned(options, request, 1000, false);
  CHECK(made.total_steps == 40);
  CHECK(made.warmup_steps == 2);
  CHECK(made.learning_rate == 1e-3F);
  CHECK(made.frozen_steps == 0);
  CHECK(made.threads == 3);

  request.adam_rate = 3e-4F;
  CHECK(planned(options, request, 1000, false).learning_rate == 3e-4F);

  options.optimizer = Optimizer::adagrad;
  options.threads = 0;
  made = planned(options, request, 1000, true);
  CHECK(made.learning_rate == 0.2F);
  CHECK(made.frozen_steps == 10);
  CHECK(made.threads >= 1);

  request.steps = 100000;
  request.warmup_steps = 7;
  request.learning_rate = 0.5F;
  request.softmax_steps = 0;
  made = planned(options, request, 1000, true);
  CHECK(made.total_steps == 100000);
  CHECK(made.warmup_steps == 7);
  CHECK(made.learning_rate == 0.5F);
  CHECK(made.frozen_steps == 0);
  request.warmup_steps.reset();
  CHECK(planned(options, request, 1000, false).warmup_steps == 1000);
}

}  // namespace
}  // namespace elmo
