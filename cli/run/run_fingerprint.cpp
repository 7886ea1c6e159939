#include "cli/run/run_fingerprint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>

#include "cli/flags/ranges.h"
#include "cli/human.h"
#include "cli/run/input_fingerprint.h"
#include "core/error.h"
#include "core/model/start_state.h"
#include "core/version.h"
#include "io/files/checksum.h"
#include "io/json/number_text.h"
#include "io/model/published/options.h"
#include "io/shard/format/format.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/source/input_sample.h"

namespace elmo {

std::string selected_layers(const EmbedOptions& options) {
  std::string text;
  switch (options.layers) {
    case LayerSelection::all:
      return "all";
    case LayerSelection::top:
      return "top";
    case LayerSelection::average:
      text = "average";
      break;
    case LayerSelection::mix:
      text = "mix of weights";
      for (const float weight : options.mix_weights) text += ' ' + number_text(weight);
      if (options.mix_weights.empty()) text += " all equal";
      text += ", gamma " + number_text(options.gamma);
      break;
  }
  return text + (options.layer_norm ? ", layer norm" : "");
}

namespace {

std::string initial_state(const EmbedOptions& options) {
  switch (options.initial_state) {
    case InitialState::zero:
      return "zero";
    case InitialState::warm: {
      Checksum text;
      text.add(warm_text());
      return "warm, text " + text.hex();
    }
    case InitialState::carry:
      return "carry, " + human_count(static_cast<std::uint64_t>(options.lanes), "lane");
  }
  return {};
}

/// The options that selected_layers() tells so; nothing where it would not.
std::optional<EmbedOptions> options_of_layers(const std::string& text) {
  EmbedOptions options;
  std::string rest = text;
  const auto remove_end = [&](const std::string& end) {
    const bool there = rest.ends_with(end);
    if (there) rest.resize(rest.size() - end.size());
    return there;
  };
  options.layer_norm = remove_end(", layer norm");
  const std::string mix = "mix of weights ";
  if (rest == "top") options.layers = LayerSelection::top;
  if (rest == "average") options.layers = LayerSelection::average;
  if (rest.starts_with(mix)) {
    options.layers = LayerSelection::mix;
    const std::size_t end = std::min(rest.find(','), rest.size());
    std::istringstream weights(rest.substr(mix.size(), end - mix.size()));
    for (std::string weight; weights >> weight;) {
      if (const auto number = finite_number(weight)) options.mix_weights.push_back(*number);
    }
    const std::size_t gamma = rest.rfind(' ');
    options.gamma = finite_number(rest.substr(gamma + 1)).value_or(1.0F);
  }
  return selected_layers(options) == text ? std::optional(options) : std::nullopt;
}

/// The options of the tokenizer that describe_tokenizer tells of.
InputOptions reading_of(const std::string& tokenizer) {
  InputOptions reading;
  if (!tokenizer.starts_with("icu")) {
    reading.format = InputFormat::tokens;
    return reading;
  }
  const std::string locale = "locale ";
  if (const std::size_t at = tokenizer.find(locale); at != std::string::npos) {
    const std::size_t begin = at + locale.size();
    reading.locale = tokenizer.substr(begin, tokenizer.find(',', begin) - begin);
  }
  if (reading.locale == "root") reading.locale.clear();
  return reading;
}

}  // namespace

RunFingerprint computing_fingerprint(const EmbedOptions& options, Precision precision,
                                     const ModelOptions& model, const std::string& model_hash) {
  return {{"tool_version", std::string(version())},
          {"model", model_hash},
          {"model_options", options_description(model)},
          {"precision", std::string(kPrecisions.word(precision))},
          {"selected_layers", selected_layers(options)},
          {"initial_state", initial_state(options)}};
}

RunFingerprint run_fingerprint(const EmbedFlags& flags, const ModelOptions& model,
                               const std::string& model_hash) {
  RunFingerprint fingerprint =
      computing_fingerprint(flags.embed, flags.precision, model, model_hash);
  fingerprint.insert(fingerprint.end(),
                     {{"max_sentence_tokens", std::to_string(flags.max_sentence_tokens)},
                      {"tokenizer", to_string(describe_tokenizer(flags.input))},
                      {"input_format", input_format_text(flags.input)},
                      {"input", input_files_text(flags.input)},
                      {"shard_size", std::to_string(flags.shard_bytes)}});
  if (flags.input.part) {
    fingerprint.emplace_back(
        shard_format::kInputSample,
        input_sample(list_input_files(flags.input.files, nullptr, flags.input.written)));
  }
  if (flags.selection.any()) {
    fingerprint.emplace_back(shard_format::kSelection, selection_text(flags.selection));
  }
  if (flags.embed.pool) {
    fingerprint.emplace_back(shard_format::kPooling, pooling_text(*flags.embed.pool));
  }
  return fingerprint;
}

std::string component(const RunFingerprint& fingerprint, const std::string& name) {
  for (const auto& [other, value] : fingerprint) {
    if (other == name) return value;
  }
  return "";
}

std::string command_of(const Manifest& manifest) {
  return component(manifest.fingerprint, kMixedFrom).empty() ? "embed" : "mix";
}

void require_all_tokens(const Manifest& manifest, const std::string& name) {
  for (const char* kind : {shard_format::kSelection, shard_format::kPooling}) {
    const std::string found = component(manifest.fingerprint, kind);
    if (found.empty()) continue;
    throw InputError(name + ": its " + kind + " is " + found +
                     "; expected a run with the vectors of all tokens");
  }
}

RunSettings run_settings(const Manifest& manifest, const std::string& name) {
  const auto refuse_run = [&](const std::string& what, const std::string& expected) {
    const std::string found = component(manifest.fingerprint, what);
    throw InputError(name + ": " + what + " is " + (found.empty() ? "absent" : found) +
                     "; expected " + expected);
  };
  require_all_tokens(manifest, name);
  RunSettings settings;
  const auto layers = options_of_layers(component(manifest.fingerprint, "selected_layers"));
  if (!layers) refuse_run("selected_layers", "layers that this version selects");
  settings.embed = *layers;
  const std::string state = component(manifest.fingerprint, "initial_state");
  settings.embed.initial_state = state == "zero" ? InitialState::zero : InitialState::warm;
  if (initial_state(settings.embed) != state) {
    refuse_run("initial_state", "one that a sentence alone begins from: zero or warm");
  }
  settings.embed.boundaries = component(manifest.fingerprint, shard_format::kBoundaries) == "kept";
  const auto precision = kPrecisions.find(component(manifest.fingerprint, "precision"));
  if (!precision) refuse_run("precision", "one of " + kPrecisions.words());
  settings.precision = *precision;
  settings.reading = reading_of(component(manifest.fingerprint, "tokenizer"));
  return settings;
}

}  // namespace elmo
