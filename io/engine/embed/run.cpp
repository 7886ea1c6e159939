#include "io/engine/embed/run.h"

#include <filesystem>
#include <utility>

#include "core/error.h"
#include "core/human.h"
#include "io/engine/embed/model_choice.h"
#include "io/engine/run_settings.h"
#include "io/files/checksum.h"
#include "io/model/model.h"
#include "io/model/tokenizer.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/shard/shard_run.h"
#include "io/sinks/allennlp.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

using std::chrono::steady_clock;
using End = EmbedOutcome::End;

/// "words 2, list <hash>, match b.*, ignoring case".
std::string selection_text(const EmbedRequest& request, const std::optional<TokenQuery>& query) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (query && !query->words.empty()) {
    Checksum list;
    for (const std::string& word : query->words) list.add(word + '\0');
    add("words " + std::to_string(query->words.size()) + ", list " + list.hex());
  }
  if (query && !query->expression.empty()) add("match " + query->expression);
  if (query && query->ignore_case) add("ignoring case");
  if (request.sample > 0) {
    add("sample " + std::to_string(request.sample) + ", seed " + std::to_string(request.seed));
  }
  return text;
}

/// "mean by document".
std::string pooling_text(const PoolOptions& pool) {
  return std::string(kPoolKinds.word(pool.kind)) + " by " + std::string(kPoolUnits.word(pool.unit));
}

RunSettings settings_of(const EmbedRequest& request, const EmbedSetup& setup) {
  return {setup.options, request.precision, setup.reading, setup.installed};
}

/// Returns the folder of the shards. RequestError if the folder of a part's run holds a run that is
/// not in parts.
std::string folder_of(const EmbedRequest& request) {
  const std::optional<InputPart> part = part_of(request);
  if (!part) return request.output;
  if (const auto run = read_manifest(request.output); run && run->parts.empty()) {
    // Not replaced even with --overwrite, because the machines of the other parts would not know.
    throw RequestError(request.output + " holds a run that is not in parts; choose another folder");
  }
  return (std::filesystem::path(request.output) / part_folder_name(*part)).string();
}

/// "ud, locale en"; empty for text in tokens.
std::string tokenizer_words(const InputOptions& input) {
  if (!is_segmented(input.format)) return "";
  const std::string& locale = input.tokenizer.locale;
  return std::string(kTokenizerKinds.word(input.tokenizer.kind)) + ", locale " +
         (locale.empty() ? "root" : locale);
}

InputOptions input_options(const EmbedRequest& request, const std::optional<TokenQuery>& query) {
  InputOptions input = reading(request);
  input.max_sentence_tokens = request.max_sentence_tokens;
  if (query) input.query = *query;
  input.keep_positions = output_of(request) == EmbedOutput::shards;
  return input;
}

class EmbedRun {
 public:
  EmbedRun(const EmbedRequest& request, const std::atomic<bool>& stop, RunListener& listener)
      : request_(request), stop_(stop), listener_(listener), setup_(request, stop, listener) {}

  EmbedOutcome into_shards() {
    const std::string folder = folder_of(request_);
    const auto check = [&](const ListedFile&) {
      if (stop_) throw ReadingStopped("stopped before all shards were read");
    };
    ShardFormat format = shard_format_of(request_, setup_.layout());
    format.options = settings_text(settings_of(request_, setup_));
    std::optional<ShardRun> run;
    try {
      run.emplace(folder, run_provenance(request_, setup_),
                  run_mode(request_.resume, request_.overwrite), format, nullptr, check);
    } catch (const ReadingStopped&) {
      return {.end = End::not_changed, .folder = folder};
    }
    listener_.note(run->warning());
    // The tokens of a sample are known only after the whole input is read, so it has no resume
    // position.
    if (!setup_.sample) {
      TextSource& input = *setup_.input;
      run->set_account({[&input](std::uint64_t next) { return input.position_before(next); },
                        [&input] { return input.part_counts(); }});
    }
    EmbedOutcome outcome;
    try {
      outcome = into_rest_of(*run);
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

  EmbedOutcome into_words() {
    WordVectorSink sink(request_, setup_.layout());
    listener_.note(sink.warning());
    EmbedOutcome outcome = embed_into(sink);
    outcome.words = sink.averages().size();
    outcome.written_words = sink.written();
    outcome.dimensions = sink.averages().dimensions();
    return outcome;
  }

  /// Embeds into standard output or a file of the layout allennlp.
  EmbedOutcome into_sentences(Stream& standard_output) {
    return embed_into(*open_sink(request_, setup_.layout(), standard_output, listener_));
  }

 private:
  /// Reads the published shards again and embeds the rest.
  EmbedOutcome into_rest_of(ShardRun& run) {
    const ResumePoint& point = run.resume_point();
    if (point.position) setup_.input->begin_at(*point.position);
    if (!skip_sentences(*setup_.input, point, &stop_)) return {.end = End::stopped};
    if (point.complete) {
      if (run.manifest().complete()) return {.end = End::was_complete};
      run.finish();
      return {.end = End::index_remade};
    }
    EmbedOptions& options = setup_.options;
    options.segment_bytes = request_.shard_bytes;
    options.first_sentence = point.next_sentence;
    options.carried_state = point.carried_state;
    return embed_into(run, run.manifest().shards.size());
  }

  /// Embeds the rest of the input into `sink`; the outcome's end is complete or stopped.
  /// `shards_before` have been published before; nothing if there are no shards.
  EmbedOutcome embed_into(ActivationSink& sink,
                          std::optional<std::size_t> shards_before = std::nullopt) {
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
      result = embed(*setup_.bilm, setup_.source(), sink, setup_.options, stop_, report);
    } catch (const ReadingStopped&) {
    }
    listener_.progress_ended();
    EmbedOutcome outcome;
    outcome.end = result.completed ? End::complete : End::stopped;
    if (result.completed) {
      outcome.summary = EmbedSummary{setup_.choice,     input.counters().documents,
                                     input.sentences(), input.tokens(),
                                     earlier,           input.cut_sentences(),
                                     result.progress,   tokenizer_words(setup_.reading),
                                     input.counters(),  steady_clock::now() - start};
    }
    return outcome;
  }

  const EmbedRequest& request_;
  const std::atomic<bool>& stop_;
  RunListener& listener_;
  EmbedSetup setup_;
};

}  // namespace

std::string published_text(std::uint64_t shards, const EmbedRequest& request) {
  if (request.sample == 0) return published_text(shards);
  return human_count(shards, "shard") + " published; draw a new sample with --overwrite";
}

EmbedSetup::EmbedSetup(const EmbedRequest& request, const std::atomic<bool>& stop,
                       RunListener& listener)
    : query(token_query(request)),
      mixing(layer_mixing(computing(request), request.mix)),
      options(mixing.options),
      reading(elmo::reading(request)),
      input(open_source(input_options(request, query), {request.output, &stop})),
      model(request.model) {
  options.awaited = output_of(request) == EmbedOutput::stream;
  std::string chosen_name;
  if (model.model == kAutoModel) {
    ModelChoice chosen = choose_model(request, *input);
    model = std::move(chosen.model);
    chosen_name = std::move(chosen.name);
    choice = std::move(chosen.why);
  }
  OpenedModel opened = open_model(model, request.input.request);
  installed = chosen_name.empty() ? opened.installed : chosen_name;
  require_other_file(Setting::output, request.output, files_of(opened.location));
  if (output_of(request) == EmbedOutput::shards && !model.model.empty()) {
    require_other_folder(request.output, model_path(model.model));
  }
  reading.tokenizer = opened.tokenizer;
  input->set_tokenizer(reading.tokenizer);
  note_tokenizer(listener, opened.loaded, reading);
  check_bilm(mixing, Setting::model, opened.loaded.fingerprint);
  fingerprint = opened.loaded.fingerprint;
  bilm = opened.packed(request.precision);
  if (request.sample > 0) sample.emplace(*input, request.sample, request.seed, stop);
}

EmbedOutcome run_embed(const EmbedRequest& request, Stream& standard_output,
                       const std::atomic<bool>& stop, RunListener& listener) {
  std::optional<EmbedRun> run;
  try {
    run.emplace(request, stop, listener);
  } catch (const ReadingStopped&) {
    return {.end = End::never_started};
  }
  switch (output_of(request)) {
    case EmbedOutput::shards:
      return run->into_shards();
    case EmbedOutput::words:
      return run->into_words();
    case EmbedOutput::allennlp:
    case EmbedOutput::stream:
      break;
  }
  return run->into_sentences(standard_output);
}

std::unique_ptr<ActivationSink> open_sink(const EmbedRequest& request,
                                          const ActivationLayout& layout, Stream& stream,
                                          RunListener& listener) {
  if (output_of(request) == EmbedOutput::allennlp) {
    const AllenNlpOptions options{request.forget_sentences, request.embed.boundaries,
                                  request.overwrite};
    auto sink = std::make_unique<AllenNlpSink>(request.output, layout, options);
    listener.note(sink->warning());
    return sink;
  }
  const StreamRows rows = request.pool ? StreamRows::pooled : StreamRows::tokens;
  if (request.format == EmbedFormat::npy) {
    return std::make_unique<NpySink>(stream, layout, request.dtype, rows);
  }
  return std::make_unique<JsonlSink>(stream, layout, request.dtype, rows);
}

Provenance run_provenance(const EmbedRequest& request, const EmbedSetup& setup) {
  const InputOptions& input = setup.reading;
  Provenance provenance =
      computing_provenance(settings_of(request, setup), setup.bilm->options(), setup.fingerprint);
  provenance.insert(provenance.end(),
                    {{"max_sentence_tokens", std::to_string(request.max_sentence_tokens)},
                     {"tokenizer", to_string(describe_tokenizer(input))},
                     {"input_format", input_format_text(input)},
                     {"input", input_files_text(input, request.output)},
                     {"shard_size", std::to_string(request.shard_bytes)}});
  if (input.part) {
    provenance.emplace_back(shard_format::kInputSample,
                            input_sample(list_input_files(input.files, nullptr, request.output)));
  }
  if (request.selects()) {
    provenance.emplace_back(shard_format::kSelection, selection_text(request, setup.query));
  }
  if (setup.options.pool) {
    provenance.emplace_back(shard_format::kPooling, pooling_text(*setup.options.pool));
  }
  return provenance;
}

ShardFormat shard_format_of(const EmbedRequest& request, const ActivationLayout& layout) {
  const std::optional<InputPart> part = part_of(request);
  return {layout,
          request.dtype,
          request.compression,
          request.embed.boundaries,
          request.selects(),
          request.pool.has_value(),
          part,
          part && traits_of(request.input.format).has_records,
          {}};
}

}  // namespace elmo
