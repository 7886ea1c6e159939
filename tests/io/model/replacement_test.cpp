#include "io/model/replacement.h"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/model/weights.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A character-level model with its softmax, and a word-level model.
struct TwoModels {
  ModelOptions characters = model_case("as published");
  Parameters character_parameters = random_parameters(characters, 1);
  SoftmaxLayer softmax = small_softmax(characters);
  TokenizerDescription tokenizer = describe_tokenizer({});
  ModelOptions words = model_case("words");
  Parameters word_parameters = random_parameters(words, 2);
  Vocabulary vocabulary{model_words(words)};

  void save_characters(const fs::path& folder,
                       const ReplacementListener& listener = nullptr) const {
    save_model(folder, characters, character_parameters, nullptr,
               {.overwrite = true,
                .softmax = &softmax,
                .tokenizer = &tokenizer,
                .language = R"({"language": "ko", "scripts": ["Hang"]})",
                .listener = listener});
  }
  void save_words(const fs::path& folder, const ReplacementListener& listener = nullptr) const {
    save_model(folder, words, word_parameters, &vocabulary,
               {.overwrite = true, .listener = listener});
  }
};

/// Returns the fingerprint of the model in a folder. All its files must match each other.
std::string found(const fs::path& folder) {
  const ModelLocation location = locate_model(folder);
  const LoadedModel model = load_model(location);
  CHECK(read_softmax(location, model.options).has_value() == model.options.char_cnn.has_value());
  CHECK(model.tokenizer.has_value() == model.options.char_cnn.has_value());
  CHECK(model.language.has_value() == model.options.char_cnn.has_value());
  CHECK(model.lexicon.words.has_value() != model.options.char_cnn.has_value());
  return model.fingerprint;
}

TEST_CASE("a writer killed at any step leaves the complete old or new model") {
  const TwoModels models;
  const TempDir dir;
  models.save_characters(dir / "characters");
  models.save_words(dir / "words");
  const std::string characters = found(dir / "characters");
  const std::string words = found(dir / "words");
  const Names of_words = names_in(dir / "words");
  const Names of_characters = names_in(dir / "characters");
  REQUIRE(characters != words);

  for (const bool to_words : {true, false}) {
    const auto save_old = [&](const fs::path& folder) {
      to_words ? models.save_characters(folder) : models.save_words(folder);
    };
    const auto save_new = [&](const fs::path& folder, const ReplacementListener& listener) {
      to_words ? models.save_words(folder, listener) : models.save_characters(folder, listener);
    };
    int steps = 0;
    save_old(dir / "counted");
    save_new(dir / "counted", [&] { ++steps; });
    REQUIRE(steps > 10);
    CHECK(names_in(dir / "counted") == (to_words ? of_words : of_characters));

    std::set<std::string> seen;
    bool new_before = false;
    for (int killed_at = 1; killed_at <= steps; ++killed_at) {
      CAPTURE(killed_at);
      const fs::path folder = dir / ("killed-" + std::to_string(killed_at));
      save_old(folder);
      const int status = in_child([&] {
        int step = 0;
        save_new(folder, [&] {
          if (++step == killed_at) std::raise(SIGKILL);
        });
      });
      CHECK(WIFSIGNALED(status));
      const std::string left = found(folder);
      const bool is_new = left == (to_words ? words : characters);
      CHECK((is_new || left == (to_words ? characters : words)));
      CHECK((is_new || !new_before));  // once the new model is there, it stays
      new_before = is_new;
      seen.insert(left);
      CHECK_THROWS_AS(save_model(folder, models.words, models.word_parameters, &models.vocabulary),
                      RequestError);
      CHECK(found(folder) == left);  // reading does not change the folder

      save_old(folder);
      CHECK(names_in(folder) == (to_words ? of_characters : of_words));
      CHECK(found(folder) == (to_words ? characters : words));
      remove_model(folder);
      CHECK(names_in(folder).empty());
    }
    CHECK(seen.size() == 2);
  }
}

TEST_CASE("an interrupted first model is complete or absent") {
  const TwoModels models;
  const TempDir dir;
  int steps = 0;
  models.save_words(dir / "counted", [&] { ++steps; });
  for (int killed_at = 1; killed_at <= steps; ++killed_at) {
    CAPTURE(killed_at);
    const fs::path folder = dir / ("killed-" + std::to_string(killed_at));
    in_child([&] {
      int step = 0;
      models.save_words(folder, [&] {
        if (++step == killed_at) std::raise(SIGKILL);
      });
    });
    if (holds_model(folder)) {
      CHECK(found(folder) == found(dir / "counted"));
    } else {
      CHECK_THROWS_AS(locate_model(folder), InputError);
    }
    models.save_words(folder);
    CHECK(names_in(folder) == names_in(dir / "counted"));
  }
}

TEST_CASE("a journal renames a model's files only") {
  const TempDir dir;
  for (const char* text :
       {"", "[]", "{\"notes.txt\": \"notes.txt.unfinished\"}", "{\"options.json\": \"other\"}",
        "{\"options.json\": \"../options.json.unfinished\"}", "{\"options.json\": 1}"}) {
    CAPTURE(text);
    std::ofstream(dir / ".elmo.model.json") << text;
    CHECK_THROWS_WITH_AS(finish_replacement(dir.path()), doctest::Contains("Remove it"),
                         InputError);
    CHECK_THROWS_AS(locate_model(dir.path()), InputError);
  }
}

}  // namespace
}  // namespace elmo
