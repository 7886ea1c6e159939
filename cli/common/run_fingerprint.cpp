#include "cli/common/run_fingerprint.h"

#include <cstdint>

#include "cli/common/human.h"
#include "core/model/bilm.h"
#include "core/version.h"
#include "io/files/checksum.h"
#include "io/json/json.h"
#include "io/model/options.h"

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

}  // namespace

Provenance computing_fingerprint(const EmbedOptions& options, Precision precision,
                                 const ModelOptions& model, const std::string& model_hash) {
  return {{"tool_version", std::string(version())},
          {"model", model_hash},
          {"model_options", options_description(model)},
          {"precision", std::string(kPrecisions.word(precision))},
          {"selected_layers", selected_layers(options)},
          {"initial_state", initial_state(options)}};
}

std::string command_of(const Manifest& manifest) {
  return component(manifest.provenance, kMixedFrom).empty() ? "embed" : "mix";
}

}  // namespace elmo
