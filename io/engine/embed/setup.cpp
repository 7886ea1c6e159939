#include "io/engine/embed/setup.h"

#include <optional>
#include <utility>

#include "core/inference/token_selection.h"
#include "io/engine/embed/model_choice.h"
#include "io/engine/run_settings.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/shard/format.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/input/input_files.h"
#include "io/text/input/input_options.h"

namespace elmo {
namespace {

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

/// "mean by document, normalized".
std::string pooling_text(const PoolOptions& pool) {
  return std::string(kPoolKinds.word(pool.kind)) + " by " +
         std::string(kPoolUnits.word(pool.unit)) + (pool.normalize ? ", normalized" : "");
}

RunSettings settings_of(const EmbedRequest& request, const EmbedSetup& setup) {
  return {setup.options, request.precision, setup.reading, setup.model.installed};
}

/// Throws RequestError if the output would replace the model.
void check_output(const EmbedRequest& request, const OpenedModel& opened) {
  require_other_file(Setting{"output"}, request.output, files_of(opened.location));
  if (request.format->is_shards()) require_other_folder(request.output, opened.path);
}

}  // namespace

EmbedSetup set_up(const EmbedRequest& request, const std::atomic<bool>& stop,
                  RunListener& listener) {
  InputOptions reads = reading(request);
  const LayerMixing mixing = layer_mixing(request.embed, request.mix);
  std::unique_ptr<TextSource> input = open_source(reads, {request.output, &stop});
  const ModelChoice chosen = request.model.model == kAutoModel ? choose_model(request, *input)
                                                               : ModelChoice{request.model, {}, {}};
  OpenedModel opened = open_model(chosen.model, request.input.request);
  check_output(request, opened);
  reads.tokenizer = opened.tokenizer;
  input->set_tokenizer(reads.tokenizer);
  note_tokenizer(listener, opened.loaded, reads);
  check_bilm(mixing, Setting{"model"}, opened.loaded.fingerprint);
  std::unique_ptr<SentenceSource> sample;
  if (request.sample > 0) {
    sample = std::make_unique<TokenSample>(*input, request.sample, request.seed, stop);
  }
  std::string fingerprint = opened.loaded.fingerprint;
  return {std::move(reads),
          std::move(input),
          std::move(sample),
          {chosen.model, chosen.name.empty() ? opened.installed : chosen.name, chosen.why,
           std::move(fingerprint), opened.packed(request.precision)},
          mixing.options};
}

Provenance run_provenance(const EmbedRequest& request, const EmbedSetup& setup) {
  const InputOptions& input = setup.reading;
  Provenance provenance = computing_provenance(settings_of(request, setup),
                                               setup.model.bilm.options(), setup.model.fingerprint);
  provenance.insert(provenance.end(),
                    {{"max_sentence_tokens", std::to_string(max_sentence_tokens(request))},
                     {kTokenizer, to_string(describe_tokenizer(input))},
                     {"input_format", input_format_text(input)},
                     {"input", input_files_text(setup.input->files())},
                     {"shard_size", std::to_string(request.shard_bytes)}});
  if (input.part) {
    provenance.emplace_back(shard_format::kInputSample, input_sample(setup.input->files()));
  }
  if (request.selects()) {
    provenance.emplace_back(shard_format::kSelection, selection_text(request, input.query));
  }
  if (setup.options.pool) {
    provenance.emplace_back(shard_format::kPooling, pooling_text(*setup.options.pool));
  }
  return provenance;
}

ShardFormat format_of_shards(const EmbedRequest& request, const EmbedSetup& setup) {
  const std::optional<InputPart>& part = request.input.part;
  return {setup.layout(),
          request.dtype,
          request.compression,
          request.embed.boundaries,
          request.selects(),
          request.embed.pool.has_value(),
          part,
          part && traits_of(request.input.format).has_records,
          settings_text(settings_of(request, setup)),
          request.shard_bytes};
}

std::string tokenizer_words(const InputOptions& input) {
  if (!is_segmented(input.format)) return "";
  const std::string& locale = input.tokenizer.locale;
  std::string words(kTokenizerKinds.word(input.tokenizer.kind));
  words += ", locale ";
  words += locale.empty() ? "root" : locale;
  if (input.tokenizer.contractions == ContractionMode::expand) words += ", contractions expanded";
  if (input.tokenizer.normalization != Normalization::nfc) {
    words += ", normalize ";
    words += kNormalizations.word(input.tokenizer.normalization);
  }
  return words;
}

}  // namespace elmo
