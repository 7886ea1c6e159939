#include "io/engine/run_settings.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

RunSettings mixed_settings() {
  RunSettings settings;
  settings.embed.layers = LayerSelection::mix;
  settings.embed.mix_weights = {0.5F, -1.0F, 2.0F};
  settings.embed.gamma = 1.5F;
  settings.embed.layer_norm = true;
  settings.embed.initial_state = InitialState::carry;
  settings.embed.lanes = 4;
  settings.embed.boundaries = true;
  settings.precision = Precision::bfloat16;
  settings.reading.format = InputFormat::tokens;
  settings.reading.tokenizer.locale = "de";
  settings.reading.tokenizer.contractions = ContractionMode::expand;
  settings.model = "elmo-tiny-en";
  return settings;
}

TEST_CASE("settings are read as they were stored") {
  const RunSettings settings = mixed_settings();
  Manifest manifest;
  manifest.options = settings_text(settings);
  const RunSettings read = run_settings(manifest, "run");
  CHECK(settings_text(read) == manifest.options);
  CHECK(read.embed.mix_weights == settings.embed.mix_weights);
  CHECK(read.embed.lanes == 4);
  CHECK(read.precision == Precision::bfloat16);
  CHECK(read.reading.tokenizer.contractions == ContractionMode::expand);
  CHECK(keeps_boundaries(manifest, "run"));
}

TEST_CASE("a run without its settings is refused") {
  const Manifest manifest;
  CHECK_THROWS_AS(run_settings(manifest, "run"), InputError);
  CHECK_THROWS_AS(keeps_boundaries(manifest, "run"), InputError);
}

TEST_CASE("components are derived from the settings") {
  const RunSettings settings = mixed_settings();
  CHECK(selected_layers(settings.embed) == "mix of weights 0.5 -1 2, gamma 1.5, layer norm");
  const Provenance components = computing_provenance(settings, ModelOptions{}, "0123");
  CHECK(component(components, "model") == "0123");
  CHECK(component(components, "precision") == "bfloat16");
  CHECK(component(components, "initial_state") == "carry, 4 lanes");
  CHECK(component(components, "missing").empty());
}

TEST_CASE("only runs with rows for all tokens can be mixed or searched") {
  Manifest manifest;
  CHECK_NOTHROW(require_all_tokens(manifest, "run"));
  CHECK_THROWS_AS(require_repeatable(manifest, mixed_settings(), "run"), InputError);
  manifest.provenance = {{shard_format::kPooling, "mean by document"}};
  CHECK_THROWS_AS(require_all_tokens(manifest, "run"), InputError);
}

}  // namespace
}  // namespace elmo
