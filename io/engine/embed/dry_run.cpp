#include "io/engine/embed/dry_run.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <unordered_map>

#include "core/error.h"
#include "core/inference/activations.h"
#include "core/inference/embed.h"
#include "core/kernels/product.h"
#include "core/resources.h"
#include "io/engine/embed/setup.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/h5/types.h"
#include "io/shard/shard_file.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;
using Sentences = std::vector<Sentence>;

// The sample is the beginning of the input, up to these limits of size or of computing time.
constexpr std::uint64_t kSampleTokens = 65536;
constexpr std::uint64_t kSampleBytes = std::uint64_t{16} << 20;  // bytes of text
constexpr double kSampleSeconds = 10;
constexpr double kOtherSeconds = 3;  // limit for precisions that were not requested

// Minimum size of the sentences that are written to measure sizes. It must be large because the
// last chunk of a file is written whole.
constexpr std::uint64_t kStoredTokens = 512;
constexpr std::uint64_t kStoredBytes = std::uint64_t{16} << 20;  // size with all layers in float32

/// Counts the rows that a request makes from sentences.
class RowCount {
 public:
  explicit RowCount(const EmbedRequest& request) : request_(request) {}

  void add(const Sentence& sentence) {
    const bool carries = request_.embed.initial_state == InitialState::carry;
    if (carries || !sentence.is_left_out()) computed_tokens_ += sentence.size();
    if (sentence.is_left_out()) return;
    tokens_ += sentence.kept_count() + (request_.embed.boundaries ? 2 : 0);
    token_bytes_ += sentence.token_bytes();
    const std::optional<PoolOptions>& pool = request_.embed.pool;
    const bool by_document = pool && pool->unit == PoolUnit::document;
    if (!by_document || document_ != sentence.document->number) ++units_;
    document_ = sentence.document->number;
    for (std::size_t token = 0; request_.format->of_words && token < sentence.kept_count();
         ++token) {
      ++words_[std::string(sentence.word(sentence.kept_token(token)))];
    }
  }

  std::uint64_t rows() const {
    if (request_.format->of_words) return frequent_words();
    return request_.embed.pool ? units_ : tokens_;
  }
  std::uint64_t computed_tokens() const { return computed_tokens_; }
  std::uint64_t token_bytes() const { return token_bytes_; }
  bool rows_are_tokens() const {
    return !request_.format->of_words && !request_.embed.pool && !request_.selects();
  }

 private:
  std::uint64_t frequent_words() const {
    return static_cast<std::uint64_t>(std::ranges::count_if(
        words_, [this](const auto& word) { return word.second >= request_.min_count; }));
  }

  const EmbedRequest& request_;
  std::uint64_t computed_tokens_ = 0;
  std::uint64_t tokens_ = 0;
  std::uint64_t token_bytes_ = 0;
  std::uint64_t units_ = 0;
  std::optional<std::uint32_t> document_;
  std::unordered_map<std::string, std::uint64_t> words_;  ///< words and their counts
};

class NoSink final : public ActivationSink {
 public:
  void write(const ActivationBatch&) override {}
};

/// Returns whether the run can be divided into parts.
bool is_divisible(EmbedRequest request) {
  const std::vector<std::string>& files = request.input.files;
  if (files.empty() || std::ranges::any_of(files, can_be_read_only_once)) return false;
  if (!request.format->is_shards() || request.mode == RunMode::resume) return false;
  request.input.part = InputPart{0, 2};
  try {
    validate(request);
  } catch (const RequestError&) {
    return false;
  }
  return true;
}

/// Returns the sentences of the sample that are written to measure sizes.
Sentences stored_part(const Sentences& sample, const ModelOptions& model) {
  const auto values =
      static_cast<std::uint64_t>(activation_layout(model, EmbedOptions{}).values_per_token());
  const std::uint64_t tokens = std::max(kStoredTokens, kStoredBytes / (values * sizeof(float)));
  Sentences first;
  for (std::uint64_t count = 0; first.size() < sample.size() && count < tokens;) {
    first.push_back(sample[first.size()]);
    count += first.back().size();
  }
  return first;
}

/// Measures the speed of a model in tokens per second, on the sentences of a sample that it
/// computes in about `seconds`.
double sample_rate(const Bilm& model, const Sentences& sample, const EmbedOptions& options,
                   const Resources& resources, double seconds) {
  SentenceList source(sample);
  NoSink sink;
  std::atomic<bool> stop{false};
  double tokens = 0;
  const steady_clock::time_point start = steady_clock::now();
  std::chrono::duration<double> time{};
  const auto listener = [&](const EmbedProgress& done) {
    tokens = done.computed_tokens;
    time = steady_clock::now() - start;
    if (time.count() > seconds && tokens > 0) stop = true;
  };
  embed({.model = model,
         .source = source,
         .sink = sink,
         .options = options,
         .resources = resources,
         .stop = stop,
         .listener = listener});
  return tokens / std::max(time.count(), 1e-9);
}

/// Writes one shard to files without publishing it.
class UnpublishedShard final : public ActivationSink {
 public:
  UnpublishedShard(const ScratchFolder& folder, const ShardFormat& format, const Provenance& run)
      : file_(folder / "shard", folder / "tables", format, run, 0, InputHash()) {}

  void write(const ActivationBatch& batch) override { file_.write(batch); }
  void end_segment(const SegmentEnd& end) override { file_.close(end); }

 private:
  ShardFile file_;
};

/// Writes activations to a sink and finishes it.
using Feed = std::function<void(ActivationSink&)>;

void feed_nothing(ActivationSink& sink) {
  sink.end_segment({});
  sink.finish();
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) bytes += file.file_size();
  return bytes;
}

/// Returns the bytes of a shard's files with `feed`. `run` is the provenance that shards have as
/// attributes.
std::uint64_t shard_bytes(const ShardFormat& format, const Provenance& run, const Feed& feed) {
  h5::require_compression(format.compression);
  const ScratchFolder folder;
  UnpublishedShard shard(folder, format, run);
  feed(shard);
  return bytes_in(folder.path());
}

/// Returns the bytes that the request's output has with `feed`.
std::uint64_t written_bytes(const EmbedRequest& request, const EmbedSetup& setup,
                            const Provenance& run, const Feed& feed) {
  if (request.format->is_shards()) {
    return shard_bytes(format_of_shards(request, setup), run, feed);
  }
  const ScratchFolder folder;
  const fs::path path = folder / "output";
  const Descriptor file = open_descriptor(folder / "stream", O_WRONLY | O_CREAT);
  Stream stream(file.get(), path.string());
  OutputTarget target;
  request.format->to_stream ? void(target.stream = &stream) : void(target.path = path.string());
  feed(*request.format->open(target, output_rows(request, setup.layout())));
  return bytes_in(folder.path());
}

/// Returns the estimated bytes of a file of `rows` rows. `empty`: bytes without rows; `measured`:
/// bytes with `count` rows.
std::uint64_t scaled_bytes(std::uint64_t empty, std::uint64_t measured, std::uint64_t count,
                           std::uint64_t rows) {
  const auto added = static_cast<double>(std::max(empty, measured) - empty);
  return empty +
         static_cast<std::uint64_t>(added * static_cast<double>(rows) / static_cast<double>(count));
}

bool has_zstd() {
  try {
    h5::require_compression(h5::Compression::zstd);
    return true;
  } catch (const RequestError&) {
    return false;
  }
}

/// Returns the sentences without their selection of tokens.
Sentences with_all_tokens(const Sentences& sentences) {
  Sentences all;
  for (const Sentence& from : sentences) {
    Sentence& to = all.emplace_back();
    to.document = from.document;
    to.line = from.line;
    for (std::size_t token = 0; token < from.size(); ++token) {
      to.add(from, token);
    }
  }
  return all;
}

/// Returns the estimated sizes of shards of every kind.
std::vector<RunPlan::Size> shard_sizes(const EmbedRequest& request, const EmbedSetup& setup,
                                       const Provenance& run, const Sentences& sample,
                                       std::uint64_t rows) {
  const Bilm& model = setup.model.bilm;
  EmbedOptions options;
  const Sentences sentences = with_all_tokens(stored_part(sample, model.options()));
  const bool zstd = has_zstd();
  std::vector<RunPlan::Size> sizes;
  for (const LayerSelection layers : {LayerSelection::all, LayerSelection::top}) {
    options.layers = layers;
    const ActivationLayout layout = activation_layout(model.options(), options);
    SentenceList source(sentences);
    KeepingSink kept;
    embed({.model = model,
           .source = source,
           .sink = kept,
           .options = options,
           .resources = request.resources});
    const ActivationBatch batch = kept.block.view();
    const auto feed = [&](ActivationSink& sink) {
      sink.write(batch);
      sink.end_segment({batch.sentences.size(), {}});
      sink.finish();
    };
    const std::uint64_t empty = shard_bytes({.layout = layout}, run, feed_nothing);
    for (const auto& [name, dtype] : kDtypes) {
      const auto bytes = [&, dtype = dtype](h5::Compression compression) {
        const ShardFormat format{layout, dtype, compression};
        return scaled_bytes(empty, shard_bytes(format, run, feed), batch.token_count(), rows);
      };
      RunPlan::Size& size = sizes.emplace_back();
      size.layers = layers == LayerSelection::all ? "all" : "top, average or mix";
      size.dtype = dtype;
      size.bytes = bytes(h5::Compression::none);
      size.gzip_bytes = bytes(h5::Compression::gzip);
      if (zstd) size.zstd_bytes = bytes(h5::Compression::zstd);
    }
  }
  return sizes;
}

/// Returns the estimated bytes that the request would write.
std::uint64_t output_bytes(EmbedRequest request, const EmbedSetup& setup, const Provenance& run,
                           const Sentences& sample, std::uint64_t rows) {
  request.min_count = 1;  // a sample has few frequent words
  const Sentences sentences = stored_part(sample, setup.model.bilm.options());
  RowCount count(request);
  for (const Sentence& sentence : sentences) count.add(sentence);
  const auto feed = [&](ActivationSink& sink) {
    SentenceList source(sentences);
    embed({.model = setup.model.bilm,
           .source = source,
           .sink = sink,
           .options = setup.options,
           .resources = request.resources});
  };
  const std::uint64_t empty = written_bytes(request, setup, run, feed_nothing);
  if (count.rows() == 0) return empty;
  return scaled_bytes(empty, written_bytes(request, setup, run, feed), count.rows(), rows);
}

}  // namespace

RunPlan dry_run(const EmbedRequest& request, RunListener& listener) {
  validate(request);
  EmbedSetup setup = set_up(request, kNeverStop, listener);
  if (!setup.model.choice.empty()) listener.note("model " + setup.model.choice);
  const TextSource& input = *setup.input;

  RowCount count(request);
  Sentences sample;
  const auto start = steady_clock::now();
  Sentence sentence;
  while (setup.source().next(sentence)) {
    const auto tokens = static_cast<double>(input.tokens());
    listener.progressed({input.tokens(), input.fraction(tokens), "counting"}, 0);
    count.add(sentence);
    // Keep the first sentence of any length, to have something to time.
    const bool fits =
        count.computed_tokens() <= kSampleTokens && count.token_bytes() <= kSampleBytes;
    if (sentence.size() > 0 && !sentence.is_left_out() && (fits || sample.empty())) {
      sample.push_back(sentence);
    }
  }
  listener.progress_ended();
  RunPlan plan;
  // Reading overlaps computing, so it takes no extra time unless most of the text is skipped.
  if (request.selects()) {
    plan.reading_seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  }
  plan.input = input.counters();
  plan.sentences = input.sentences();
  plan.tokens = input.tokens();
  plan.computed_tokens = count.computed_tokens();
  plan.rows = count.rows();
  plan.rows_are_tokens = count.rows_are_tokens();
  plan.threads = threads_or_available(request.resources.threads);
  plan.divisible = is_divisible(request);
  const Provenance run = run_provenance(request, setup);
  plan.bytes = output_bytes(request, setup, run, sample, plan.rows);
  if (plan.computed_tokens == 0) return plan;

  const auto add_speed = [&](Precision precision, double rate) {
    plan.speeds.push_back({precision, rate, static_cast<double>(plan.computed_tokens) / rate});
  };
  const EmbedOptions& options = setup.options;
  add_speed(request.precision,
            sample_rate(setup.model.bilm, sample, options, request.resources, kSampleSeconds));
  // With selected or pooled rows, shards hold more than the table knows.
  if (!request.selects() && plan.rows_are_tokens) {
    plan.sizes = shard_sizes(request, setup, run, sample, plan.rows);
  }
  for (const Precision other : {Precision::float32, Precision::bfloat16, Precision::int8}) {
    if (other == request.precision || !is_supported(other)) continue;
    const Bilm as_other = open_model(setup.model.spec).packed(other);
    add_speed(other, sample_rate(as_other, sample, options, request.resources, kOtherSeconds));
  }
  return plan;
}

}  // namespace elmo
