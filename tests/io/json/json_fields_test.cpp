#include "io/json/json_fields.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace elmo {
namespace {

std::vector<JsonField> fields(std::string_view json) {
  const std::vector<std::string> names{"text", "id", "tokens"};
  return parse_json_fields(json, names);
}

TEST_CASE("requested fields are read, others only parsed") {
  const auto found = fields(R"({"other": {"text": [1, {}]}, "id": 12345678901234567890,
                               "tokens": ["a", 2.50], "text": "B\u00e4r"})");
  CHECK(found[0].kind == JsonField::Kind::text);
  CHECK(found[0].text == "Bär");
  CHECK(found[1].kind == JsonField::Kind::number);
  CHECK(found[1].text == "12345678901234567890");
  CHECK(found[2].kind == JsonField::Kind::list);
  CHECK(found[2].list == std::vector<std::string>{"a", "2.50"});
}

TEST_CASE(
    "a list of lists is read with the end of each list, and deeper or mixed lists are refused") {
  const auto tokens = [](const std::string& value) {
    return fields("{\"tokens\": " + value + ", \"more\": [[[\"x\"]]]}")[2];
  };
  const JsonField found = tokens(R"([["a", "b"], [], [3]])");
  CHECK(found.kind == JsonField::Kind::lists);
  CHECK(found.list == std::vector<std::string>{"a", "b", "3"});
  CHECK(found.list_ends == std::vector<std::size_t>{2, 2, 3});
  CHECK(tokens("[[]]").list_ends == std::vector<std::size_t>{0});
  CHECK(tokens("[]").kind == JsonField::Kind::list);
  for (const char* other : {R"(["a", ["b"]])", R"([["a"], "b"])", R"([[], 1])", R"([[["a"]]])",
                            R"([["a", null]])", R"([["a"], null])", R"([["a", true]])",
                            R"([{"a": ["b"]}])", R"([["a"], {}])", R"([[["a"], "b"]])"}) {
    CAPTURE(other);
    CHECK(tokens(other).kind == JsonField::Kind::other);
  }
}

TEST_CASE("missing fields and null are absent, and the last of duplicates counts") {
  const auto found = fields(R"({"text": null, "id": "a", "id": {"b": 1}})");
  CHECK(found[0].kind == JsonField::Kind::absent);
  CHECK(found[1].kind == JsonField::Kind::other);
  CHECK(std::string(found[1].found) == "an object");
  CHECK_THROWS_WITH_AS(refuse_field(found[1], "id", "a string"),
                       "found an object in the field 'id'; expected a string", InputError);
  CHECK_THROWS_WITH_AS(refuse_field(found[0], "text", "a string"),
                       "found null in the field 'text'; expected a string", InputError);
  CHECK_THROWS_WITH_AS(refuse_field(found[2], "tokens", "a list"),
                       "found no field 'tokens'; expected a list in it", InputError);
}

TEST_CASE("a record that is not an object is refused, and deep nesting is accepted") {
  CHECK_THROWS_AS(fields("[]"), InputError);
  CHECK_THROWS_WITH_AS(fields("{\"text\": "), doctest::Contains("found no valid JSON at its byte"),
                       InputError);
  const std::string deep(100'000, '[');
  CHECK(fields("{\"a\": " + deep + std::string(100'000, ']') + ", \"text\": \"x\"}")[0].text ==
        "x");
}

}  // namespace
}  // namespace elmo
