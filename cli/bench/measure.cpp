// The measurements of `elmo bench`.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cli/bench/median.h"
#include "cli/bench/result.h"
#include "cli/bench/scratch_folder.h"
#include "cli/bench/text.h"
#include "core/error.h"
#include "core/inference/embed.h"
#include "core/inference/sentence_cutter.h"
#include "core/inference/workspace.h"
#include "core/kernels/limits/fused_lstm.h"
#include "core/kernels/limits/matmul_peak.h"
#include "core/kernels/limits/read_bandwidth.h"
#include "core/model/bilm.h"
#include "core/model/cost.h"
#include "core/model/initialize.h"
#include "core/model/lane_schedule.h"
#include "core/model/lstm.h"
#include "core/model/presets.h"
#include "core/model/start_state.h"
#include "core/model/token_encoder.h"
#include "core/parallel/available_threads.h"
#include "core/parallel/worker_pool.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/shard/shard_run.h"
#include "io/text/text_source.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

// Shapes of the LSTM stage: lanes as a full batch has them, and steps enough for a step's cost to
// show, but few enough for the fused layer, which keeps the sums of all steps.
constexpr auto kLanes = static_cast<std::uint32_t>(kMaxLanes);
constexpr std::uint32_t kSteps = 12;

constexpr std::uint32_t kSentenceTokens = 20;
constexpr std::size_t kMaxEncodedTokens = 4096;
constexpr std::size_t kTokensPerEncoderJob = 256;
constexpr std::size_t kWriterBatchTokens = 4096;
constexpr std::size_t kWriterBytes = std::size_t{256} << 20;
constexpr std::uint64_t kShardBytes = std::uint64_t{1} << 30;  // as embed's --shard-size

/// Thrown once the run is to stop.
struct Stopped {};

/// Threads as embed has them, each with its workspace, for jobs that are waited for.
class Team {
 public:
  using Job = std::function<void(Workspace&)>;

  Team(int workers, int threads_each)
      : workspaces_(static_cast<std::size_t>(workers)), pool_(workers, threads_each) {}

  /// Runs all jobs. Throws what the first that failed has thrown.
  void run(std::span<const Job> jobs) {
    std::vector<WorkerPool::Job> with_workspace;
    for (const Job& job : jobs) {
      with_workspace.emplace_back(
          [&](int worker) { job(workspaces_[static_cast<std::size_t>(worker)]); });
    }
    run_all(pool_, with_workspace);
  }

 private:
  std::vector<Workspace> workspaces_;
  WorkerPool pool_;
};

/// Random numbers of the size of activations.
AlignedVector<float> random_values(std::size_t count, float size = 1.0F) {
  std::minstd_rand generator;
  constexpr float kHalf = static_cast<float>(std::minstd_rand::max()) / 2.0F;
  AlignedVector<float> values(count);
  for (float& value : values) value = size * (static_cast<float>(generator()) / kHalf - 1.0F);
  return values;
}

template <typename Work>
double seconds_of(Work work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One run of `elmo bench`.
class Bench {
 public:
  Bench(const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
        const std::atomic<bool>& stop);

  BenchResult run();

 private:
  void begin(const std::string& stage) const {
    if (stop_) throw Stopped();
    tell_(stage);
  }

  /// The median time of some runs of `work` after one that is not counted.
  template <typename Work>
  double repeat(Work work) const {
    std::vector<double> times;
    for (int i = 0; i <= flags_.repeat; ++i) {
      if (stop_) throw Stopped();
      const double seconds = seconds_of(work);
      if (i > 0) times.push_back(seconds);
    }
    return median(times);
  }

  void start_up();
  void read_text();
  void measure_peak();
  double fused_seconds();
  double lstm_seconds();
  double encoder_seconds();
  double tokenizer_seconds();
  double writer_seconds();
  double embed_seconds();
  void measure_sentence();
  BenchStage computing(double flop, double tokens, double seconds) const {
    return {tokens / seconds, flop / seconds / result_.peak};
  }
  BenchStage passing(double tokens, double seconds) const {
    return {tokens / seconds, tokens / seconds / result_.limit()};
  }
  std::size_t row_values() const {
    return static_cast<std::size_t>(model_->options().activation_rows() *
                                    model_->options().lstm.projection_dim);
  }

  const BenchFlags& flags_;
  const std::function<void(const std::string&)>& tell_;
  const std::atomic<bool>& stop_;
  const ScratchFolder scratch_;
  const BenchText text_;
  BenchResult result_;
  std::optional<Bilm> model_;
  std::optional<Team> team_;
  std::vector<Sentence> sample_;  // as many sentences as the writer is given
  std::uint64_t sample_tokens_ = 0;
  std::vector<std::string> distinct_;  // the first kMaxEncodedTokens
};

Bench::Bench(const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
             const std::atomic<bool>& stop)
    : flags_(flags), tell_(tell), stop_(stop), text_(flags) {
  result_.threads =
      flags.threads > 0 ? flags.threads : std::max(available_threads(), flags.workers);
  result_.workers = flags.workers > 0 ? flags.workers : result_.threads;
  result_.text = text_.name();
}

// From files to a model that can compute; a random model is saved first.
void Bench::start_up() {
  begin("start-up");
  ModelLocation location;
  if (flags_.model.model.empty() && flags_.model.options.empty()) {
    result_.model = flags_.preset + ", random";
    const ModelOptions options = *preset(flags_.preset);
    Parameters parameters(options);
    initialize(parameters, options, 0);
    save_model(scratch_ / "model", options, parameters, nullptr);
    location = locate_model(scratch_ / "model");
  } else {
    location = locate_model(flags_.model);
    result_.model = flags_.model.model.empty() ? flags_.model.weights : flags_.model.model;
  }
  result_.start_up_seconds = repeat([&] {
    model_.reset();
    LoadedModel loaded = load_model(location);
    model_.emplace(loaded.options, std::move(loaded.parameters), flags_.precision,
                   std::move(loaded.vocabulary));
  });
  result_.lstm_flop_per_token = lstm_flop_per_token(model_->options());
  result_.encoder_flop_per_token = encoder_flop_per_token(model_->options());
}

void Bench::read_text() {
  begin("the text");
  const std::uint64_t sample_tokens = kWriterBytes / (row_values() * sizeof(float));
  std::unordered_set<std::string> seen;
  text_.read([&](SentenceSource& source) {
    Sentence sentence;
    while (source.next(sentence)) {
      if (stop_) throw Stopped();
      ++result_.sentences;
      result_.tokens += sentence.size();
      for (std::size_t i = 0; i < sentence.size(); ++i) {
        const auto [token, is_new] = seen.emplace(sentence.token(i));
        if (is_new && distinct_.size() < kMaxEncodedTokens) distinct_.push_back(*token);
      }
      if (sample_tokens_ < sample_tokens) {
        sample_tokens_ += sentence.size();
        sample_.push_back(sentence);
      }
    }
  });
  result_.distinct_tokens = seen.size();
  if (result_.tokens == 0) {
    throw InputError(text_.name() + ": found no token; expected a text to measure with");
  }
}

void Bench::measure_peak() {
  begin("the matmul peak");
  result_.peaks.push_back(measure_matmul_peak(flags_.precision, result_.threads).best());
  result_.peak = median(result_.peaks);
}

// A layer and direction on every worker. All of them take the same time, so one is enough.
double Bench::fused_seconds() {
  begin("oneDNN's lstm_forward");
  const LstmOptions& lstm = model_->options().lstm;
  const auto cells = static_cast<std::size_t>(lstm.dim);
  const auto width = static_cast<std::size_t>(lstm.projection_dim);
  const auto workers = static_cast<std::size_t>(result_.workers);
  const AlignedVector<float> weights = random_values(2 * width * 4 * cells, 0.05F);
  const AlignedVector<float> bias(4 * cells, 0.0F);
  const AlignedVector<float> from = random_values(std::size_t{kSteps} * kLanes * width);

  std::vector<std::unique_ptr<FusedLstm>> layers(workers);
  std::vector<AlignedVector<float>> outputs(workers, from);
  std::vector<Team::Job> make;
  std::vector<Team::Job> run;
  for (std::size_t i = 0; i < workers; ++i) {
    // Made on a worker, whose number of threads it keeps.
    make.emplace_back([&, i](Workspace&) {
      layers[i] = std::make_unique<FusedLstm>(
          FusedLstm::Weights{weights.data(), bias.data(), weights.data()}, lstm.dim,
          lstm.projection_dim, kSteps, kLanes, flags_.precision);
    });
    run.emplace_back([&, i](Workspace&) { layers[i]->run(from.data(), outputs[i].data()); });
  }
  team_->run(make);
  return repeat([&] { team_->run(run); }) * 2.0 * static_cast<double>(lstm.n_layers);
}

double Bench::lstm_seconds() {
  begin("the LSTMs");
  std::vector<SentenceRows> sentences;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    sentences.push_back({lane * kSteps, kSteps});
  }
  const auto lanes = pack_lanes(sentences, kLanes);
  const std::array schedules{schedule_lanes(lanes, false, false),
                             schedule_lanes(lanes, true, false)};
  const StartStates start = zero_states(*model_);
  const AlignedVector<float> values = random_values(std::size_t{kLanes} * kSteps * row_values());
  std::vector<AlignedVector<float>> activations(static_cast<std::size_t>(result_.workers), values);
  RunMonitor monitor;
  std::vector<Team::Job> jobs;
  for (AlignedVector<float>& buffer : activations) {
    for (const std::size_t direction : {0U, 1U}) {
      jobs.emplace_back([&, direction](Workspace& workspace) {
        model_->lstm(static_cast<int>(direction))
            .run(schedules[direction], buffer.data(), start[direction], nullptr, workspace.lstm,
                 monitor);
      });
    }
  }
  return repeat([&] { team_->run(jobs); });
}

double Bench::encoder_seconds() {
  begin("the character encoder");
  const auto width = static_cast<std::size_t>(model_->options().lstm.projection_dim);
  const std::vector<std::string_view> tokens(distinct_.begin(), distinct_.end());
  AlignedVector<float> vectors(tokens.size() * width);
  std::vector<Team::Job> jobs;
  for (std::size_t first = 0; first < tokens.size(); first += kTokensPerEncoderJob) {
    jobs.emplace_back([&, first](Workspace& workspace) {
      const std::size_t count = std::min(kTokensPerEncoderJob, tokens.size() - first);
      model_->encoder().encode(std::span(tokens).subspan(first, count),
                               vectors.data() + first * width, workspace.encoder);
    });
  }
  return repeat([&] { team_->run(jobs); });
}

double Bench::tokenizer_seconds() {
  begin("the tokenizer");
  return repeat([&] {
    text_.read([](SentenceSource& source) {
      Sentence sentence;
      while (source.next(sentence)) {
      }
    });
  });
}

double Bench::writer_seconds() {
  begin("the shard writer");
  std::vector<std::pair<std::size_t, std::size_t>> batches;  // sentence range
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    if (batches.empty() || tokens.back() + sample_[i].size() > kWriterBatchTokens) {
      batches.emplace_back(i, i);
      tokens.push_back(0);
    }
    batches.back().second = i + 1;
    tokens.back() += sample_[i].size();
  }
  const AlignedVector<float> values =
      random_values(*std::max_element(tokens.begin(), tokens.end()) * row_values());
  const ActivationLayout layout = activation_layout(model_->options(), {});
  const fs::path folder = scratch_ / "written";
  std::uint64_t bytes = 0;
  const double seconds = repeat([&] {
    ShardRun run(folder, {}, RunMode::overwrite, {.layout = layout});
    for (std::size_t i = 0; i < batches.size(); ++i) {
      const auto [first, last] = batches[i];
      run.write({first, std::span(sample_).subspan(first, last - first),
                 std::span(values).first(tokens[i] * row_values())});
    }
    SegmentEnd end;
    end.next_sentence = sample_.size();
    run.end_segment(end);
    run.finish();
    bytes = run.manifest().shards.front().bytes;
  });
  fs::remove_all(folder);
  result_.writer_bytes_per_second = static_cast<double>(bytes) / seconds;
  return seconds;
}

double Bench::embed_seconds() {
  EmbedOptions options;
  options.threads = result_.threads;
  options.workers = result_.workers;
  options.segment_bytes = kShardBytes;
  const fs::path folder = scratch_ / "embedded";
  std::vector<double> times;
  for (int i = 0; i < flags_.embed_repeat; ++i) {
    begin("embed");
    times.push_back(seconds_of([&] {
      text_.read([&](SentenceSource& source) {
        ShardRun run(folder, {}, RunMode::create,
                     {.layout = activation_layout(model_->options(), options)});
        if (!embed(*model_, source, run, options, stop_, nullptr).completed) throw Stopped();
      });
    }));
    fs::remove_all(folder);
    measure_peak();
  }
  return median(times);
}

// A sentence alone, as a reader at the end of a pipe waits for it.
void Bench::measure_sentence() {
  begin("one sentence");
  const auto width = static_cast<std::size_t>(model_->options().lstm.projection_dim);
  std::vector<std::string_view> tokens;
  for (std::size_t i = 0; i < kSentenceTokens; ++i) {
    tokens.emplace_back(distinct_[i % distinct_.size()]);
  }
  const std::vector<std::vector<SentenceRows>> lane{{{0, kSentenceTokens}}};
  const std::array schedules{schedule_lanes(lane, false, false), schedule_lanes(lane, true, false)};
  const StartStates start = zero_states(*model_);
  AlignedVector<float> vectors(kSentenceTokens * width);
  AlignedVector<float> activations(kSentenceTokens * row_values());
  RunMonitor monitor;
  const std::array<Team::Job, 1> encode{[&](Workspace& workspace) {
    model_->encoder().encode(tokens, vectors.data(), workspace.encoder);
    for (std::size_t i = 0; i < kSentenceTokens; ++i) {
      std::copy_n(vectors.data() + i * width, width, activations.data() + i * row_values());
    }
  }};
  const auto read = [&](std::size_t direction) {
    return [&, direction](Workspace& workspace) {
      model_->lstm(static_cast<int>(direction))
          .run(schedules[direction], activations.data(), start[direction], nullptr, workspace.lstm,
               monitor);
    };
  };
  const std::array<Team::Job, 2> directions{read(0), read(1)};
  result_.sentence_encoder_seconds = repeat([&] { team_->run(encode); });
  result_.sentence_seconds = repeat([&] {
    team_->run(encode);
    team_->run(directions);
  });

  const std::size_t bytes = model_->lstm(0).recurrent_bytes() + model_->lstm(1).recurrent_bytes();
  result_.sentence_tokens = kSentenceTokens;
  result_.read_bytes_per_second = measure_read_bandwidth(bytes, result_.threads);
  result_.stream_seconds =
      kSentenceTokens * static_cast<double>(bytes) / result_.read_bytes_per_second;
}

BenchResult Bench::run() {
  start_up();
  read_text();
  team_.emplace(result_.workers, std::max(1, result_.threads / result_.workers));

  measure_peak();
  const double fused = flags_.precision == Precision::int8 ? 0.0 : fused_seconds();
  const double lstm = lstm_seconds();
  measure_peak();
  const double encoder = encoder_seconds();
  measure_sentence();
  const double tokenizer = tokenizer_seconds();
  const double writer = writer_seconds();
  team_.reset();
  measure_peak();
  result_.embed_seconds = embed_seconds();

  // Shares come last, when all measurements of the limit are there.
  const double stage_tokens = static_cast<double>(result_.workers) * kSteps * kLanes;
  const double lstm_flop = result_.lstm_flop_per_token;
  if (fused > 0) result_.fused_lstm = computing(lstm_flop * stage_tokens, stage_tokens, fused);
  result_.lstm = computing(lstm_flop * stage_tokens, stage_tokens, lstm);
  const auto encoded = static_cast<double>(distinct_.size());
  result_.encoder = computing(result_.encoder_flop_per_token * encoded, encoded, encoder);
  const auto tokens = static_cast<double>(result_.tokens);
  result_.tokenizer = passing(tokens, tokenizer);
  result_.writer = passing(static_cast<double>(sample_tokens_), writer);
  result_.embed = computing(lstm_flop * tokens + result_.encoder_flop_per_token *
                                                     static_cast<double>(result_.distinct_tokens),
                            tokens, result_.embed_seconds);
  return result_;
}

}  // namespace

std::optional<BenchResult> measure(const BenchFlags& flags,
                                   const std::function<void(const std::string&)>& tell,
                                   const std::atomic<bool>& stop) {
  try {
    return Bench(flags, tell, stop).run();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace elmo
