#include "cli/common/run_settings.h"

#include "cli/common/run_fingerprint.h"
#include "core/error.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/shard/format.h"

namespace elmo {

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
  if (!settings.model.empty()) json["model"] = settings.model;
  return json.dump();
}

RunSettings run_settings(const Manifest& manifest, const std::string& name) {
  if (manifest.options.empty()) {
    throw InputError(
        name +
        ": its manifest does not say how it was made, as that of version 0.6; expected "
        "a run of this version");
  }
  const JsonDocument options(manifest.options, name + ": options", "the options of a run");
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
  // Runs of version 0.7 do not record it.
  if (options["tokenizer"].is_there()) {
    tokenizer.kind = options["tokenizer"].choice(kTokenizerKinds);
  }
  if (options["rule_file"].is_there()) tokenizer.rules = options["rule_file"].text();
  if (options["model"].is_there()) settings.model = options["model"].text();
  return settings;
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
                   "; expected one that a sentence alone begins from: zero or warm");
}

}  // namespace elmo
