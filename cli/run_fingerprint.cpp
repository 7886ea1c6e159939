#include "cli/run_fingerprint.h"

#include <cstdint>

#include "cli/input_fingerprint.h"
#include "cli/report/human.h"
#include "core/model/start_state.h"
#include "core/version.h"
#include "io/files/checksum.h"
#include "io/model/published/options.h"
#include "io/number_text.h"

namespace elmo {
namespace {

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

}  // namespace

RunFingerprint computing_fingerprint(const EmbedOptions& options, Precision precision,
                                     const ModelOptions& model, const std::string& model_hash) {
  return {{"tool_version", std::string(version())},
          {"model", model_hash},
          {"model_options", options_text(model)},
          {"precision", std::string(to_string(precision))},
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
  return fingerprint;
}

}  // namespace elmo
