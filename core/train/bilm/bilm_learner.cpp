#include "core/train/bilm/bilm_learner.h"

#include <cmath>

namespace elmo {
namespace {

constexpr std::uint64_t kStepsOfRecord = 10;

}  // namespace

void StepMeans::add(const StepResult& step) {
  ++steps;
  last_step = step.step;
  loss_forward += step.loss[0];
  loss_backward += step.loss[1];
  gradient_norm += step.gradient_norm;
  learning_rate = step.learning_rate;
}

TrainingRecord StepMeans::take(std::uint64_t run_tokens, double run_seconds) {
  const auto count = static_cast<double>(steps);
  const TrainingRecord record{last_step,
                              run_tokens,
                              loss_forward / count,
                              loss_backward / count,
                              learning_rate,
                              gradient_norm / count,
                              run_seconds};
  *this = {};
  return record;
}

std::optional<ValidationRecord> BilmLearner::begin() {
  const std::optional<ValidationRecord> last = services_.metrics.begin(step());
  if (last) validated_step_ = last->step;
  return last;
}

StepResult BilmLearner::make_step() {
  const StepResult step = trainer_.step();
  means_.add(step);
  return step;
}

void BilmLearner::stepped(double seconds) {
  if (step() % kStepsOfRecord != 0 && !ended()) return;
  services_.metrics.add(means_.take(tokens(), seconds));
}

bool BilmLearner::evaluation_due() const {
  if (step() == 0 || validated_step_ == step()) return false;
  return step() % plan_.every == 0 || ended();
}

std::optional<ValidationRecord> BilmLearner::evaluate(const std::atomic<bool>& stop,
                                                      const EvaluationProgress& progress) {
  const std::uint64_t max_tokens = ended() ? 0 : plan_.tokens;
  std::optional<ValidationRecord> record;
  try {
    record = services_.validate(trainer_, max_tokens, stop, progress);
  } catch (const NumericError&) {
    throw diverged(step(), "perplexity");
  }
  if (!record) return std::nullopt;
  if (!std::isfinite(record->forward + record->backward)) throw diverged(step(), "perplexity");
  record->step = step();
  save();
  return record;
}

void BilmLearner::evaluated(const ValidationRecord& evaluation) {
  validated_step_ = evaluation.step;
  services_.metrics.add(evaluation);
}

void BilmLearner::restore(const BilmState& state) {
  trainer_.restore(state.counters);
  means_ = state.means;
}

void BilmLearner::finish(SessionEnd /*end*/) {
  if (saved_step_ != step()) save();
}

void BilmLearner::save() {
  services_.save_model(trainer_);
  saved_step_ = step();
}

}  // namespace elmo
