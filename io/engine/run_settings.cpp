#include "io/engine/run_settings.h"

#include <algorithm>
#include <cstdint>

#include "core/error.h"
#include "core/model/bilm.h"
#include "core/text.h"
#include "core/version.h"
#include "io/files/checksum.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/model/options.h"
#include "io/shard/format.h"
#include "io/text/input/input_files.h"
#include "io/text/segment/utf8.h"

namespace elmo {
namespace {

constexpr const char* kRunOptions = "the options of a run";

std::string initial_state(const EmbedOptions& options) {
  switch (options.initial_state) {
    case InitialState::zero:
      return "zero";
    case InitialState::warm:
      return "warm, text " + text_checksum(warm_text());
    case InitialState::carry:
      return "carry, " + human_count(static_cast<std::uint64_t>(options.lanes), "lane");
  }
  return {};
}

}  // namespace

std::string settings_text(const RunSettings& settings) {
  const EmbedOptions& embed = settings.embed;
  Json json = {{"layers", kLayerSelections.word(embed.layers)},
               {"initial_state", kInitialStates.word(embed.initial_state)},
               {"boundaries", embed.boundaries},
               {"precision", kPrecisions.word(settings.precision)},
               {"input_format", kInputFormats.word(settings.reading.format)},
               {"tokenizer", kTokenizerKinds.word(settings.reading.tokenizer.kind)},
               {"locale", settings.reading.tokenizer.locale},
               {"layer_norm", embed.layer_norm}};
  if (embed.layers == LayerSelection::mix) {
    json["mix_weights"] = embed.mix_weights;
    json["gamma"] = embed.gamma;
  }
  if (embed.initial_state == InitialState::carry) json["lanes"] = embed.lanes;
  const std::string& rules = settings.reading.tokenizer.rules;
  if (!rules.empty()) json["rule_file"] = rules;
  const ContractionMode contractions = settings.reading.tokenizer.contractions;
  if (contractions == ContractionMode::expand) {
    json["contractions"] = kContractionModes.word(contractions);
  }
  const TokenizerSettings& tokenizer = settings.reading.tokenizer;
  json["normalize"] =
      kNormalizations.word(is_segmented(settings.reading.format) ? tokenizer.normalization
                                                                 : tokenizer.token_normalization);
  if (!settings.model.empty()) json["model"] = settings.model;
  return json.dump();
}

RunSettings run_settings(const Manifest& manifest, const std::string& name) {
  const JsonDocument options(manifest.options, name + ": options", kRunOptions);
  RunSettings settings;
  EmbedOptions& embed = settings.embed;
  embed.layers = options["layers"].choice(kLayerSelections);
  embed.initial_state = options["initial_state"].choice(kInitialStates);
  embed.boundaries = options["boundaries"].flag();
  embed.layer_norm = options["layer_norm"].flag();
  if (embed.layers == LayerSelection::mix) {
    for (const JsonNode& weight : options["mix_weights"].elements()) {
      embed.mix_weights.push_back(weight.float_number());
    }
    embed.gamma = options["gamma"].float_number();
  }
  if (embed.initial_state == InitialState::carry) {
    embed.lanes = static_cast<int>(options["lanes"].whole(1, 1 << 30));
  }
  settings.precision = options["precision"].choice(kPrecisions);
  settings.reading.format = options["input_format"].choice(kInputFormats);
  TokenizerSettings& tokenizer = settings.reading.tokenizer;
  tokenizer.locale = options["locale"].text();
  tokenizer.kind = options["tokenizer"].choice(kTokenizerKinds);
  if (options["rule_file"].is_there()) tokenizer.rules = options["rule_file"].text();
  if (options["contractions"].is_there()) {
    tokenizer.contractions = options["contractions"].choice(kContractionModes);
  }
  // Runs of version 0.9 do not record it.
  tokenizer.normalization = options["normalize"].is_there()
                                ? options["normalize"].choice(kNormalizations)
                                : Normalization::none;
  tokenizer.token_normalization = tokenizer.normalization;
  if (options["model"].is_there()) settings.model = options["model"].text();
  return settings;
}

bool keeps_boundaries(const Manifest& manifest, const std::string& name) {
  const JsonDocument options(manifest.options, name + ": options", kRunOptions);
  return options["boundaries"].flag();
}

void require_complete(const Manifest& manifest, const std::string& name) {
  if (manifest.complete()) return;
  throw InputError(name + ": the run has not ended; " + continued_by(manifest));
}

void require_all_tokens(const Manifest& manifest, const std::string& name) {
  for (const char* kind : {shard_format::kSelection, shard_format::kPooling}) {
    const std::string found = component(manifest.provenance, kind);
    if (found.empty()) continue;
    throw InputError(name + ": its " + kind + " is " + found +
                     "; expected a run with the vectors of all tokens");
  }
}

void require_repeatable(const Manifest& manifest, const RunSettings& settings,
                        const std::string& name) {
  require_all_tokens(manifest, name);
  if (settings.embed.initial_state != InitialState::carry) return;
  throw InputError(name + ": initial_state is " + component(manifest.provenance, "initial_state") +
                   "; expected zero or warm, which do not depend on other sentences");
}

std::string selected_layers(const EmbedOptions& options) {
  std::string text(kLayerSelections.word(options.layers));
  if (options.layers == LayerSelection::mix) {
    text += " of weights";
    for (const float weight : options.mix_weights) text += ' ' + number_text(weight);
    if (options.mix_weights.empty()) text += " all equal";
    text += ", gamma " + number_text(options.gamma);
  }
  const bool mixed =
      options.layers == LayerSelection::average || options.layers == LayerSelection::mix;
  return text + (mixed && options.layer_norm ? ", layer norm" : "");
}

Provenance computing_provenance(const RunSettings& settings, const ModelOptions& model,
                                const std::string& model_hash) {
  return {{kToolVersion, std::string(version())},
          {"model", model_hash},
          {"model_options", options_description(model)},
          {"precision", std::string(kPrecisions.word(settings.precision))},
          {"selected_layers", selected_layers(settings.embed)},
          {"initial_state", initial_state(settings.embed)}};
}

void require_no_vectors(const std::filesystem::path& folder) {
  if (!is_there(folder / shard_format::kManifest)) return;
  throw RequestError(folder.string() + " holds vectors (" + shard_format::kManifest +
                     "); choose another folder");
}

Message continued_by(const Manifest& manifest) {
  if (component(manifest.provenance, shard_format::kSelection).find("sample ") !=
      std::string::npos) {
    return "embed " + Setting{"overwrite"} + " draws its sample anew";
  }
  const bool mixed = !component(manifest.provenance, kMixedFrom).empty();
  return (mixed ? "mix " : "embed ") + Setting{"resume"} + " continues it";
}

std::string input_format_text(const InputOptions& input) {
  std::string text(kInputFormats.word(input.format));
  if (is_segmented(input.format) && input.lines) text += ", lines";
  if (input.format == InputFormat::vertical) {
    text += ", word column " + std::to_string(input.word_column);
  }
  if (input.format == InputFormat::jsonl) {
    text += ", text field " + input.text_field + ", id field " + input.id_field;
    if (input.skip_bad_records) text += ", bad records left out";
  }
  return text;
}

std::string input_files_text(const FileList& files) {
  Checksum list;
  std::uint64_t bytes = 0;
  for (const InputFile& file : files) {
    const std::uint64_t size = file.size.value_or(0);  // not known for pipes
    bytes += size;
    list.add(file.path + '\0' + std::to_string(size) + '\0');
  }
  const std::string text =
      files.size() == 1 ? escaped_name(files.path(0)) : human_count(files.size(), "file");
  return text + ", " + human_count(bytes, "byte") + ", list " + list.hex();
}

}  // namespace elmo
