#include "io/model/folder/tokenizer.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/error.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TokenizerDescription described(InputFormat format, const std::string& locale) {
  FormatOptions options;
  options.format = format;
  options.tokenizer.locale = locale;
  return describe_tokenizer(options);
}

TEST_CASE("the settings of every tokenizer are read as they were written") {
  for (const InputFormat format : {InputFormat::text, InputFormat::tokens, InputFormat::conllu}) {
    const TokenizerDescription description = described(format, "pt-BR");
    CHECK(parse_tokenizer(tokenizer_text(description), "here") == description);
  }
}

TEST_CASE("a model returns the settings that it was saved with") {
  const TempDir dir;
  const TokenizerDescription description = described(InputFormat::text, "de");
  const Parameters parameters = random_parameters(small_options(), 1);
  save_model(dir.path(), small_options(), parameters, nullptr, {.tokenizer = &description});
  CHECK(load_model(locate_model(dir.path())).tokenizer == description);

  save_model(dir.path(), small_options(), parameters, nullptr,
             {.existing = ExistingModel::replaced});
  CHECK_FALSE(load_model(locate_model(dir.path())).tokenizer);
}

TEST_CASE("each setting that differs is named, another ICU is not") {
  const TokenizerDescription trained{"icu", 1, "72.1", "15.0", "root"};
  CHECK(tokenizer_difference(trained, trained).empty());
  CHECK(tokenizer_difference(trained, {"icu", 1, "76.1", "16.0", "root"}).empty());
  CHECK(tokenizer_difference(trained, {"icu-lines", 2, "76.1", "16.0", "de"}) ==
        "tokenizer icu-lines instead of icu, rules 2 instead of 1, locale de instead of root");
  CHECK(tokenizer_difference(trained, {"white-space", 1, "", "", ""}) ==
        "tokenizer white-space instead of icu, locale none instead of root");
}

TEST_CASE("what are no settings is refused, naming the member") {
  const auto refused = [](const std::string& text, const std::string& says) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(parse_tokenizer(text, "here"), says.c_str(), InputError);
  };
  const std::string expected = "; expected the settings of a tokenizer";
  refused("", "here: is not JSON at byte 1" + expected);
  refused("[]", "here: holds []" + expected);
  refused("{", "here: is not JSON at byte 2" + expected);
  refused(std::string(100000, '['), "here: nests deeper than 32 levels" + expected);
  refused("{}", "here: name is missing; expected a string");
  refused(R"({"name": 7})", "here: name is 7; expected a string");
  refused(R"({"name": "icu"})",
          "here: rules is missing; expected a whole number from 0 to 2147483647");
  refused(R"({"name": "icu", "rules": -1})",
          "here: rules is -1; expected a whole number from 0 to 2147483647");
  refused(R"({"name": "icu", "rules": 4294967296})",
          "here: rules is 4294967296; expected a whole number from 0 to 2147483647");
  refused(R"({"name": "icu", "rules": 1, "locale": ["de"]})",
          "here: locale is [\"de\"]; expected a string");
  refused("{\"name\": " + std::string(200000, '[') + std::string(200000, ']') + "}",
          "here: nests deeper than 32 levels" + expected);
  refused("{\"name\": \"\\u001b[2J\", \"rules\": 1}",
          "here: name is \"\\u001b[2J\"; expected at most 64 characters of ASCII without white "
          "space");
}

}  // namespace
}  // namespace elmo
