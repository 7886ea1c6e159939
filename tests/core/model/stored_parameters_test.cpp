#include "core/model/stored_parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/kernels/convert.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

/// Returns the same parameters, each stored as `type`.
StoredParameters stored_as(FloatFormat type, const Parameters& parameters) {
  std::vector<ParameterValues> numbers;
  for (const Parameter& parameter : parameters.all()) {
    const auto halves = std::make_shared<std::vector<std::uint16_t>>(parameter.size());
    (type == FloatFormat::float16 ? to_float16 : to_bfloat16)(parameter.values, *halves);
    numbers.push_back({{halves, std::as_bytes(std::span(*halves)).data()}, type});
  }
  return {parameters.list(), std::move(numbers)};
}

/// Returns values that float16 and bfloat16 hold exactly.
Parameters short_parameters(const ModelOptions& options) {
  Parameters parameters(options);
  int next = 0;
  for (Parameter& parameter : parameters.all()) {
    for (float& value : parameter.values) value = static_cast<float>(next++ % 255 - 127) / 64.0F;
  }
  return parameters;
}

void check_reads(const StoredParameters& stored, const Parameters& expected) {
  CHECK(stored.count() == expected.count());
  for (std::size_t i = 0; i < expected.all().size(); ++i) {
    CAPTURE(expected[i].name);
    CHECK(stored.specs()[i].name == expected[i].name);
    CHECK(stored.specs()[i].shape == expected[i].shape);
    const std::span<const float> all(expected[i].values);
    AlignedVector<float> room;
    CHECK(std::ranges::equal(stored.values(i, room), all));
    const std::size_t first = all.size() / 3;
    AlignedVector<float> part(all.size() - first);
    stored.copy(i, first, part);
    CHECK(std::ranges::equal(part, all.subspan(first)));
    AlignedVector<float> pieces;
    stored.for_each_piece(i, [&](std::span<const float> piece) {
      pieces.insert(pieces.end(), piece.begin(), piece.end());
    });
    CHECK(std::ranges::equal(pieces, all));
  }
}

TEST_CASE("StoredParameters: the same numbers, however they are stored and read") {
  ModelOptions options = small_options();
  options.lstm.dim = 300;  // more numbers than a piece has
  const Parameters expected = short_parameters(options);
  check_reads(expected.values_only(), expected);
  for (const FloatFormat type : {FloatFormat::float16, FloatFormat::bfloat16}) {
    check_reads(stored_as(type, expected), expected);
  }
}

TEST_CASE("StoredParameters: a parameter that was taken is released, and the others stay") {
  const Parameters expected = short_parameters(small_options());
  StoredParameters stored = stored_as(FloatFormat::float16, expected);
  StoredParameters shared = stored;
  CHECK(stored.take(2) == expected[2].values);
  const Parameters copy = shared.to_parameters();
  for (std::size_t i = 0; i < expected.all().size(); ++i) {
    CHECK(copy[i].name == expected[i].name);
    CHECK(copy.list().specs[i].role == expected.list().specs[i].role);
    CHECK(copy[i].decays == expected[i].decays);
    CHECK(copy[i].values == expected[i].values);
  }
}

TEST_CASE("StoredParameters: memory is freed when its last parameter is released") {
  const Parameters expected = short_parameters(small_options());
  const auto file = std::make_shared<std::vector<float>>(expected.count());
  std::vector<ParameterValues> numbers(expected.all().size());
  for (ParameterValues& entry : numbers) {
    entry.bytes = {file, std::as_bytes(std::span(*file)).data()};
  }
  StoredParameters stored(expected.list(), std::move(numbers));
  AlignedVector<float> room;
  for (std::size_t i = 0; i < expected.all().size(); ++i) {
    CHECK(file.use_count() > 1);
    if (expected[i].shape.size() == 2) {
      CHECK(stored.pack(i, Precision::float32, room).columns() == expected[i].shape[1]);
    } else {
      stored.release(i);
    }
  }
  CHECK(file.use_count() == 1);
}

}  // namespace
}  // namespace elmo
