// The tokenizer of a model's training text.

#include "io/model/tokenizer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/text/formats/tokenizer_description.h"
#include "io/text/segment/token_rules.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {

TEST_CASE("parse_language: deep nesting is refused without following it") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_THROWS_WITH_AS(parse_language("{\"language\": " + deep + "}", "here"),
                       "here: nests deeper than 32 levels; expected a language and its scripts",
                       InputError);
}

TEST_CASE("parse_language: scripts must be scripts of characters") {
  CHECK(parse_language(R"({"language": "ja", "scripts": ["Hira", "Kana", "Hani"]})", "here")
            .scripts == std::vector<std::string>{"Hira", "Kana", "Hani"});
  CHECK_THROWS_WITH_AS(parse_language(R"({"language": "ja", "scripts": ["Jpan"]})", "here"),
                       doctest::Contains(R"(["Hira", "Kana", "Hani"])"), InputError);
}

namespace {

TokenizerDescription described(InputFormat format, const std::string& locale) {
  FormatOptions options;
  options.format = format;
  options.tokenizer.locale = locale;
  return describe_tokenizer(options);
}

TEST_CASE("the settings of every tokenizer are read back") {
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

  save_model(dir.path(), small_options(), parameters, nullptr, {.overwrite = true});
  CHECK_FALSE(load_model(locate_model(dir.path())).tokenizer);
}

TEST_CASE("each setting that differs is named, except the version of ICU") {
  const TokenizerDescription trained{"icu", 1, "72.1", "15.0", "root"};
  CHECK(tokenizer_difference(trained, trained).empty());
  CHECK(tokenizer_difference(trained, {"icu", 1, "76.1", "16.0", "root"}).empty());
  CHECK(tokenizer_difference(trained, {"icu-lines", 2, "76.1", "16.0", "de"}) ==
        "tokenizer icu-lines instead of icu, locale de instead of root");
  CHECK(tokenizer_difference(trained, {"white-space", 1, "", "", ""}) ==
        "tokenizer white-space instead of icu, locale none instead of root");
}

TEST_CASE("rules that nearly agree with the current ones are no difference") {
  for (const char* name : {"icu", "ud", "moses", "file", "white-space", "conllu"}) {
    CAPTURE(name);
    const auto [least, current] = rules_revisions(name);
    REQUIRE(least <= current);
    const auto difference = [&](int trained, int used) {
      return tokenizer_difference({name, trained, "", "", ""}, {name, used, "", "", ""});
    };
    CHECK(difference(least, current).empty());
    CHECK(difference(least - 1, current) ==
          "rules " + std::to_string(current) + " instead of " + std::to_string(least - 1));
    CHECK_FALSE(difference(current + 1, current).empty());
  }
  CHECK(rules_revisions("ud").current == kTokenRulesRevision);
  CHECK(rules_revisions("ud-lines").current == kTokenRulesRevision);
  CHECK(rules_revisions("icu-lines").current == kTokenizerRevision);
}

TEST_CASE("invalid settings are refused, naming the member") {
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

TEST_CASE("settings that cannot read text are refused when they are read") {
  const auto refused = [](const std::string& members, const std::string& says) {
    CAPTURE(members);
    CHECK_THROWS_WITH_AS(parse_tokenizer("{\"rules\": 1, " + members + "}", "here"),
                         doctest::Contains(says.c_str()), InputError);
  };
  refused(R"("name": "ud", "locale": "xx-yyyyyyyyyyyyy")",
          "here: locale is \"xx-yyyyyyyyyyyyy\"; expected a locale that this program's ICU knows");
  refused(R"("name": "file", "locale": "root")",
          "here: rule_file is missing; expected the rules of the tokenizer \"file\"");
  refused(R"("name": "file", "locale": "root", "rule_file": "no rule")",
          "here: the model's rule file");
}

/// A model's folder; only the names of its weights matter.
struct ModelFolder {
  TempDir dir;
  ModelLocation location;

  explicit ModelFolder(const std::string& weights = "weights.hdf5") {
    location.options = dir / "options.json";
    location.weights = dir / weights;
  }

  void trained(const TokenizerDescription& description) {
    write_file(dir / "tokenizer.json", tokenizer_text(description));
    location.tokenizer = dir / "tokenizer.json";
  }

  void language(const std::string& tag) {
    write_file(dir / "language.json", "{\"language\": \"" + tag + "\", \"scripts\": [\"Latn\"]}");
    location.language = dir / "language.json";
  }

  /// Returns the chosen tokenizer and locale.
  std::string choice(const std::string& tokenizer = "", const std::string& locale = "") const {
    const TokenizerSettings settings = choose_tokenizer({tokenizer, locale}, location);
    return std::string(kTokenizerKinds.word(settings.kind)) + " " + settings.locale;
  }
};

TokenizerDescription description_of(const TokenizerSettings& settings, bool lines = false) {
  InputOptions options;
  options.tokenizer = settings;
  options.lines = lines;
  return describe_tokenizer(options);
}

}  // namespace

TEST_CASE("by default, the tokenizer follows a model's family") {
  CHECK(ModelFolder().choice() == "moses ");
  CHECK(ModelFolder("model.hdf5").choice() == "ud ");
  ModelFolder many_langs("encoder.pkl");
  many_langs.location.many_langs = ManyLangsFiles{};
  CHECK(many_langs.choice() == "ud ");
}

TEST_CASE("a model's training tokenizer precedes its family's, and a requested one precedes both") {
  ModelFolder model;
  model.trained(description_of({TokenizerKind::icu, "de"}));
  CHECK(model.choice() == "icu de");
  CHECK(model.choice("icu") == "icu de");
  CHECK(model.choice("ud") == "ud de");
  CHECK(model.choice("moses", "fr") == "moses fr");
  CHECK(model.choice("", "fr") == "icu fr");
  model.trained(description_of({TokenizerKind::ud, "de"}, true));
  CHECK(model.choice() == "ud de");
}

TEST_CASE("a model that was trained on tokens reads raw text as ud") {
  ModelFolder model;
  InputOptions options;
  options.format = InputFormat::tokens;
  model.trained(describe_tokenizer(options));
  CHECK(model.choice() == "ud ");
  model.language("de");
  CHECK(model.choice() == "ud de");
}

TEST_CASE("the locale is the requested one, that of training, or the model's language") {
  ModelFolder model;
  model.language("pt-BR");
  CHECK(model.choice() == "moses pt-BR");
  CHECK(model.choice("ud") == "ud pt-BR");
  CHECK(model.choice("", "de") == "moses de");
  model.trained(description_of({TokenizerKind::ud, "de"}));
  CHECK(model.choice() == "ud de");
  CHECK(model.choice("moses") == "moses pt-BR");
}

TEST_CASE("without a model, text is read as ud of the root locale") {
  const TokenizerSettings settings = choose_tokenizer({});
  CHECK(settings.kind == TokenizerKind::ud);
  CHECK(settings.locale.empty());
  CHECK(choose_tokenizer({"moses", "fr"}).kind == TokenizerKind::moses);
  CHECK(choose_tokenizer({"moses", "fr"}).locale == "fr");
}

TEST_CASE("a rule file is read, and a model that was trained with it holds it") {
  const std::string rules = "# \u00e9\nsplit: foo|bar\nemoticons: \"\\\n";
  ModelFolder model;
  write_file(model.dir / "my.rules", rules);
  const std::string path = (model.dir / "my.rules").string();
  const TokenizerSettings settings = choose_tokenizer({path, "fr"}, model.location);
  CHECK(settings.kind == TokenizerKind::file);
  CHECK(settings.rules == rules);
  CHECK(settings.rule_file == path);
  CHECK(make_segmenter(settings)->tokens_of("foobar").size() == 2);

  model.trained(description_of(settings));
  std::filesystem::remove(path);
  const TokenizerSettings later = choose_tokenizer({}, model.location);
  CHECK(later.kind == TokenizerKind::file);
  CHECK(later.rules == rules);
  CHECK(later.locale == "fr");
  CHECK(make_segmenter(later)->tokens_of("foobar").size() == 2);
  CHECK(description_of(later) == description_of(settings));
}

TEST_CASE("names other than tokenizers are refused") {
  const TempDir dir;
  for (const std::string& name : {std::string("UD"), std::string("file"), std::string("spaces"),
                                  dir.path().string(), (dir / "missing").string()}) {
    CAPTURE(name);
    CHECK_THROWS_WITH_AS(named_tokenizer(name),
                         ("tokenizer: found '" + name +
                          "', neither a tokenizer nor a file; expected ud, moses, icu or the path "
                          "of a rule file")
                             .c_str(),
                         RequestError);
  }
  const std::string path = (dir / "rules.txt").string();
  write_file(path, "split: a\n");
  CHECK_THROWS_WITH_AS(
      named_tokenizer(path),
      (path + ": line 1: found the pattern 'a'; expected two characters or more; fix the rule file")
          .c_str(),
      InputError);
  write_file(path, "# " + std::string(kMaxRuleFileBytes, 'x'));
  CHECK_THROWS_AS(named_tokenizer(path), InputError);
  write_file(path, "");
  CHECK(named_tokenizer(path).kind == TokenizerKind::file);
}

TEST_CASE("the normalization is the requested one, else the model's, else the usual one") {
  using N = Normalization;
  const auto chosen = [](const ModelLocation& location, std::optional<N> requested) {
    TokenizerRequest request;
    request.normalization = requested;
    const TokenizerSettings settings = choose_tokenizer(request, location);
    return std::pair(settings.normalization, settings.token_normalization);
  };
  ModelFolder model;
  CHECK(chosen(model.location, {}) == std::pair(N::nfc, N::none));
  CHECK(chosen(model.location, N::nfkc) == std::pair(N::nfkc, N::nfkc));
  TokenizerDescription description = described(InputFormat::text, "de");
  for (const N form : {N::none, N::nfc, N::nfkc}) {
    description.normalization = form;
    model.trained(description);
    CHECK(chosen(model.location, {}) == std::pair(form, N::none));
    CHECK(chosen(model.location, N::nfc) == std::pair(N::nfc, N::nfc));
  }
  description = described(InputFormat::tokens, "");
  description.normalization = N::nfc;
  model.trained(description);
  CHECK(chosen(model.location, {}) == std::pair(N::nfc, N::nfc));
  for (const auto& [name, usual] : {std::pair("ud", N::nfc),
                                    {"icu-lines", N::nfc},
                                    {"white-space", N::none},
                                    {"conllu", N::none}}) {
    const std::string text = std::string("{\"name\": \"") + name + "\", \"rules\": 1}";
    CHECK(parse_tokenizer(text, "here").normalization == usual);
  }
}

TEST_CASE("the largest rule file fits into tokenizer.json") {
  ModelFolder model;
  const std::string path = (model.dir / "large.rules").string();
  write_file(path, "#" + std::string(kMaxRuleFileBytes - 1, '"'));
  const TokenizerSettings settings = named_tokenizer(path);
  model.trained(description_of(settings));
  CHECK(choose_tokenizer({}, model.location).rules == settings.rules);
}

TEST_CASE("a description has every setting of a tokenizer") {
  for (const TokenizerKind kind : {TokenizerKind::icu, TokenizerKind::ud, TokenizerKind::moses}) {
    for (const bool lines : {false, true}) {
      const TokenizerDescription description = description_of({kind, "pt-BR"}, lines);
      const auto settings = settings_of(description);
      REQUIRE(settings);
      CHECK(settings->kind == kind);
      CHECK(settings->locale == "pt_BR");
      CHECK(description_of(*settings, lines) == description);
    }
  }
  const TokenizerDescription file = description_of({TokenizerKind::file, "de", "split: a|b\n"});
  CHECK(file.name == "file");
  CHECK(parse_tokenizer(tokenizer_text(file), "here") == file);
  CHECK(settings_of(file)->rules == "split: a|b\n");
  TokenizerDescription other = file;
  other.rules += "\n";
  CHECK(to_string(other) != to_string(file));
  TokenizerSettings expanding{TokenizerKind::ud, "fr"};
  const TokenizerDescription kept = description_of(expanding);
  expanding.contractions = ContractionMode::expand;
  const TokenizerDescription expanded = description_of(expanding);
  CHECK(parse_tokenizer(tokenizer_text(expanded), "here") == expanded);
  CHECK(parse_tokenizer(tokenizer_text(kept), "here") == kept);
  CHECK(settings_of(expanded)->contractions == ContractionMode::expand);
  CHECK(to_string(expanded) == to_string(kept) + ", contractions expanded");
  CHECK(tokenizer_difference(expanded, kept) == "contractions keep instead of expand");
  CHECK(kept.normalization == Normalization::nfc);
  expanding.normalization = Normalization::nfkc;
  const TokenizerDescription compatible = description_of(expanding);
  CHECK(parse_tokenizer(tokenizer_text(compatible), "here") == compatible);
  CHECK(settings_of(compatible)->normalization == Normalization::nfkc);
  CHECK(to_string(compatible) == to_string(expanded) + ", normalize nfkc");
  CHECK(tokenizer_difference(compatible, expanded) == "normalize nfc instead of nfkc");
  for (const char* name : {"white-space", "conllu", "white-space-lines", ""}) {
    CHECK_FALSE(settings_of({name, 1, "", "", ""}));
  }
}

}  // namespace elmo
