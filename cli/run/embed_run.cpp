#include "cli/run/embed_run.h"

#include <filesystem>
#include <utility>

#include "cli/numbers/human.h"
#include "cli/run/embed_sinks.h"
#include "cli/run/input_notes.h"
#include "cli/run/model_choice.h"
#include "cli/run/published_text.h"
#include "cli/run/run_fingerprint.h"
#include "cli/run/run_settings.h"
#include "core/error.h"
#include "core/inference/token_sample.h"
#include "io/model/tokenizer_choice.h"
#include "io/shard/manifest/parts.h"
#include "io/shard/write/skip.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;
using End = EmbedOutcome::End;

/// Returns the folder of the shards. RequestError if the folder of a part's run holds a run that is
/// not in parts.
std::string folder_of(const ShardOutput& output) {
  const std::optional<InputPart> part = row_choice(output).part;
  if (!part) return output.folder;
  if (const auto run = read_manifest(output.folder); run && run->parts.empty()) {
    // Not replaced even with --overwrite, because the machines of the other parts would not know.
    throw RequestError(output.folder + " holds a run that is not in parts; choose another folder");
  }
  return (std::filesystem::path(output.folder) / part_folder_name(*part)).string();
}

/// "ud, locale en"; empty for text in tokens.
std::string tokenizer_words(const InputOptions& input) {
  if (!is_segmented(input.format)) return "";
  const std::string& locale = input.tokenizer.locale;
  return std::string(kTokenizerKinds.word(input.tokenizer.kind)) + ", locale " +
         (locale.empty() ? "root" : locale);
}

/// Input and model of a run, connected with its output.
class EmbedRun {
 public:
  EmbedRun(const EmbedRequest& request, const std::atomic<bool>& stop, RunListener& listener)
      : request_(request),
        rows_(row_choice(request_.output)),
        stop_(stop),
        listener_(listener),
        input_(reading(request), request.max_sentence_tokens, stop,
               rows_.query ? std::optional(*rows_.query) : std::nullopt),
        options_(computing(request)) {
    model_ = load_embed_model(request, input_, listener);
    request_.input.tokenizer = model_.tokenizer;
    if (rows_.sample) sample_.emplace(input_, rows_.sample->size, rows_.sample->seed, stop);
  }

  EmbedOutcome into(const ShardOutput& output);
  EmbedOutcome into(const WordAverageOutput& output);
  template <typename Output>
  EmbedOutcome into(const Output& output) {
    return embed_into(*open_sink(output, layout(), listener_));
  }

 private:
  ActivationLayout layout() const { return activation_layout(model_.bilm->options(), options_); }
  SentenceSource& source() { return sample_ ? static_cast<SentenceSource&>(*sample_) : input_; }
  /// Reads the published shards again and embeds the rest.
  EmbedOutcome into_rest_of(ShardRun& run, const ShardOutput& output);
  /// Embeds the rest of the input into `sink`; the outcome's end is complete or stopped.
  /// `shards_before` have been published before; nothing if there are no shards.
  EmbedOutcome embed_into(ActivationSink& sink,
                          std::optional<std::size_t> shards_before = std::nullopt);

  EmbedRequest request_;  // with the tokenizer that was chosen
  RowChoice rows_;
  const std::atomic<bool>& stop_;
  RunListener& listener_;
  EmbedInput input_;
  std::optional<TokenSample> sample_;
  EmbedOptions options_;
  EmbedModel model_;
};

EmbedOutcome EmbedRun::embed_into(ActivationSink& sink, std::optional<std::size_t> shards_before) {
  const std::uint64_t earlier = input_.tokens();
  const auto before = static_cast<double>(earlier);
  const double first_fraction = input_.fraction(before).value_or(0);
  const auto report = [&](const EmbedProgress& done) {
    const std::string output =
        shards_before ? "shard " + human_count(*shards_before + done.segments + 1) : "";
    listener_.progressed({static_cast<std::uint64_t>(done.computed_tokens),
                          input_.fraction(before + done.computed_tokens), output},
                         first_fraction);
  };
  report({});
  const ProgressScope scope(listener_);
  const steady_clock::time_point start = steady_clock::now();
  EmbedResult result;
  try {
    result = embed(*model_.bilm, source(), sink, options_, stop_, report);
  } catch (const ReadingStopped&) {
  }
  EmbedOutcome outcome;
  outcome.end = result.completed ? End::complete : End::stopped;
  if (result.completed) {
    outcome.summary = EmbedSummary{model_.choice,
                                   input_.counters().documents,
                                   input_.sentences(),
                                   input_.tokens(),
                                   earlier,
                                   input_.cut_sentences(),
                                   result.progress,
                                   tokenizer_words(request_.input),
                                   input_.counters(),
                                   steady_clock::now() - start};
  }
  return outcome;
}

EmbedOutcome EmbedRun::into(const ShardOutput& output) {
  const std::string folder = folder_of(output);
  const auto check = [&](const PublishedFile&) {
    if (stop_) throw ReadingStopped("stopped before all shards were read");
  };
  ShardFormat format = shard_format_of(output, request_.input.format, layout());
  format.options = settings_text({options_, request_.precision, request_.input, model_.installed});
  EmbedOutcome outcome;
  std::optional<ShardRun> run;
  try {
    run.emplace(folder,
                run_fingerprint(request_, output, model_.bilm->options(), model_.fingerprint),
                run_mode(output), format, nullptr, check);
  } catch (const ReadingStopped&) {
    outcome.end = End::not_changed;
    outcome.folder = folder;
    return outcome;
  }
  listener_.note(run->warning());
  // The tokens of a sample are known only after the whole input is read, so it has no resume
  // position.
  if (!rows_.sample) run->set_account(input_);
  try {
    outcome = into_rest_of(*run, output);
  } catch (const ReadingStopped&) {
    outcome.end = End::stopped;
  } catch (const SystemError& error) {
    throw SystemError(std::string(error.what()) + "\n" +
                      published_text(run->manifest().shards.size(), request_));
  }
  outcome.folder = folder;
  outcome.shards = run->manifest().shards.size();
  return outcome;
}

EmbedOutcome EmbedRun::into_rest_of(ShardRun& run, const ShardOutput& output) {
  EmbedOutcome outcome;
  const ResumePoint& point = run.resume_point();
  if (point.position) input_.begin_at(*point.position);
  if (!skip_sentences(input_, point, &stop_)) {
    outcome.end = End::stopped;
    return outcome;
  }
  if (point.complete) {
    outcome.end = run.manifest().complete() ? End::was_complete : End::index_remade;
    if (outcome.end == End::index_remade) run.finish();
    return outcome;
  }
  options_.segment_bytes = output.shard_bytes;
  options_.first_sentence = point.next_sentence;
  options_.carried_state = point.carried_state;
  return embed_into(run, run.manifest().shards.size());
}

EmbedOutcome EmbedRun::into(const WordAverageOutput& output) {
  const auto sink = open_sink(output, layout(), listener_);
  EmbedOutcome outcome = embed_into(*sink);
  outcome.words = sink->averages().size();
  outcome.written_words = sink->written();
  outcome.dimensions = sink->averages().dimensions();
  return outcome;
}

}  // namespace

std::string published_text(std::uint64_t shards, const EmbedRequest& request) {
  if (row_choice(request.output).sample == nullptr) return published_text(shards);
  return human_count(shards, "shard") + " published; draw a new sample with --overwrite";
}

EmbedModel load_embed_model(const EmbedRequest& request, EmbedInput& input, RunListener& listener) {
  EmbedModel model;
  ModelRequest chosen = request.model;
  if (chosen.model == kAutoModel) {
    ModelChoice choice = choose_model(request, input);
    chosen = std::move(choice.model);
    model.installed = std::move(choice.name);
    model.choice = std::move(choice.why);
  } else {
    model.installed = installed_name(chosen);
  }
  model.tokenizer = choose_tokenizer(request.input.request, locate_model(chosen));
  input.set_tokenizer(model.tokenizer);
  LoadedModel loaded = load_model(chosen);
  InputOptions read_as = request.input;
  read_as.tokenizer = model.tokenizer;
  note_tokenizer(listener, loaded, read_as);
  if (request.task) check_bilm(*request.task, "--model", loaded.fingerprint);
  model.request = std::move(chosen);
  model.fingerprint = loaded.fingerprint;
  model.bilm.emplace(loaded.options, std::move(loaded.parameters), request.precision,
                     std::move(loaded.lexicon));
  return model;
}

EmbedOutcome run_embed(const EmbedRequest& request, const std::atomic<bool>& stop,
                       RunListener& listener) {
  std::optional<EmbedRun> run;
  try {
    run.emplace(request, stop, listener);
  } catch (const ReadingStopped&) {
    EmbedOutcome outcome;
    outcome.end = End::never_started;
    return outcome;
  }
  return std::visit([&](const auto& output) { return run->into(output); }, request.output);
}

}  // namespace elmo
