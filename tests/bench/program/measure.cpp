// Measurements of `elmo-bench` for embedding, their order and their shares of the peak.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cli/common/process.h"
#include "core/error.h"
#include "core/model/bilm.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "core/resources.h"
#include "io/files/paths.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "tests/bench/limits/matmul_peak.h"
#include "tests/bench/program/computing.h"
#include "tests/bench/program/latency.h"
#include "tests/bench/program/measuring.h"
#include "tests/bench/program/median.h"
#include "tests/bench/program/passing.h"
#include "tests/bench/program/result.h"
#include "tests/bench/program/team.h"
#include "tests/bench/program/text.h"

namespace elmo {
namespace {

constexpr std::size_t kMaxEncodedTokens = 4096;
constexpr std::size_t kWriterBytes = std::size_t{256} << 20;
constexpr std::size_t kLatencySentences = 50;
constexpr std::uint64_t kBenchShardBytes = std::uint64_t{1} << 30;  // as embed's --shard-size

/// One run of `elmo-bench`.
class Bench {
 public:
  Bench(const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
        const std::atomic<bool>& stop);

  BenchResult run();

 private:
  ModelSpec model_files();
  void start_up();
  void read_text();
  void measure_peak();
  double measure_latency();
  double measure_embed();

  BenchStage computing(double flop, double tokens, double seconds) const {
    return {tokens / seconds, flop / seconds / result_.peak};
  }
  BenchStage passing(double tokens, double seconds) const {
    return {tokens / seconds, tokens / seconds / result_.limit()};
  }

  const BenchFlags& flags_;
  const Measuring measuring_;
  const ScratchFolder scratch_;
  const BenchText text_;
  BenchResult result_;
  std::optional<Bilm> model_;
  std::vector<Sentence> sample_;  // the sentences for the writer
  std::uint64_t sample_tokens_ = 0;
  std::vector<std::string> distinct_;  // the first kMaxEncodedTokens
};

Bench::Bench(const BenchFlags& flags, const std::function<void(const std::string&)>& tell,
             const std::atomic<bool>& stop)
    : flags_(flags), measuring_(flags.repeat, tell, stop), text_(flags) {
  result_.threads = threads_or_available(flags.threads);
  result_.text = text_.name();
}

/// Returns the model that the flags name. Without flags, saves a random model first.
ModelSpec Bench::model_files() {
  if (!flags_.model.model.empty() || !flags_.model.options.empty()) {
    result_.model = flags_.model.model.empty() ? flags_.model.weights : flags_.model.model;
    return flags_.model;
  }
  result_.model = flags_.preset + ", random";
  const ModelOptions options = *preset(flags_.preset);
  Parameters parameters(options);
  initialize_parameters(parameters, options, 0);
  save_model(scratch_ / "model", options, parameters, nullptr);
  ModelSpec spec;
  spec.model = (scratch_ / "model").string();
  return spec;
}

/// Measures the time from files to a model that can compute.
void Bench::start_up() {
  measuring_.begin("start-up");
  const ModelSpec spec = model_files();
  result_.start_up_seconds = measuring_.median_seconds([&] {
    model_.reset();
    model_ = open_model(spec).packed(flags_.precision);
  });
  result_.lstm_flop_per_token = lstm_flop_per_token(model_->options());
  result_.encoder_flop_per_token = encoder_flop_per_token(model_->options());
}

void Bench::read_text() {
  measuring_.begin("the text");
  const std::uint64_t sample_tokens = kWriterBytes / (row_values(*model_) * sizeof(float));
  std::unordered_set<std::string> seen;
  text_.read([&](SentenceSource& source) {
    Sentence sentence;
    while (source.next(sentence)) {
      measuring_.stop_if_asked();
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
  measuring_.begin("the matmul peak");
  result_.peaks.push_back(measure_matmul_peak(flags_.precision, result_.threads).best());
  result_.peak = median(result_.peaks);
}

/// Measures the latency of the first sentences of the text.
double Bench::measure_latency() {
  const std::span<const Sentence> sentences(sample_);
  return latency_seconds(measuring_, *model_,
                         sentences.first(std::min(sentences.size(), kLatencySentences)),
                         {.threads = result_.threads});
}

double Bench::measure_embed() {
  const Resources resources{.threads = result_.threads};
  std::vector<double> times;
  for (int i = 0; i < flags_.embed_repeat; ++i) {
    times.push_back(embed_seconds(measuring_, *model_, text_, resources, kBenchShardBytes,
                                  scratch_ / "embedded"));
    measure_peak();
  }
  return median(times);
}

BenchResult Bench::run() {
  start_up();
  read_text();
  std::optional<Team> team(std::in_place, result_.threads);

  measure_peak();
  std::optional<double> fused;
  if (flags_.precision != Precision::int8) {
    fused = fused_lstm_seconds(measuring_, *team, model_->options().lstm, flags_.precision);
  }
  const double lstm = lstm_seconds(measuring_, *team, *model_);
  measure_peak();
  const double encoder = encoder_seconds(measuring_, *team, *model_, distinct_);
  result_.sentence = sentence_times(measuring_, *team, *model_, distinct_, result_.threads);
  const double tokenizer = tokenizer_seconds(measuring_, text_);
  const WriterTimes writer = writer_times(measuring_, *model_, sample_, scratch_ / "written");
  team.reset();
  result_.latency_seconds = measure_latency();
  measure_peak();
  result_.embed_seconds = measure_embed();

  // Shares come last, after all measurements of the limit.
  const double stage_tokens =
      static_cast<double>(result_.threads) * static_cast<double>(kLstmTokens);
  const double lstm_flop = result_.lstm_flop_per_token;
  if (fused) result_.fused_lstm = computing(lstm_flop * stage_tokens, stage_tokens, *fused);
  result_.lstm = computing(lstm_flop * stage_tokens, stage_tokens, lstm);
  const auto encoded = static_cast<double>(distinct_.size());
  result_.encoder = computing(result_.encoder_flop_per_token * encoded, encoded, encoder);
  const auto tokens = static_cast<double>(result_.tokens);
  result_.tokenizer = passing(tokens, tokenizer);
  result_.writer = passing(static_cast<double>(sample_tokens_), writer.seconds);
  result_.writer_bytes_per_second = writer.bytes_per_second;
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
