#include "cli/run/run_fingerprint.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cli/numbers/human.h"
#include "cli/run/component.h"
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

/// "words 2, list <hash>, match b.*, ignoring case".
std::string selection_text(const RowChoice& rows) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (rows.query && !rows.query->words.empty()) {
    Checksum list;
    for (const std::string& word : rows.query->words) list.add(word + '\0');
    add("words " + std::to_string(rows.query->words.size()) + ", list " + list.hex());
  }
  if (rows.query && !rows.query->expression.empty()) add("match " + rows.query->expression);
  if (rows.query && rows.query->ignore_case) add("ignoring case");
  if (rows.sample) {
    add("sample " + std::to_string(rows.sample->size) + ", seed " +
        std::to_string(rows.sample->seed));
  }
  return text;
}

/// "mean by document".
std::string pooling_text(const PoolOptions& pool) {
  return std::string(kPoolKinds.word(pool.kind)) + " by " + std::string(kPoolUnits.word(pool.unit));
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

RunFingerprint run_fingerprint(const EmbedRequest& request, const ShardOutput& output,
                               const ModelOptions& model, const std::string& model_hash) {
  const RowChoice rows = row_choice(output);
  const InputOptions input = reading(request);
  RunFingerprint fingerprint =
      computing_fingerprint(computing(request), request.precision, model, model_hash);
  fingerprint.insert(fingerprint.end(),
                     {{"max_sentence_tokens", std::to_string(request.max_sentence_tokens)},
                      {"tokenizer", to_string(describe_tokenizer(input))},
                      {"input_format", input_format_text(input)},
                      {"input", input_files_text(input)},
                      {"shard_size", std::to_string(output.shard_bytes)}});
  if (input.part) {
    fingerprint.emplace_back(shard_format::kInputSample,
                             input_sample(list_input_files(input.files, nullptr, input.written)));
  }
  if (rows.selected()) fingerprint.emplace_back(shard_format::kSelection, selection_text(rows));
  if (rows.pool) fingerprint.emplace_back(shard_format::kPooling, pooling_text(*rows.pool));
  return fingerprint;
}

std::string command_of(const Manifest& manifest) {
  return component(manifest.fingerprint, kMixedFrom).empty() ? "embed" : "mix";
}

}  // namespace elmo
