#include "io/json/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace elmo {
namespace {

using Library = nlohmann::ordered_json;

std::string by_library(const Library& json, int indent) {
  return json.dump(indent, ' ', false, Library::error_handler_t::replace);
}

TEST_CASE("JSON is written as the library writes it") {
  const std::vector<float> numbers{0.1F, 1.0F, -0.0F, 1e-7F, 3e38F};
  const Json json = {{"text", "a\"\\\n\x01 \xC3\xA9 \xFF"},
                     {"numbers", numbers},
                     {"whole", {1, -1, std::uint64_t{1} << 63, std::numeric_limits<int>::min()}},
                     {"real", {0.1, 1e300, -2.5, 1.0, std::nan(""), INFINITY}},
                     {"empty", {Json::array(), Json::object(), "", nullptr}},
                     {"flags", {true, false}},
                     {"pairs", {{"a", 1}, {"b", {{"c", 2}}}}},
                     {"b\xC3", std::string("\0", 1)}};
  const Library library = {
      {"text", "a\"\\\n\x01 \xC3\xA9 \xFF"},
      {"numbers", numbers},
      {"whole", {1, -1, std::uint64_t{1} << 63, std::numeric_limits<int>::min()}},
      {"real", {0.1, 1e300, -2.5, 1.0, std::nan(""), INFINITY}},
      {"empty", {Library::array(), Library::object(), "", nullptr}},
      {"flags", {true, false}},
      {"pairs", {{"a", 1}, {"b", {{"c", 2}}}}},
      {"b\xC3", std::string("\0", 1)}};
  for (const int indent : {-1, 0, 1, 2}) CHECK(json.dump(indent) == by_library(library, indent));
}

TEST_CASE("numbers are written as the library writes them") {
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 10'000; ++i) {
    const double number =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 160);
    CHECK(Json(number).dump() == Library(number).dump());
  }
}

TEST_CASE("objects and arrays grow, and members keep their order") {
  Json json;
  json["b"] = 1;
  json["a"]["c"] = "x";
  json["b"] = 2;
  json["list"].push_back({1, 2});
  json["list"].push_back({{"key", nullptr}});
  CHECK(json.dump() == R"({"b":2,"a":{"c":"x"},"list":[[1,2],{"key":null}]})");
}

}  // namespace
}  // namespace elmo
