#include "core/inference/embed.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/inference/batcher.h"
#include "core/inference/encode_stage.h"
#include "core/inference/lstm_stage.h"
#include "core/inference/memory_plan.h"
#include "core/inference/scheduler.h"
#include "core/resources.h"
#include "core/workers.h"

namespace elmo {

namespace {

// How long the reader waits for the workers before it checks for input again. A batch that could be
// computed may be delayed by this.
constexpr auto kIdlePeriod = std::chrono::milliseconds(2);

// How often the reader checks whether the run is stopping while it waits for input.
constexpr auto kStopPeriod = std::chrono::milliseconds(100);

// Returns the resources with the numbers of threads and workers that 0 stands for.
Resources with_numbers(Resources resources) {
  if (resources.threads < 0 || resources.workers < 0) {
    throw RequestError("found a negative number of threads or workers; expected at least 0");
  }
  resources.threads = std::max(threads_or_available(resources.threads), resources.workers);
  if (resources.workers == 0) resources.workers = resources.threads;
  return resources;
}

BatchOptions batch_options(const ModelOptions& model, const EmbedOptions& options,
                           const SinkTraits& sink, const MemoryPlan& plan, bool with_boundaries) {
  const ActivationLayout layout = activation_layout(model, options);
  const bool carry = options.initial_state == InitialState::carry;
  BatchOptions result;
  result.batch_tokens = plan.batch_tokens;
  result.segment_bytes = sink.segment_bytes;
  if (options.pool) result.unit = options.pool->unit;
  // Besides its activations, a token has a span, the number of its sentence and its text.
  result.bytes_per_row =
      static_cast<std::uint64_t>(layout.values_per_token()) * sink.value_bytes + 24;
  result.with_boundaries = with_boundaries;
  result.whole_sentences = options.layer_norm;
  result.leave_out = !carry;
  result.find_duplicates = !carry;
  return result;
}

// One call of embed().
class Run {
 public:
  // `resources`: those of the job, whose numbers of threads and workers are not 0.
  Run(const EmbedJob& job, const Resources& resources);

  EmbedResult run();

 private:
  PipelineSteps steps();
  bool ends_early(const Batch& batch);
  void deliver(Batch& batch);
  void pool(const ActivationBatch& tokens, bool ends_segment);
  void report();

  const Bilm& model_;
  SentenceSource& source_;
  ActivationSink& sink_;
  const ProgressListener& listener_;
  const ActivationLayout layout_;  // of the tokens
  const SinkTraits traits_;
  const MemoryPlan plan_;

  RunMonitor monitor_;
  EmbedProgress progress_;
  EmbedProgress segment_start_;  // progress at the start of the segment

  const bool with_boundaries_;  // whether boundaries are computed
  SpareMemory memory_;
  Batcher batcher_;
  EncodeStage encode_;
  LstmStage lstms_;
  const OutputLayers output_layers_;
  std::optional<UnitPooling> pooling_;
  Scheduler scheduler_;
};

Run::Run(const EmbedJob& job, const Resources& resources)
    : model_(job.model),
      source_(job.source),
      sink_(job.sink),
      listener_(job.listener),
      layout_(token_layout(model_.options(), job.options)),
      traits_(sink_.traits()),
      plan_(plan_memory(model_.options(), job.options, resources)),
      with_boundaries_(job.options.initial_state == InitialState::carry || job.options.boundaries),
      batcher_(
          model_, source_,
          batch_options(model_.options(), job.options, traits_, plan_, with_boundaries_),
          job.beginning.first_sentence, [this](const Batch& batch) { return ends_early(batch); },
          monitor_.stop),
      encode_(model_, plan_.cache_bytes),
      lstms_(model_, job.options, resources, job.beginning, with_boundaries_, monitor_),
      output_layers_(model_.options(), job.options, with_boundaries_),
      scheduler_(steps(), {resources.threads, plan_.max_in_flight}, job.stop, monitor_.stop) {
  if (job.options.pool) pooling_.emplace(layout_, *job.options.pool);
}

PipelineSteps Run::steps() {
  using Job = PipelineSteps::Job;
  PipelineSteps steps;
  steps.read = [this] { return batcher_.next(); };
  steps.stages = {
      [this](Batch& batch) { return encode_.jobs(batch); },
      [this](Batch& batch) {
        encode_.fill_rows(batch, memory_);
        return lstms_.jobs(batch);
      },
      [this](Batch& batch) {
        return std::vector<Job>{[this, &batch](Workspace&) {
          lstms_.copy_repeated(batch);
          output_layers_.apply(batch);
          batch.in_range = first_out_of_range(batch.selected, traits_.value_limit);
        }};
      },
  };
  steps.deliver = [this](Batch& batch) { deliver(batch); };
  steps.report = [this] { report(); };
  return steps;
}

// Waits for the next sentence. Returns true if the current batch ends without it: the run is
// stopping, or the activations of the batch are awaited, no more input arrives for now, and the
// workers are idle.
bool Run::ends_early(const Batch& batch) {
  const bool answers = traits_.awaited && !batch.sentences.empty();
  while (!source_.wait(answers ? kArrivalTime : kStopPeriod)) {
    if (monitor_.stop || (answers && scheduler_.wait_until_idle(kIdlePeriod))) return true;
  }
  return false;
}

EmbedResult Run::run() {
  const bool completed = scheduler_.run();
  if (completed) sink_.finish();
  return {progress_, completed};
}

void Run::deliver(Batch& batch) {
  const ActivationBatch activations{batch.first_sentence, batch.sentences, batch.selected,
                                    batch.numbers};
  if (batch.in_range < batch.selected.size()) {
    refuse_value(activations, layout_, batch.in_range, traits_.value_limit);
  }
  if (pooling_) {
    pool(activations, batch.ends_segment);
  } else if (!batch.sentences.empty()) {
    sink_.write(activations);
  }
  const bool last_for_now = scheduler_.tokens_in_work() == batch.tokens;
  if (traits_.awaited && last_for_now) sink_.flush();
  // If all layers are output, `selected` is the memory that the activations were computed in.
  const bool in_place = batch.selected.capacity() > batch.activations.capacity();
  memory_.give(in_place ? batch.selected : batch.activations);
  progress_.sentences += batch.next_sentence - batch.first_sentence;
  progress_.tokens += batch.passed_tokens;
  for (const Sentence& sentence : batch.sentences) {
    progress_.kept_sentences += sentence.is_left_out() ? 0 : 1;
    progress_.kept_tokens += sentence.kept_count();
  }
  progress_.distinct_tokens += batch.to_encode.size();
  progress_.truncated_tokens += batch.truncated_tokens;
  progress_.unknown_tokens += batch.unknown_tokens;
  if (batch.ends_segment) {
    ++progress_.segments;
    const EmbedProgress before = std::exchange(segment_start_, progress_);
    sink_.end_segment({batch.next_sentence, lstms_.carried_state(),
                       progress_.truncated_tokens - before.truncated_tokens,
                       progress_.unknown_tokens - before.unknown_tokens});
  }
}

void Run::pool(const ActivationBatch& tokens, bool ends_segment) {
  pooling_->add(tokens);
  if (ends_segment) pooling_->end_unit();
  ActivationBatch units = tokens;
  units.activations = pooling_->values();
  units.pooled = pooling_->rows();
  if (!units.sentences.empty() || !units.pooled.empty()) sink_.write(units);
  pooling_->clear();
}

void Run::report() {
  if (!listener_) return;
  const auto reachable = static_cast<double>(progress_.tokens + scheduler_.tokens_in_work());
  // An estimate: boundaries and repeated sentences make steps and tokens differ slightly.
  const auto steps_per_token = static_cast<double>(2 * model_.options().lstm.n_layers);
  progress_.computed_tokens = std::clamp(static_cast<double>(monitor_.lane_steps) / steps_per_token,
                                         static_cast<double>(progress_.tokens), reachable);
  listener_(progress_);
}

}  // namespace

EmbedResult embed(const EmbedJob& job) {
  // The calling thread computes little, and OpenMP threads of its own would only spin.
  set_threads_of_this_thread(1);
  return Run(job, with_numbers(job.resources)).run();
}

}  // namespace elmo
