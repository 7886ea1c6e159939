#include "core/inference/embed.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "core/inference/batcher.h"
#include "core/inference/carried_state.h"
#include "core/inference/output_layers.h"
#include "core/inference/prefix_sharing.h"
#include "core/inference/token_cache.h"
#include "core/inference/value_range.h"
#include "core/inference/workspace.h"
#include "core/model/lstm.h"
#include "core/model/token_encoder.h"
#include "core/parallel/available_threads.h"
#include "core/parallel/threads.h"
#include "core/parallel/worker_pool.h"

namespace elmo {

namespace {

// Activations of one batch: enough tokens for all lanes to be longer than most sentences, and few
// enough bytes for the batches in flight (two, with two workers) to stay below 1 GiB.
constexpr std::size_t kBatchBytes = std::size_t{400} << 20;
constexpr std::size_t kMaxBatchTokens = 40960;

// Distinct tokens that one job encodes.
constexpr std::size_t kEncodeTokens = 256;

// How often the listener hears of work in progress.
constexpr auto kListenerPeriod = std::chrono::milliseconds(250);

std::size_t default_batch_tokens(const ModelOptions& model) {
  const auto row_bytes =
      static_cast<std::size_t>(model.activation_rows() * model.lstm.projection_dim) * sizeof(float);
  return std::clamp(kBatchBytes / row_bytes, std::size_t{256}, kMaxBatchTokens);
}

// One call of embed().
class Run {
 public:
  Run(const Bilm& model, SentenceSource& source, ActivationSink& sink, const EmbedOptions& options,
      const std::atomic<bool>& stop, const ProgressListener& listener);

  EmbedResult run();

 private:
  // Stages of a batch, each entered when the jobs of the one before are done.
  void read_batches();
  void encode(Batch& batch);
  void compute(Batch& batch);
  void select(Batch& batch);
  void done(Batch& batch);

  void fill_token_rows(Batch& batch) const;
  void run_direction(Batch& batch, int direction, LstmWorkspace& workspace);
  void deliver(Batch& batch);
  void report();
  void fail(std::exception_ptr failure);
  bool stopping() const { return monitor_.stop; }

  struct InFlight {
    std::unique_ptr<Batch> batch;
    bool encoded = false;
    bool done = false;
  };
  InFlight& index_of(const Batch& batch);
  Workspace& workspace_of(int worker) { return workspaces_[static_cast<std::size_t>(worker)]; }

  const Bilm& model_;
  SentenceSource& source_;
  ActivationSink& sink_;
  const EmbedOptions& options_;
  const std::atomic<bool>& stop_;
  const ProgressListener& listener_;

  const bool carry_;
  const bool with_boundaries_;  // boundaries are computed
  const OutputLayers selection_;
  const std::int64_t width_;
  const std::int64_t row_values_;
  std::size_t max_in_flight_;
  StartStates start_;
  StartStates carried_;  // carry: of all lanes
  TokenCache cache_;
  RunMonitor monitor_;
  EmbedProgress progress_;
  EmbedProgress segment_start_;  // what it was when the segment began

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<InFlight> in_flight_;  // in input order
  bool read_all_ = false;
  std::exception_ptr failure_;

  int workers_;
  int threads_per_worker_;
  std::vector<Workspace> workspaces_;  // of each worker
  std::unique_ptr<WorkerPool> pool_;
};

Run::Run(const Bilm& model, SentenceSource& source, ActivationSink& sink,
         const EmbedOptions& options, const std::atomic<bool>& stop,
         const ProgressListener& listener)
    : model_(model),
      source_(source),
      sink_(sink),
      options_(options),
      stop_(stop),
      listener_(listener),
      carry_(options.initial_state == InitialState::carry),
      with_boundaries_(carry_ || options.boundaries),
      selection_(model.options(), options, with_boundaries_),
      width_(model.options().lstm.projection_dim),
      row_values_(model.options().activation_rows() * width_),
      cache_(width_, options.encoder_cache_bytes) {
  // The calling thread computes little beside the workers; a team of its own would only wait,
  // spinning.
  set_threads_of_this_thread(1);
  const int threads = options.threads > 0 ? options.threads : available_threads();
  workers_ = options.workers > 0 ? options.workers : threads;
  threads_per_worker_ = std::max(1, threads / workers_);

  // A batch keeps two workers busy, one for each direction. One more is being formed or written.
  // With carried state a batch begins from what the one before has left.
  max_in_flight_ = carry_ ? 1 : static_cast<std::size_t>((workers_ + 1) / 2) + 1;

  if (carry_) {
    carried_ = deserialize(model.options().lstm, options.lanes, options.carried_state);
    start_ = zero_states(model);
  } else {
    start_ = options.initial_state == InitialState::warm ? warm_states(model) : zero_states(model);
    if (!with_boundaries_) start_ = after_boundary(model, start_);
  }
}

EmbedResult Run::run() {
  workspaces_.resize(static_cast<std::size_t>(workers_));
  pool_ = std::make_unique<WorkerPool>(workers_, threads_per_worker_,
                                       [this](std::exception_ptr failure) { fail(failure); });
  std::thread reader = start_thread([this] { read_batches(); });

  bool completed = false;
  try {
    while (true) {
      std::unique_lock lock(mutex_);
      const auto ready = [this] {
        return failure_ || (!in_flight_.empty() && in_flight_.front().done) ||
               (read_all_ && in_flight_.empty());
      };
      while (!changed_.wait_for(lock, kListenerPeriod, ready)) {
        if (stop_) break;
        lock.unlock();
        report();
        lock.lock();
      }
      if (failure_ || stop_) break;
      if (in_flight_.empty()) {
        completed = true;
        break;
      }
      Batch& batch = *in_flight_.front().batch;
      lock.unlock();
      deliver(batch);
      lock.lock();
      in_flight_.pop_front();
      lock.unlock();
      changed_.notify_all();
      report();
    }
  } catch (...) {
    fail(std::current_exception());
  }

  {
    const std::lock_guard lock(mutex_);
    monitor_.stop = true;
  }
  changed_.notify_all();
  reader.join();
  pool_->close();
  if (failure_) std::rethrow_exception(failure_);
  if (completed) sink_.finish();
  return {progress_, completed};
}

void Run::fail(std::exception_ptr failure) {
  {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    monitor_.stop = true;
  }
  changed_.notify_all();
}

void Run::read_batches() {
  try {
    const ActivationLayout layout = activation_layout(model_.options(), options_);
    BatchOptions batch_options;
    batch_options.batch_tokens =
        options_.batch_tokens > 0 ? options_.batch_tokens : default_batch_tokens(model_.options());
    batch_options.segment_bytes = options_.segment_bytes;
    // Beside its activations a token has a span, the number of its sentence and its text.
    batch_options.bytes_per_token =
        static_cast<std::uint64_t>(layout.values_per_token()) * options_.value_bytes + 24;
    batch_options.with_boundaries = with_boundaries_;
    batch_options.find_duplicates = !carry_;
    Batcher batcher(model_, source_, batch_options, options_.first_sentence);
    while (true) {
      std::unique_ptr<Batch> next = batcher.next();
      std::unique_lock lock(mutex_);
      if (!next || stopping() || stop_) break;
      Batch& batch = *next;
      // The batch before has to have its tokens encoded, so that none is encoded twice.
      changed_.wait(lock, [this] {
        return stopping() || (in_flight_.size() < max_in_flight_ &&
                              (in_flight_.empty() || in_flight_.back().encoded));
      });
      if (stopping()) break;
      in_flight_.push_back({std::move(next)});
      lock.unlock();
      encode(batch);
    }
  } catch (...) {
    fail(std::current_exception());
  }
  {
    const std::lock_guard lock(mutex_);
    read_all_ = true;
  }
  changed_.notify_all();
}

Run::InFlight& Run::index_of(const Batch& batch) {
  return *std::find_if(in_flight_.begin(), in_flight_.end(),
                       [&](const InFlight& place) { return place.batch.get() == &batch; });
}

// Stage 1: the vectors of all distinct tokens, from the cache or computed.
void Run::encode(Batch& batch) {
  batch.vectors.resize(batch.distinct.size() * static_cast<std::size_t>(width_));
  for (std::size_t i = 0; i < batch.distinct.size(); ++i) {
    if (!cache_.find(batch.distinct[i],
                     batch.vectors.data() + i * static_cast<std::size_t>(width_))) {
      batch.to_encode.push_back(i);
    }
  }
  if (batch.to_encode.empty()) {
    pool_->add([this, &batch](int) { compute(batch); });
    return;
  }
  const std::size_t jobs = (batch.to_encode.size() + kEncodeTokens - 1) / kEncodeTokens;
  batch.jobs_left = jobs;
  for (std::size_t job = 0; job < jobs; ++job) {
    pool_->add([this, &batch, job](int worker) {
      if (stopping()) return;
      const std::size_t first = job * kEncodeTokens;
      const auto indices =
          std::span(batch.to_encode)
              .subspan(first, std::min(kEncodeTokens, batch.to_encode.size() - first));
      std::vector<std::string_view> tokens;
      for (const std::size_t index : indices) tokens.push_back(batch.distinct[index]);
      std::vector<float> vectors(tokens.size() * static_cast<std::size_t>(width_));
      model_.encoder().encode(tokens, vectors.data(), workspace_of(worker).encoder);
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const float* vector = vectors.data() + i * static_cast<std::size_t>(width_);
        std::copy_n(vector, width_,
                    batch.vectors.data() + indices[i] * static_cast<std::size_t>(width_));
        cache_.insert(tokens[i], vector);
      }
      if (--batch.jobs_left == 0) compute(batch);
    });
  }
}

void Run::fill_token_rows(Batch& batch) const {
  batch.activations.resize(batch.row_count * static_cast<std::size_t>(row_values_));
  for (std::uint32_t row = 0; row < batch.row_count; ++row) {
    const std::uint32_t token = batch.token_of_row[row];
    if (token == Batch::kBoundary) continue;
    std::copy_n(batch.vectors.data() + token * width_, width_,
                batch.activations.data() + row * row_values_);
  }
  if (with_boundaries_) {
    const auto put = [&](std::uint32_t row, std::span<const float> vector) {
      std::copy(vector.begin(), vector.end(), batch.activations.data() + row * row_values_);
    };
    for (const SentenceRows& rows : batch.rows) {
      if (rows.size == 0) continue;
      put(rows.begin, model_.encoder().begin_sentence());
      put(rows.begin + rows.size - 1, model_.encoder().end_sentence());
    }
  }
  AlignedVector<float>().swap(batch.vectors);
}

// Reads one direction: each lane from the state that it left, or each sentence from the start.
void Run::run_direction(Batch& batch, int direction, LstmWorkspace& workspace) {
  const LstmStack& stack = model_.lstm(direction);
  const bool backward = direction == 1;
  const LstmState& start = start_[static_cast<std::size_t>(direction)];
  float* activations = batch.activations.data();
  if (carry_) {
    std::vector<std::vector<SentenceRows>> lanes(static_cast<std::size_t>(options_.lanes));
    for (std::size_t s = 0; s < batch.rows.size(); ++s) {
      lanes[(batch.first_sentence + s) % lanes.size()].push_back(batch.rows[s]);
    }
    stack.run(schedule_lanes(lanes, backward, true), activations, start,
              &carried_[static_cast<std::size_t>(direction)], workspace, monitor_);
    return;
  }
  std::vector<SentenceRows> originals;
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    if (!batch.copy_of[s]) originals.push_back(batch.rows[s]);
  }
  const RemainingSteps remaining = share_first_steps(stack, backward, originals, batch.token_of_row,
                                                     activations, start, workspace, monitor_);
  stack.run(schedule_lanes(pack_lanes(remaining.sentences, kMaxLanes), backward, false),
            activations, remaining.starts, nullptr, workspace, monitor_);
}

// Stage 2: the LSTMs, one job for each direction.
void Run::compute(Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    index_of(batch).encoded = true;
  }
  changed_.notify_all();
  fill_token_rows(batch);
  batch.jobs_left = 2;
  for (const int direction : {0, 1}) {
    pool_->add([this, &batch, direction](int worker) {
      run_direction(batch, direction, workspace_of(worker).lstm);
      if (--batch.jobs_left == 0) select(batch);
    });
  }
}

// Stage 3: copies of repeated sentences, then the rows that were asked for.
void Run::select(Batch& batch) {
  if (stopping()) return;
  const auto rows_at = [&](const SentenceRows& rows) {
    return batch.activations.data() + rows.begin * row_values_;
  };
  for (std::size_t s = 0; s < batch.rows.size(); ++s) {
    if (!batch.copy_of[s]) continue;
    std::copy_n(rows_at(batch.rows[*batch.copy_of[s]]), batch.rows[s].size * row_values_,
                rows_at(batch.rows[s]));
  }
  selection_.apply(batch);
  batch.in_range = first_out_of_range(batch.selected, options_.value_limit);
  done(batch);
}

void Run::done(Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    index_of(batch).done = true;
  }
  changed_.notify_all();
}

void Run::deliver(Batch& batch) {
  const ActivationBatch activations{batch.first_sentence, batch.sentences, batch.selected};
  if (batch.in_range < batch.selected.size()) {
    refuse_value(activations, activation_layout(model_.options(), options_), batch.in_range,
                 options_.value_limit);
  }
  if (!batch.sentences.empty()) sink_.write(activations);
  progress_.sentences += batch.sentences.size();
  progress_.tokens += batch.tokens;
  progress_.distinct_tokens += batch.to_encode.size();
  progress_.truncated_tokens += batch.truncated_tokens;
  progress_.unknown_tokens += batch.unknown_tokens;
  progress_.duplicate_sentences += batch.duplicate_sentences;
  if (batch.ends_segment) {
    ++progress_.segments;
    const EmbedProgress before = std::exchange(segment_start_, progress_);
    sink_.end_segment({batch.first_sentence + batch.sentences.size(),
                       carry_ ? serialize(carried_) : std::vector<float>(),
                       progress_.truncated_tokens - before.truncated_tokens,
                       progress_.unknown_tokens - before.unknown_tokens});
  }
}

void Run::report() {
  if (!listener_) return;
  auto reachable = static_cast<double>(progress_.tokens);
  {
    const std::lock_guard lock(mutex_);
    for (const InFlight& place : in_flight_) reachable += static_cast<double>(place.batch->tokens);
  }
  // Boundaries and repeated sentences make steps and tokens differ a little.
  const auto steps_per_token = static_cast<double>(2 * model_.options().lstm.n_layers);
  progress_.computed_tokens = std::clamp(static_cast<double>(monitor_.lane_steps) / steps_per_token,
                                         static_cast<double>(progress_.tokens), reachable);
  listener_(progress_);
}

}  // namespace

EmbedResult embed(const Bilm& model, SentenceSource& source, ActivationSink& sink,
                  const EmbedOptions& options, const std::atomic<bool>& stop,
                  const ProgressListener& listener) {
  return Run(model, source, sink, options, stop, listener).run();
}

}  // namespace elmo
