#include "io/engine/embed/run.h"

#include <filesystem>
#include <memory>

#include "core/error.h"
#include "core/text.h"
#include "io/engine/embed/setup.h"
#include "io/engine/mix.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_run.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;
using End = EmbedOutcome::End;

/// Returns the folder of the shards. RequestError if the folder of a part's run holds a run that is
/// not in parts.
std::string folder_of(const EmbedRequest& request) {
  const std::optional<InputPart>& part = request.input.part;
  if (!part) return request.output;
  if (const auto run = read_manifest(request.output); run && run->parts.empty()) {
    // Not replaced even with RunMode::overwrite, because the machines of the other parts would not
    // know.
    throw RequestError(request.output + " holds a run that is not in parts; choose another folder");
  }
  return (std::filesystem::path(request.output) / part_folder_name(*part)).string();
}

/// Throws RequestError if the format is not for a stream and no output is named.
void require_output(const EmbedRequest& request) {
  const OutputFormat& format = *request.format;
  if (format.to_stream || !request.output.empty()) return;
  if (format.of_words) {
    throw RequestError(Setting{"average_words"} + " needs a file to write; give it with " +
                       Setting{"output"} + " FILE");
  }
  std::vector<std::string> streams;
  for (const OutputFormat& other : output_formats()) {
    if (other.to_stream && other.computed) streams.emplace_back(other.name);
  }
  throw RequestError("no output given: use " + Setting{"output"} + " PATH for files, or " +
                     Setting{"format"} + " " + alternatives(std::move(streams)) +
                     " for standard output");
}

/// Hands activations on to a run, and says at the end of each shard where the input can be read
/// again.
class PositionedShards final : public ActivationSink {
 public:
  /// `input` is null if it has no positions. Both must outlive the object.
  PositionedShards(ShardRun& run, TextSource* input) : run_(run), input_(input) {}

  SinkTraits traits() const override { return run_.traits(); }
  void write(const ActivationBatch& batch) override { run_.write(batch); }
  void end_segment(const SegmentEnd& end) override {
    run_.end_shard(end, input_ ? input_->position_before(end.next_sentence) : std::nullopt);
  }
  void finish() override { run_.finish_run(input_ ? input_->part_counts() : std::nullopt); }

 private:
  ShardRun& run_;
  TextSource* input_;
};

class EmbedRun {
 public:
  EmbedRun(const EmbedRequest& request, const std::atomic<bool>& stop, RunListener& listener)
      : request_(request),
        stop_(stop),
        listener_(listener),
        setup_(set_up(request, stop, listener)) {}

  EmbedOutcome into_shards() {
    const std::string folder = folder_of(request_);
    const auto check = [&](const ListedFile&) {
      if (stop_) throw ReadingStopped("stopped before all shards were read");
    };
    std::optional<ShardRun> run;
    try {
      run.emplace(folder, run_provenance(request_, setup_), request_.mode,
                  format_of_shards(request_, setup_), nullptr, check);
    } catch (const ReadingStopped&) {
      return {.end = End::not_changed, .folder = folder};
    }
    listener_.note(run->warning());
    EmbedOutcome outcome;
    try {
      outcome = into_rest_of(*run);
    } catch (const ReadingStopped&) {
      outcome.end = End::stopped;
    } catch (const SystemError& error) {
      throw SystemError(error.message() + "\n" +
                        published_text(run->manifest().shards.size(), request_));
    }
    outcome.folder = folder;
    outcome.shards = run->manifest().shards.size();
    return outcome;
  }

  /// Embeds into a file or a stream.
  EmbedOutcome into(const OutputTarget& target) {
    OutputRows rows = output_rows(request_, setup_.layout());
    if (request_.format->has_metadata) rows.about = run_provenance(request_, setup_);
    const std::unique_ptr<OutputSink> sink = request_.format->open(target, rows);
    listener_.note(sink->warning());
    EmbedOutcome outcome = embed_into(*sink);
    if (outcome.end == End::complete) outcome.written = sink->summary();
    return outcome;
  }

  /// Embeds the rest of the input into `sink`; the outcome's end is complete or stopped.
  /// `shards_before` have been published before; nothing if there are no shards.
  EmbedOutcome embed_into(ActivationSink& sink,
                          std::optional<std::size_t> shards_before = std::nullopt,
                          const Beginning& beginning = {}) {
    TextSource& input = *setup_.input;
    const std::uint64_t earlier = input.tokens();
    const auto before = static_cast<double>(earlier);
    const double first_fraction = input.fraction(before).value_or(0);
    const auto report = [&](const EmbedProgress& done) {
      const std::string output =
          shards_before ? "shard " + human_count(*shards_before + done.segments + 1) : "";
      listener_.progressed(progress_of(input, done, before, output), first_fraction);
    };
    report({});
    const steady_clock::time_point start = steady_clock::now();
    EmbedResult result;
    try {
      result = embed({.model = setup_.model.bilm,
                      .source = setup_.source(),
                      .sink = sink,
                      .options = setup_.options,
                      .resources = request_.resources,
                      .stop = stop_,
                      .listener = report,
                      .beginning = beginning});
    } catch (const ReadingStopped&) {
    }
    listener_.progress_ended();
    EmbedOutcome outcome;
    outcome.end = result.completed ? End::complete : End::stopped;
    if (result.completed) {
      outcome.summary = EmbedSummary{setup_.model.choice,
                                     input.counters().documents,
                                     input.sentences(),
                                     input.tokens(),
                                     earlier,
                                     input.cut_sentences(),
                                     result.progress,
                                     tokenizer_words(setup_.reading),
                                     input.counters(),
                                     steady_clock::now() - start};
    }
    return outcome;
  }

 private:
  /// Reads the published shards again and embeds the rest.
  EmbedOutcome into_rest_of(ShardRun& run) {
    const ResumePoint& point = run.resume_point();
    if (point.position) setup_.input->begin_at(*point.position);
    if (!skip_sentences(*setup_.input, point, &stop_)) return {.end = End::stopped};
    // The tokens of a sample are known only after the whole input has been read, so there is no
    // position to resume from.
    PositionedShards shards(run, setup_.sample ? nullptr : &*setup_.input);
    if (point.complete) {
      if (run.manifest().complete()) return {.end = End::was_complete};
      shards.finish();
      return {.end = End::index_remade};
    }
    return embed_into(shards, run.manifest().shards.size(),
                      {point.next_sentence, point.carried_state});
  }

  const EmbedRequest& request_;
  const std::atomic<bool>& stop_;
  RunListener& listener_;
  EmbedSetup setup_;
};

}  // namespace

Message published_text(std::uint64_t shards, const EmbedRequest& request) {
  if (request.sample == 0) return published_text(shards);
  return human_count(shards, "shard") + " published; draw a new sample with " +
         Setting{"overwrite"};
}

EmbedOutcome run_embed(const EmbedRequest& request, Stream* stream, const std::atomic<bool>& stop,
                       RunListener& listener) {
  validate(request);
  require_output(request);
  std::optional<EmbedRun> run;
  try {
    run.emplace(request, stop, listener);
  } catch (const ReadingStopped&) {
    return {.end = End::never_started};
  }
  if (request.format->is_shards()) return run->into_shards();
  if (request.format->to_stream) return run->into({.stream = stream});
  return run->into({.path = request.output, .overwrite = request.mode == RunMode::overwrite});
}

EmbedOutcome embed_into(const EmbedRequest& request, ActivationSink& sink,
                        const std::atomic<bool>& stop, RunListener& listener) {
  validate(request);
  return EmbedRun(request, stop, listener).embed_into(sink);
}

}  // namespace elmo
