// Models of ELMoForManyLangs, compared with the results of the original program.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/h5/reader.h"
#include "io/model/model.h"
#include "tests/core/inference/collect.h"
#include "tests/io/fixtures/published.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> fixtures() {
  const std::optional<fs::path> data = reference_data();
  if (!data) return std::nullopt;
  if (fs::exists(*data / "fixtures" / "hit")) return *data / "fixtures" / "hit";
  MESSAGE("skipped: there is no fixtures/hit among the reference data");
  return std::nullopt;
}

Sentences sentences(const fs::path& folder) {
  std::ifstream file(folder / "sentences.json");
  return nlohmann::json::parse(file).get<Sentences>();
}

/// Returns the original program's result for sentence `number`: [layer][token][2P].
struct Expected {
  std::vector<double> values;
  std::size_t tokens = 0;
  std::size_t width = 0;

  double at(std::size_t layer, std::size_t token, std::size_t i) const {
    return values[(layer * tokens + token) * width + i];
  }
};

Expected expected(const h5::Reader& file, std::size_t number) {
  const h5::Dataset dataset = file.dataset(std::to_string(number));
  std::vector<float> values(dataset.info().count());
  dataset.read(std::span<float>(values));
  return {{values.begin(), values.end()}, dataset.info().shape.at(1), dataset.info().shape.at(2)};
}

/// Returns the largest difference of the activations in `found` (rows x, forward_1, backward_1, …)
/// from a file; found[i] belongs to sentence order[i].
double largest_difference(const CollectingSink& found, const fs::path& path,
                          const std::vector<std::size_t>& order, std::int64_t rows) {
  const h5::Reader file(path);
  double largest = 0.0;
  REQUIRE(found.activations.size() == order.size());
  for (std::size_t s = 0; s < order.size(); ++s) {
    const Expected sentence = expected(file, order[s]);
    const std::size_t half = sentence.width / 2;
    const auto row_count = static_cast<std::size_t>(rows);
    REQUIRE(found.activations[s].size() == sentence.tokens * row_count * half);
    for (std::size_t t = 0; t < sentence.tokens; ++t) {
      for (std::size_t row = 0; row < row_count; ++row) {
        const std::size_t layer = (row + 1) / 2;
        const std::size_t first = row > 0 && row % 2 == 0 ? half : 0;
        for (std::size_t i = 0; i < half; ++i) {
          const double value = found.activations[s][(t * row_count + row) * half + i];
          largest = std::max(largest, std::abs(value - sentence.at(layer, t, first + i)));
        }
      }
    }
  }
  return largest;
}

std::vector<std::size_t> in_order(std::size_t count) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  return order;
}

CollectingSink compute(const fs::path& folder, const Sentences& text, RunOptions options,
                       Precision precision = Precision::float32) {
  LoadedModel loaded = load_model(locate_model(folder));
  const Bilm model(loaded.options, std::move(loaded.parameters), precision,
                   std::move(loaded.lexicon));
  options.layers = LayerSelection::all;
  options.batch_tokens = 100;
  return embed_all(model, text, options);
}

std::int64_t rows_of(const fs::path& folder) {
  return load_model(locate_model(folder)).options.activation_rows();
}

struct Fixture {
  std::string model;
  std::string expected;  ///< the model with the same activations
};

const std::array<Fixture, 6> kFixtures{{{"full", "full"},
                                        {"chars", "chars"},
                                        {"zip", "zip"},
                                        {"words", "words"},
                                        {"cuda", "full"},
                                        {"views", "full"}}};

TEST_CASE("every layer matches ELMoForManyLangs, from the zero state") {
  const std::optional<fs::path> folder = fixtures();
  if (!folder) return;
  const Sentences text = sentences(*folder);
  for (const auto& [model, activations] : kFixtures) {
    CAPTURE(model);
    const CollectingSink found = compute(*folder / model, text, {});
    const std::int64_t rows = rows_of(*folder / model);
    const double largest =
        largest_difference(found, *folder / activations / "zero64.h5", in_order(text.size()), rows);
    const double single =
        largest_difference(found, *folder / activations / "zero.h5", in_order(text.size()), rows);
    MESSAGE(model << ": largest difference " << largest << " from float64, " << single
                  << " from float32");
    // The character-level model has long sums. Rounding them in another order, as other instruction
    // sets do, changes float32 activations by up to 3e-5.
    CHECK(largest < (model == "chars" ? 5e-5 : 5e-6));
    CHECK(single < (model == "chars" ? 5e-5 : 5e-6));
  }
}

TEST_CASE("with carried state, every layer matches ELMoForManyLangs") {
  const std::optional<fs::path> folder = fixtures();
  if (!folder) return;
  const Sentences text = sentences(*folder);
  for (const auto& [model, activations] : kFixtures) {
    if (model != activations) continue;
    CAPTURE(model);
    const fs::path file = *folder / activations / "stateful.h5";
    std::vector<std::size_t> order;
    Sentences ordered;
    // The order in which the original program, with its seed, computed the sentences, in batches
    // of 8.
    for (const std::size_t s : {17U, 18U, 19U, 6U, 7U, 10U, 12U, 16U, 22U, 23U, 20U, 0U, 24U,
                                4U,  5U,  9U,  2U, 3U, 13U, 14U, 8U,  11U, 15U, 1U,  21U}) {
      order.push_back(s);
      ordered.push_back(text[s]);
    }
    RunOptions options;
    options.initial_state = InitialState::carry;
    options.lanes = 8;
    const double largest = largest_difference(compute(*folder / model, ordered, options), file,
                                              order, rows_of(*folder / model));
    MESSAGE(model << ": largest difference " << largest);
    // The carried state accumulates the rounding of several sentences: up to 5.2e-5 with AVX2.
    CHECK(largest < (model == "chars" ? 1e-4 : 2e-5));
  }
}

}  // namespace
}  // namespace elmo
