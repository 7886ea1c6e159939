// The pipeline, compared with results of other implementations.
#include "tests/io/fixtures/published.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/model/model.h"
#include "tests/core/inference/collect.h"
#include "tests/core/tolerances.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

CollectingSink carry_on(const LoadedModel& loaded, const PublishedFixture& fixture,
                        LayerSelection layers) {
  StoredParameters parameters = loaded.parameters;
  const Bilm model(loaded.options, std::move(parameters), Precision::float32);
  RunOptions options;
  options.layers = layers;
  options.initial_state = InitialState::carry;
  options.lanes = fixture.lanes;
  options.batch_tokens = 100;  // several batches, so that state is carried between them
  return embed_all(model, fixture.sentences, options);
}

TEST_CASE("the top layer matches other implementations, with carried state") {
  for (const PublishedFixture& fixture : published_fixtures()) {
    CAPTURE(fixture.name);
    const CollectingSink sink = carry_on(load_model(fixture.model), fixture, LayerSelection::top);
    double largest = 0;
    REQUIRE(sink.activations.size() == fixture.top.size());
    for (std::size_t s = 0; s < fixture.top.size(); ++s) {
      std::size_t place = 0;
      for (const auto& token : fixture.top[s]) {
        for (const float value : token) {
          REQUIRE(place < sink.activations[s].size());
          largest =
              std::max(largest, std::fabs(double{value} - double{sink.activations[s][place++]}));
        }
      }
      CHECK(place == sink.activations[s].size());
    }
    MESSAGE(fixture.name << ": largest difference " << largest);
    CHECK(largest < kPublishedTolerance);
  }
}

TEST_CASE("all layers of published models follow the equations") {
  for (const PublishedFixture& fixture : published_fixtures()) {
    CAPTURE(fixture.name);
    const LoadedModel loaded = load_model(fixture.model);
    const CollectingSink sink = carry_on(loaded, fixture, LayerSelection::all);
    const ReferenceBilm reference(loaded.options,
                                  StoredParameters(loaded.parameters).to_parameters());
    std::vector<ReferenceState> states(static_cast<std::size_t>(fixture.lanes),
                                       reference.zero_state());
    double largest = 0;
    for (std::size_t s = 0; s < fixture.sentences.size(); ++s) {
      std::size_t place = 0;
      for (const auto& token :
           reference.activations(fixture.sentences[s], states[s % states.size()], false)) {
        for (const auto& row : token) {
          for (const double value : row) {
            REQUIRE(place < sink.activations[s].size());
            largest = std::max(largest, std::fabs(value - double{sink.activations[s][place++]}));
          }
        }
      }
    }
    MESSAGE(fixture.name << ": largest difference " << largest);
    CHECK(largest < kFloat32Tolerance);
  }
}

}  // namespace
}  // namespace elmo
