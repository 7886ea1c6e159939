// The run of `elmo embed`: input, model and sink are opened, connected, watched and summed up.
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/embed.h"
#include "cli/flags/input.h"
#include "cli/flags/model.h"
#include "cli/human.h"
#include "cli/process/signals.h"
#include "cli/process/standard_output.h"
#include "cli/report/error_message.h"
#include "cli/report/progress.h"
#include "cli/report/report.h"
#include "cli/report/tokenizer_warning.h"
#include "cli/run/embed_input.h"
#include "cli/run/model_choice.h"
#include "cli/run/run_fingerprint.h"
#include "core/error.h"
#include "core/inference/token_sample.h"
#include "core/inference/word_averages.h"
#include "io/model/model.h"
#include "io/shard/manifest/parts.h"
#include "io/shard/write/shard_run.h"
#include "io/shard/write/skip.h"
#include "io/sinks/allennlp.h"
#include "io/sinks/jsonl.h"
#include "io/sinks/npy.h"
#include "io/sinks/word2vec.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;

/// Where the shards go. RequestError where a part would stand in the folder of another run.
std::string output_folder(const EmbedFlags& flags) {
  if (!flags.input.part) return flags.output;
  if (const auto run = read_manifest(flags.output); run && run->parts.empty()) {
    // Not even --overwrite replaces it: the other parts' machines would not know.
    throw RequestError(flags.output + " holds a run that is not in parts; choose another folder");
  }
  return (std::filesystem::path(flags.output) / part_folder_name(*flags.input.part)).string();
}

/// Input and model of a run, and what is told of it.
class EmbedRun {
 public:
  EmbedRun(const EmbedFlags& flags, const std::atomic<bool>& stop)
      : flags_(flags),
        stop_(stop),
        report_(flags.quiet),
        input_(flags.input, flags.max_sentence_tokens, stop, flags.selection.query),
        options_(flags.embed) {
    ModelFlags model = flags.model;
    if (model.model == kAutoModel) {
      ModelChoice choice = choose_model(flags, input_);
      model = std::move(choice.model);
      chosen_ = std::move(choice.why);
    }
    LoadedModel loaded = load_model(model);
    warn_of_tokenizer(report_, loaded, flags.input);
    model_hash_ = loaded.fingerprint;
    if (flags.selection.sample > 0) {
      sample_.emplace(input_, flags.selection.sample, flags.selection.seed, stop);
    }
    if (flags.task) check_bilm(*flags.task, flags.mix, "--model", model_hash_);
    model_.emplace(loaded.options, std::move(loaded.parameters), flags.precision,
                   std::move(loaded.lexicon));
    options_.value_bytes = dtype_bytes(flags.dtype);
    options_.value_limit = dtype_limit(flags.dtype);
  }

  ExitCode into_shards();
  ExitCode into_file();
  ExitCode into_word_vectors();
  ExitCode into_stream();

 private:
  SentenceSource& source() { return sample_ ? static_cast<SentenceSource&>(*sample_) : input_; }
  /// Reads what is published again, and embeds the rest; true where it came to the end.
  bool into_rest_of(ShardRun& run);
  /// Embeds the rest of the input into `sink`; true where it came to the end. `shards_before` have
  /// been published before; nothing where there are none to be told of.
  bool embed_into(ActivationSink& sink, std::optional<std::size_t> shards_before = std::nullopt);
  void sum_up(const EmbedProgress& done, std::uint64_t earlier, steady_clock::duration time) const;

  const EmbedFlags& flags_;
  const std::atomic<bool>& stop_;
  Report report_;
  EmbedInput input_;
  std::optional<TokenSample> sample_;
  EmbedOptions options_;
  std::string model_hash_;
  std::string chosen_;  ///< which model, and why; empty where one was named
  std::optional<Bilm> model_;
};

bool EmbedRun::embed_into(ActivationSink& sink, std::optional<std::size_t> shards_before) {
  const std::uint64_t earlier = input_.tokens();
  const auto before = static_cast<double>(earlier);
  Progress progress(flags_.quiet, input_.fraction(before).value_or(0));
  const auto listener = [&](const EmbedProgress& done) {
    const std::string output =
        shards_before ? "shard " + human_count(*shards_before + done.segments + 1) : "";
    progress.show({static_cast<std::uint64_t>(done.computed_tokens),
                   input_.fraction(before + done.computed_tokens), output});
  };
  const steady_clock::time_point start = steady_clock::now();
  EmbedResult result;
  try {
    result = embed(*model_, source(), sink, options_, stop_, listener);
  } catch (const ReadingStopped&) {
  }
  progress.clear();
  if (result.completed) sum_up(result.progress, earlier, steady_clock::now() - start);
  return result.completed;
}

void EmbedRun::sum_up(const EmbedProgress& done, std::uint64_t earlier,
                      steady_clock::duration time) const {
  if (!chosen_.empty()) report_.line("model " + chosen_);
  report_.line(human_count(input_.tokens(), "token") + " in " +
               human_count(input_.sentences(), "sentence") + " of " +
               human_count(input_.counters().documents, "document"));
  report_.count(earlier, "token",
                flags_.selection.any() ? "of them read before" : "of them embedded before");
  if (flags_.selection.any()) {
    report_.line(human_count(done.kept_tokens, "token") + " kept, in " +
                 human_count(done.kept_sentences, "sentence"));
  }
  report_.count(done.distinct_tokens, "distinct token", "encoded");
  report_.count(done.truncated_tokens, "token", "longer than the model takes, cut");
  report_.count(done.unknown_tokens, "token", "not in the vocabulary, read as <UNK>");
  report_.count(
      input_.cut_sentences(), "sentence",
      "of more than " + human_count(flags_.max_sentence_tokens, "token") + ", cut into pieces");
  report_input(report_, input_.counters());
  const std::chrono::duration<double> seconds = time;
  report_.line(human_time(seconds) + ", " +
               human_count(static_cast<std::uint64_t>(
                   static_cast<double>(input_.tokens() - earlier) / seconds.count())) +
               " tokens/s");
}

ExitCode EmbedRun::into_shards() {
  const std::optional<InputPart>& part = flags_.input.part;
  const ShardFormat format{activation_layout(model_->options(), options_),
                           flags_.dtype,
                           flags_.compression,
                           options_.boundaries,
                           flags_.selection.any(),
                           options_.pool.has_value(),
                           part,
                           part && flags_.input.format == InputFormat::jsonl};
  const std::string folder = output_folder(flags_);
  const RunMode mode = flags_.resume      ? RunMode::resume
                       : flags_.overwrite ? RunMode::overwrite
                                          : RunMode::create;
  const auto check = [&](const PublishedFile&) {
    if (stop_) throw ReadingStopped("stopped before all shards were read");
  };
  std::optional<ShardRun> run;
  try {
    run.emplace(folder, run_fingerprint(flags_, model_->options(), model_hash_), mode, format,
                nullptr, check);
  } catch (const ReadingStopped&) {
    report_.line("stopped while " + folder + " was checked; nothing was changed");
    return kStopped;
  }
  if (!run->warning().empty()) report_.line(run->warning());
  // What a sample keeps is known once the input was read: it has no position to go on from.
  if (flags_.selection.sample == 0) run->set_account(input_);
  const auto published = [&] {
    return human_count(run->manifest().shards.size(), "shard") +
           (flags_.selection.sample > 0 ? " published; a sample is drawn anew with --overwrite"
                                        : " published; the same command with --resume goes on");
  };
  try {
    if (into_rest_of(*run)) return kDone;
  } catch (const ReadingStopped&) {
  } catch (const SystemError& error) {
    throw SystemError(message_of(error) + "\n" + published());
  }
  report_.line("stopped; " + published());
  return kStopped;
}

bool EmbedRun::into_rest_of(ShardRun& run) {
  const ResumePoint& point = run.resume_point();
  if (point.position) input_.begin_at(*point.position);
  if (!skip_sentences(input_, point, &stop_)) return false;
  if (point.complete) {
    const bool whole = run.manifest().complete();
    if (!whole) run.finish();
    report_.line(output_folder(flags_) +
                 (whole ? " is complete; there is nothing to resume"
                        : " is complete; its index was missing or damaged and is made anew"));
    return true;
  }
  options_.segment_bytes = flags_.shard_bytes;
  options_.first_sentence = point.next_sentence;
  options_.carried_state = point.carried_state;
  return embed_into(run, run.manifest().shards.size());
}

ExitCode EmbedRun::into_file() {
  AllenNlpSink sink(flags_.output, activation_layout(model_->options(), options_),
                    {flags_.forget_sentences, options_.boundaries, flags_.overwrite});
  if (!sink.warning().empty()) report_.line(sink.warning());
  if (embed_into(sink)) return kDone;
  // Nothing is left of the work, which is told even where little is.
  Report(false).line("stopped; nothing was written, for a file of this layout cannot be resumed");
  return kStopped;
}

ExitCode EmbedRun::into_word_vectors() {
  const bool binary = flags_.format ? flags_.format == StreamFormat::word2vec_binary
                                    : flags_.output.ends_with(".bin");
  WordVectorFile file(flags_.output, binary ? WordVectorFormat::binary : WordVectorFormat::text,
                      flags_.overwrite);
  if (!file.warning().empty()) report_.line(file.warning());
  WordAverages averages(activation_layout(model_->options(), options_));
  if (!embed_into(averages)) {
    Report(false).line("stopped; nothing was written, for averages cannot be resumed");
    return kStopped;
  }
  const std::uint64_t written = file.publish(averages, flags_.averages.min_count);
  report_.line(human_count(written) + " of " + human_count(averages.size(), "word") +
               " written, of " + human_count(averages.dimensions(), "number") + " each");
  return kDone;
}

ExitCode EmbedRun::into_stream() {
  const ActivationLayout layout = activation_layout(model_->options(), options_);
  Stream stream = standard_output();
  if (flags_.format == StreamFormat::npy) {
    NpySink sink(stream, layout, flags_.dtype, options_.pool.has_value());
    embed_into(sink);
  } else {
    JsonlSink sink(stream, layout, flags_.dtype, options_.pool.has_value());
    embed_into(sink);
  }
  return kDone;
}

}  // namespace

ExitCode run_embed(const EmbedFlags& flags) {
  if (flags.output.empty()) return EmbedRun(flags, kNeverStop).into_stream();
  const std::atomic<bool>& stop = stop_on_signals();
  std::optional<EmbedRun> run;
  try {
    run.emplace(flags, stop);
  } catch (const ReadingStopped&) {
    Report(flags.quiet).line("stopped before anything was computed; nothing was changed");
    return kStopped;
  }
  if (flags.averages.wanted) return run->into_word_vectors();
  return flags.layout == OutputLayout::shards ? run->into_shards() : run->into_file();
}

}  // namespace elmo
