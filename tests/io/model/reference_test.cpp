// The independent reference, compared with results of other implementations.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "io/model/model.h"
#include "tests/fixtures/models.h"
#include "tests/io/fixtures/published.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

TEST_CASE("the reference matches other implementations, with carried state") {
  for (const PublishedFixture& fixture : published_fixtures()) {
    CAPTURE(fixture.name);
    LoadedModel model = load_model(fixture.model);
    const ReferenceBilm bilm(model.options, model.parameters.to_parameters());
    const auto lanes = static_cast<std::size_t>(fixture.lanes);
    CHECK(lanes == 3);
    CHECK(fixture.sentences.size() == 30);
    std::vector<ReferenceState> states(lanes, bilm.zero_state());
    double worst = 0.0;
    for (std::size_t i = 0; i < fixture.sentences.size(); ++i) {
      const auto top =
          reference_top(bilm.activations(fixture.sentences[i], states[i % lanes], false));
      REQUIRE(top.size() == fixture.top[i].size());
      for (std::size_t k = 0; k < top.size(); ++k) {
        REQUIRE(top[k].size() == fixture.top[i][k].size());
        for (std::size_t d = 0; d < top[k].size(); ++d) {
          worst = std::max(worst, std::abs(top[k][d] - static_cast<double>(fixture.top[i][k][d])));
        }
      }
    }
    MESSAGE(fixture.name << ": largest difference " << worst);
    CHECK(worst < 2e-6);
  }
}

TEST_CASE("a token's ids are its bytes, framed, padded and cut") {
  using Ids = std::vector<int>;
  CHECK(reference_char_ids("ab", 6) == Ids{258, 'a', 'b', 259, 260, 260});
  CHECK(reference_char_ids("é", 5) == Ids{258, 0xC3, 0xA9, 259, 260});
  CHECK(reference_char_ids("abcd", 6) == Ids{258, 'a', 'b', 'c', 'd', 259});
  CHECK(reference_char_ids("abcdef", 6) == Ids{258, 'a', 'b', 'c', 'd', 259});
  CHECK(reference_char_ids("", 3) == Ids{258, 259, 260});
}

TEST_CASE("every shape of model computes finite activations of the right shape") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters = random_parameters(model.options, 1);
    const ReferenceBilm bilm(model.options, parameters, model_words(model.options));
    for (const auto& sentence : random_sentences(3, 6, 2)) {
      ReferenceState state = bilm.zero_state();
      const ReferenceActivations activations = bilm.activations(sentence, state, true);
      REQUIRE(activations.size() == sentence.size() + 2);
      for (const auto& rows : activations) {
        REQUIRE(static_cast<std::int64_t>(rows.size()) == model.options.activation_rows());
        for (const auto& row : rows) {
          REQUIRE(static_cast<std::int64_t>(row.size()) == model.options.lstm.projection_dim);
          CHECK(std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); }));
        }
      }
    }
  }
}

TEST_CASE("random parameters exceed clips, if there are any") {
  const auto largest = [](const std::string& name) {
    const ModelOptions options = model_case(name);
    const Parameters parameters = random_parameters(options, 1);
    const ReferenceBilm bilm(options, parameters);
    ReferenceState state = bilm.zero_state();
    double most = 0.0;
    for (const auto& sentence : random_sentences(10, 10, 3)) {
      for (const auto& rows : bilm.activations(sentence, state, false)) {
        for (const double x : rows[1]) most = std::max(most, std::abs(x));
      }
    }
    return most;
  };
  CHECK(largest("as published") == 0.5);
  CHECK(largest("no clips") > 0.6);
}

TEST_CASE("a carried state changes later sentences, and a warm start equals carrying on") {
  const ModelOptions options = small_options();
  const Parameters parameters = random_parameters(options, 4);
  const ReferenceBilm bilm(options, parameters);
  const std::vector<std::string> first{"one", "two"};
  const std::vector<std::string> second{"three"};
  ReferenceState carried = bilm.zero_state();
  bilm.activations(first, carried, false);
  ReferenceState again = carried;
  ReferenceState cold = bilm.zero_state();
  const auto after = bilm.activations(second, carried, false);
  CHECK(after == bilm.activations(second, again, false));
  CHECK(after != bilm.activations(second, cold, false));
}

TEST_CASE("mixes weigh the layers as in the paper") {
  // One token, P = 1, L = 1: h_0 = [2, 2], h_1 = [4, 6].
  const ReferenceActivations activations{{{2.0}, {4.0}, {6.0}}};
  CHECK(reference_top(activations) == std::vector<std::vector<double>>{{4.0, 6.0}});
  CHECK(reference_average(activations, false) == std::vector<std::vector<double>>{{3.0, 4.0}});
  const auto mix = reference_mix(activations, {std::log(3.0), 0.0}, 10.0, false);
  CHECK(mix[0][0] == doctest::Approx(25.0));
  CHECK(mix[0][1] == doctest::Approx(30.0));
  // Normalized, h_0 is [0, 0] and h_1 is [-1, 1].
  const auto normalized = reference_mix(activations, {0.0, 0.0}, 2.0, true);
  CHECK(normalized[0][0] == doctest::Approx(-1.0));
  CHECK(normalized[0][1] == doctest::Approx(1.0));
}

}  // namespace
}  // namespace elmo
