#include "core/train/session.h"

namespace elmo {
namespace {

constexpr std::uint64_t kStepsOfRecord = 10;

}  // namespace

TrainingSession::TrainingSession(Trainer& trainer, const SessionOptions& options,
                                 const SessionServices& services, SessionListener& listener)
    : trainer_(trainer),
      options_(options),
      services_(services),
      listener_(listener),
      checkpoint_seconds_(services.clock.seconds()) {}

double TrainingSession::seconds() const { return seconds_before_ + services_.clock.seconds(); }

bool TrainingSession::resume() {
  const std::vector<StateArray> arrays = trainer_.state();
  const std::optional<SessionState> state = services_.checkpoints.restore(arrays);
  if (!state) return false;
  trainer_.restore(state->counters);
  means_ = state->means;
  seconds_before_ = state->seconds;
  step_ = first_step_ = state->counters.step;
  tokens_ = first_tokens_ = state->counters.tokens;
  checkpoint_step_ = step_;
  return true;
}

SessionEnd TrainingSession::run(const std::atomic<bool>& stop) {
  validation_ = services_.metrics.begin(step_);
  if (step_ == options_.total_steps && !validation_due()) {
    services_.models.save(trainer_);
    return SessionEnd::was_complete;
  }
  started_ = services_.clock.seconds();
  if (train(stop)) return SessionEnd::completed;
  if (checkpoint_step_ != step_) write_checkpoint();
  services_.models.save(trainer_);
  return SessionEnd::stopped;
}

// False where it was stopped.
bool TrainingSession::train(const std::atomic<bool>& stop) {
  while (true) {
    // Another rank that is asked to stop may soon be ended: validating can wait.
    if (validation_due() && (last_.stop || !validate(stop))) return false;
    if (step_ == options_.total_steps) return true;
    if (stop || last_.stop || limit_reached()) return false;
    make_step();
    if (checkpoint_due()) write_checkpoint();
  }
}

void TrainingSession::make_step() {
  const double begin = services_.clock.seconds();
  last_ = trainer_.step();
  step_seconds_ += services_.clock.seconds() - begin;
  step_ = last_.step;
  tokens_ += last_.tokens;
  means_.add(last_);
  if (step_ % kStepsOfRecord == 0 || step_ == options_.total_steps) {
    services_.metrics.add(means_.take(tokens_, seconds()));
  }
  listener_.stepped(progress());
}

bool TrainingSession::limit_reached() const {
  if (options_.max_steps > 0 && step_ - first_step_ >= options_.max_steps) return true;
  return options_.max_seconds > 0.0 && services_.clock.seconds() >= options_.max_seconds;
}

bool TrainingSession::checkpoint_due() const {
  if (step_ == options_.total_steps) return true;
  if (options_.checkpoint_steps > 0) return step_ % options_.checkpoint_steps == 0;
  return services_.clock.seconds() - checkpoint_seconds_ >= options_.checkpoint_seconds;
}

void TrainingSession::write_checkpoint() {
  services_.metrics.sync();
  services_.checkpoints.write({trainer_.counters(), means_, seconds()}, trainer_.state());
  checkpoint_step_ = step_;
  checkpoint_seconds_ = services_.clock.seconds();
}

bool TrainingSession::validation_due() const {
  if (step_ == 0 || (validation_ && validation_->step == step_)) return false;
  return step_ % options_.valid_every == 0 || step_ == options_.total_steps;
}

// False where it was stopped. The model is saved before its perplexity is told.
bool TrainingSession::validate(const std::atomic<bool>& stop) {
  const std::uint64_t most = step_ < options_.total_steps ? options_.valid_tokens : 0;
  const std::optional<ValidationScores> scores = services_.validator.validate(
      trainer_, most, stop, [this](std::uint64_t tokens) { listener_.validating(step_, tokens); });
  if (!scores) return false;
  services_.models.save(trainer_);
  validation_ = {step_,           scores->tokens, scores->forward, scores->backward,
                 scores->average, seconds()};
  services_.metrics.add(*validation_);
  listener_.validated(*validation_, last_.step == 0 ? nullptr : &last_);
  return true;
}

SessionProgress TrainingSession::progress() const {
  const auto steps = static_cast<double>(step_ - first_step_);
  const auto left = static_cast<double>(options_.total_steps - step_);
  SessionProgress progress;
  progress.step = step_;
  progress.total_steps = options_.total_steps;
  progress.tokens = tokens_;
  progress.tokens_per_second = static_cast<double>(tokens_ - first_tokens_) / step_seconds_;
  progress.seconds_left = (services_.clock.seconds() - started_) / steps * left;
  progress.last = last_;
  progress.validation = validation_;
  return progress;
}

}  // namespace elmo
