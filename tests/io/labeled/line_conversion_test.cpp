// CSV and JSON arrays as lines.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "io/labeled/example_file.h"

namespace elmo {
namespace {

/// Returns a few bytes per read.
class Crumbs final : public ByteSource {
 public:
  Crumbs(std::string_view bytes, std::size_t most) : rest_(bytes), most_(most) {}

  std::size_t read(char* data, std::size_t size) override {
    return rest_.read(data, std::min(size, most_));
  }

 private:
  MemoryBytes rest_;
  std::size_t most_;
};

using Convert = std::unique_ptr<ByteSource> (*)(std::unique_ptr<ByteSource>);

std::string converted(Convert convert, std::string_view text, std::size_t most) {
  ByteWindow window(convert(std::make_unique<Crumbs>(text, most)));
  window.fill(1000);
  return std::string(window.view());
}

/// The same, however the text arrives.
std::string converted(Convert convert, std::string_view text) {
  const std::string whole = converted(convert, text, 1000);
  for (const std::size_t most : {1U, 2U, 3U}) CHECK(converted(convert, text, most) == whole);
  return whole;
}

std::string error_of(Convert convert, std::string_view text) {
  try {
    converted(convert, text, 1000);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("CSV becomes lines of columns, which keep their numbers") {
  const auto csv = [](std::string_view text) { return converted(lines_of_csv, text); };
  CHECK(csv("a,b\n1,2\n") == "a\tb\n1\t2\n");
  CHECK(csv("a;b,c\n") == "a\tb,c\n");
  CHECK(csv("\"a,\"\"b\"\"\",c\r\n") == "a,\"b\"\tc\r\n");
  CHECK(csv("\"a\r\nb\nc\",d\ne,f\n") == "a  b c\td\n\n\ne\tf\n");
  CHECK(csv("a b\" c,\"\",\"d\"") == "a b\" c\t\td");
  CHECK(csv("\"a\tb\"\tc\n") == "a b\tc\n");
  CHECK(csv("\"a\"b,c\n") == "ab\tc\n");
  CHECK(csv("\xef\xbb\xbf\"a\",b\n") ==
        "\xef\xbb\xbf"
        "a\tb\n");
  CHECK(csv("").empty());
  CHECK(error_of(lines_of_csv, "a,b\n\"c,d\ne,f\n") ==
        "line 2: found a quotation mark at the beginning of a field, but no other one after it; "
        "expected quotation marks in pairs");
}

TEST_CASE("an array of records becomes lines, which keep their numbers") {
  const auto array = [](std::string_view text) { return converted(lines_of_array, text); };
  CHECK(array("[{\"a\": [1, {\"b\": \"]}\\\"{\"}]}, {\"c\": \"\\\\\"}]\n") ==
        "{\"a\": [1, {\"b\": \"]}\\\"{\"}]}\n{\"c\": \"\\\\\"}\n\n");
  CHECK(array(" [\n {\n\"a\": 1\n},\n {}\n]") == "\n{ \"a\": 1 }\n\n\n{}\n");
  for (const char* other : {"{\"a\": [{}]}\n", "[1, 2]\n", "[", "", "text [{", "[NNP {\n", "[\t{\n",
                            "[\n{\n", "[[{}]]\n"}) {
    CAPTURE(other);
    CHECK(array(other) == other);
  }
  CHECK(error_of(lines_of_array, "[{},\n {}\n") ==
        "line 3: found the end of the file inside of an array of records; expected ]");
  CHECK(error_of(lines_of_array, "[{\"a\": [").starts_with("line 1: found the end of the file"));
  for (const auto& [text, problem] :
       {std::pair{"[{},\n]",
                  "line 2: found \"]\" after , in an array of records; expected a record"},
        {"[{},,{}]", "line 1: found \",\" after , in an array of records; expected a record"},
        {"[{} {}]", "line 1: found \"{\" after } in an array of records; expected a comma or ]"},
        {"[{}, 1]", "line 1: found \"1\" after , in an array of records; expected a record"},
        {"[{}\nx", "line 2: found \"x\" after } in an array of records; expected a comma or ]"}}) {
    CHECK(error_of(lines_of_array, text) == problem);
  }
}

}  // namespace elmo
