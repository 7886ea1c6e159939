#include "io/json/json_document.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "core/error.h"

namespace elmo {
namespace {

enum class Fruit { apple, pear };

constexpr auto kFruits = enum_table<Fruit>({{"apple", Fruit::apple}, {"pear", Fruit::pear}});

std::string refusal_of(const std::string& text,
                       const std::function<void(const JsonDocument&)>& read) {
  try {
    read(JsonDocument(text, "f.json", "settings"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

std::string refusal_of(const std::string& text) {
  return refusal_of(text, [](const JsonDocument&) {});
}

TEST_CASE("a document is read by its keys") {
  const JsonDocument json(
      R"({"a": {"b": [1, -2, 3.0, 18446744073709551615, 0.5]}, "t": "x", "f": true, "n": null,
          "pear": "pear", "names": {"k": "v", "l": "w"}})",
      "f.json", "settings");
  const std::vector<JsonNode> numbers = json["a"]["b"].elements();
  REQUIRE(numbers.size() == 5);
  CHECK(numbers[0].whole(1, 1) == 1);
  CHECK(numbers[1].whole() == -2);
  CHECK(numbers[2].whole() == 3);
  CHECK(numbers[2].count() == 3);
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  CHECK(numbers[3].count(kAny) == kAny);
  CHECK(numbers[4].number() == 0.5);
  CHECK(numbers[0].float_number(0, 1) == 1.0F);
  CHECK(json["t"].text() == "x");
  CHECK(json["f"].flag());
  CHECK(json["pear"].choice(kFruits) == Fruit::pear);
  CHECK(json["names"].named_texts().back() == std::pair<std::string, std::string>{"l", "w"});
  CHECK_FALSE(json["n"].is_there());
  CHECK(json["n"].is_null());
  CHECK_FALSE(json["nothing"].is_there());
  CHECK_FALSE(json["nothing"].is_null());
}

TEST_CASE("a mistake is named with its file, path, the value found and the value expected") {
  const std::string text = R"({"a": {"b": [1, "x", {"c": 2.5}]}, "big": 18446744073709551615})";
  const auto says = [&](const std::function<void(const JsonDocument&)>& read,
                        const std::string& message) { CHECK(refusal_of(text, read) == message); };
  says([](const auto& json) { json["a"]["b"].elements()[1].whole(); },
       "f.json: a.b[1] is \"x\"; expected a whole number");
  says([](const auto& json) { json["a"]["b"].elements()[2]["c"].whole(-1, 9); },
       "f.json: a.b[2].c is 2.5; expected a whole number from -1 to 9");
  says([](const auto& json) { json["a"]["b"].elements()[2]["d"].text(); },
       "f.json: a.b[2].d is missing; expected a string");
  says([](const auto& json) { json["a"]["b"]["c"].text(); },
       "f.json: a.b is an array; expected an object");
  says([](const auto& json) { json["x"]["y"].text(); }, "f.json: x is missing; expected an object");
  says([](const auto& json) { json["a"].number(); }, "f.json: a is an object; expected a number");
  says([](const auto& json) { json["big"].count(); },
       "f.json: big is 18446744073709551615; expected a whole number from 0 to "
       "4611686018427387904");
  says([](const auto& json) { json["big"].whole(); },
       "f.json: big is 18446744073709551615; expected a whole number");
  says([](const auto& json) { json["big"].choice(kFruits); },
       "f.json: big is 18446744073709551615; expected one of apple, pear");
  says([](const auto& json) { json["big"].float_number(0); }, "read");
  says([](const auto& json) { json["big"].number(0, 1); },
       "f.json: big is 18446744073709551615; expected a number from 0 to 1");
}

TEST_CASE("text that is not JSON is refused, and deep nesting is not followed") {
  CHECK(refusal_of("") == "f.json: is not JSON at byte 1; expected settings");
  CHECK(refusal_of("{\"a\": }") == "f.json: is not JSON at byte 7; expected settings");
  CHECK(refusal_of("{} x") == "f.json: is not JSON at byte 4; expected settings");
  CHECK(refusal_of("[\"\xFF\"]").starts_with("f.json: is not JSON at byte"));
  CHECK(refusal_of("1e999").starts_with("f.json: is not JSON at byte"));
  CHECK(refusal_of("[1]", [](const JsonDocument& json) { json["a"].text(); }) ==
        "f.json: holds [1]; expected settings");
  CHECK(refusal_of(R"({"a": {"b": 1, "c": 2, "b": 3}})") ==
        "f.json: the key \"b\" is there twice; expected settings");
  CHECK(refusal_of(std::string(32, '[') + std::string(32, ']')) == "read");
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int level = 0; level < 1'000'000; ++level) deep += open;
    CHECK(refusal_of(deep) == "f.json: nests deeper than 32 levels; expected settings");
  }
}

TEST_CASE("only the beginning of a long value is shown") {
  const std::string text = "{\"a\": \"" + std::string(100'000, 'x') + "\"}";
  CHECK(refusal_of(text, [](const JsonDocument& json) { json["a"].count(); }).size() < 200);
}

}  // namespace
}  // namespace elmo
