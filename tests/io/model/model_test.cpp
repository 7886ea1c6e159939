#include "io/model/model.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/error.h"
#include "core/model/options.h"
#include "io/files/paths.h"
#include "io/model/options.h"
#include "io/model/save.h"
#include "io/model/weights.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("a saved model of any shape loads unchanged") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const TempDir dir;
    const Parameters parameters = random_parameters(model.options, 1);
    const std::vector<std::string> words = model_words(model.options);
    std::optional<Vocabulary> vocabulary;
    if (!words.empty()) vocabulary.emplace(words);
    const Vocabulary* const known = vocabulary ? &*vocabulary : nullptr;
    save_model(dir / "new" / "model", model.options, parameters, known);

    LoadedModel loaded = load_model(locate_model(dir / "new" / "model"));
    CHECK(loaded.options == model.options);
    const Parameters found = loaded.parameters.to_parameters();
    for (const Parameter& parameter : parameters.all()) {
      CHECK(found.at(parameter.name).values == parameter.values);
    }
    CHECK(loaded.fingerprint == model_fingerprint(model.options, parameters.values_only(), known));
    REQUIRE(loaded.lexicon.words.has_value() == !words.empty());
    for (std::size_t i = 0; i < words.size(); ++i) {
      CHECK(loaded.lexicon.words->word(static_cast<std::int64_t>(i)) == words[i]);
    }
  }
}

TEST_CASE("a fingerprint depends on options, values and words, not on spelling") {
  const ModelOptions options = model_case("words");
  Parameters parameters = random_parameters(options, 1);
  const Vocabulary vocabulary(model_words(options));
  const std::string first = model_fingerprint(options, parameters.values_only(), &vocabulary);
  CHECK(first.size() == 32);
  CHECK(first == model_fingerprint(options, parameters.values_only(), &vocabulary));
  CHECK(first != model_fingerprint(options, parameters.values_only(), nullptr));

  ModelOptions unclipped = options;
  unclipped.lstm.cell_clip.reset();
  CHECK(first != model_fingerprint(unclipped, parameters.values_only(), &vocabulary));

  std::vector<std::string> words = model_words(options);
  std::swap(words[10], words[11]);
  const Vocabulary swapped(std::move(words));
  CHECK(first != model_fingerprint(options, parameters.values_only(), &swapped));

  float& value = parameters.all().back().values.back();
  value = std::nextafter(value, 10.0F);
  CHECK(first != model_fingerprint(options, parameters.values_only(), &vocabulary));
}

TEST_CASE("a word-level model's size comes from its options or its table, its words from a file") {
  const TempDir dir;
  const ModelOptions options = model_case("words");
  write_weights(dir / "weights.hdf5", random_parameters(options, 1));
  std::string text = options_text(options);
  const std::string size = ",\"n_tokens_vocab\":30";
  REQUIRE(text.find(size) != std::string::npos);
  text.erase(text.find(size), size.size());
  write_file(dir / "options.json", text);

  const LoadedModel without = load_model(locate_model(dir.path()));
  CHECK(without.options == options);
  CHECK_FALSE(without.lexicon.words);

  std::string words;
  for (const std::string& word : model_words(options)) words += "\t" + word + " \r\n";
  write_file(dir / "vocab.txt", words + "!!!MAXTERMID\n");
  const LoadedModel with = load_model(locate_model(dir.path()));
  REQUIRE(with.lexicon.words);
  CHECK(with.lexicon.words->row("word29") == 29);

  write_file(dir / "vocab.txt", words + "one more\n");
  CHECK_THROWS_WITH_AS(load_model(locate_model(dir.path())),
                       doctest::Contains("has 31 words; expected 30"), InputError);
  write_file(dir / "vocab.txt", "a\nb\n");
  CHECK_THROWS_WITH_AS(load_model(locate_model(dir.path())),
                       doctest::Contains("vocab.txt: the vocabulary of 2 words lacks"), InputError);
}

TEST_CASE("a missing or wrong file is named") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  const std::filesystem::path options = dir / "options.json";
  const std::filesystem::path weights = dir / "weights.hdf5";
  const auto load = [](const std::filesystem::path& options_file,
                       const std::filesystem::path& weights_file) {
    ModelLocation location;
    location.options = options_file;
    location.weights = weights_file;
    load_model(location);
  };
  CHECK_NOTHROW(load(options, weights));
  CHECK_THROWS_WITH_AS(load(dir / "none.json", weights), doctest::Contains("none.json"),
                       InputError);
  CHECK_THROWS_WITH_AS(load(options, dir / "none.hdf5"), doctest::Contains("none.hdf5"),
                       InputError);
  CHECK_THROWS_WITH_AS(load(options, options), doctest::Contains("not an HDF5 file"), InputError);
  CHECK_THROWS_WITH_AS(load(weights, weights), doctest::Contains("weights.hdf5"), InputError);
  CHECK_THROWS_WITH_AS(load(dir.path(), weights), doctest::Contains("not a regular file"),
                       InputError);
  CHECK_THROWS_WITH_AS(load(options, dir.path()), doctest::Contains("not a regular file"),
                       InputError);
  std::filesystem::resize_file(options, 0);
  CHECK_THROWS_WITH_AS(load(options, weights), doctest::Contains("options.json"), InputError);
}

TEST_CASE("published models have their known costs") {
  const ModelOptions original = *preset("original");
  CHECK(Parameters(original).count() == 93600848);
  CHECK(lstm_flop_per_token(original) == doctest::Approx(151e6).epsilon(0.005));
  CHECK(encoder_flop_per_token(original) == doctest::Approx(55e6).epsilon(0.05));
}

/// Sets the folder of installed models during its lifetime.
class Models {
 public:
  Models() { ::setenv("ELMO_MODEL_PATH", dir_.path().c_str(), 1); }
  ~Models() { ::unsetenv("ELMO_MODEL_PATH"); }
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;

  std::filesystem::path operator/(const char* name) const { return dir_ / name; }

 private:
  TempDir dir_;
};

TEST_CASE("installed models are found by name, and names cannot be paths") {
  const Models models;
  CHECK_FALSE(installed_model("mine"));
  std::filesystem::create_directories(models / "mine" / "inner");
  CHECK(installed_model("mine") == models / "mine");
  for (const char* name : {"", ".", "..", "mine/inner", "/", "other"}) {
    CHECK_FALSE(installed_model(name));
  }
}

}  // namespace

}  // namespace elmo
