#include "io/model/save.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/model/model.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("saving leaves the model's files and nothing else, and overwrites nothing") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 1);
  save_model(dir.path(), small_options(), parameters, nullptr);
  CHECK(names_in(dir.path()) == std::vector<std::string>{"options.json", "weights.hdf5"});
  CHECK_THROWS_WITH_AS(save_model(dir.path(), small_options(), parameters, nullptr),
                       doctest::Contains("options.json is there already"), RequestError);
}

TEST_CASE("a model is replaced on request, its words included") {
  const TempDir dir;
  const ModelOptions words = model_case("words");
  const Vocabulary vocabulary(model_words(words));
  save_model(dir.path(), words, random_parameters(words, 1), &vocabulary);
  const Parameters parameters = random_parameters(small_options(), 2);
  save_model(dir.path(), small_options(), parameters, nullptr, {.overwrite = true});
  CHECK(names_in(dir.path()) == std::vector<std::string>{"options.json", "weights.hdf5"});
  CHECK(load_model(locate_model(dir.path())).fingerprint ==
        model_fingerprint(small_options(), parameters.values_only(), nullptr));
}

TEST_CASE("replacing a model removes the old files beside its weights") {
  const TempDir dir;
  const SoftmaxLayer softmax = small_softmax(small_options());
  const TokenizerDescription tokenizer = describe_tokenizer({});
  const Parameters parameters = random_parameters(small_options(), 1);
  save_model(dir.path(), small_options(), parameters, nullptr,
             {.softmax = &softmax,
              .tokenizer = &tokenizer,
              .language = R"({"language": "ko", "scripts": ["Hang"]})"});
  CHECK(names_in(dir.path()) == std::vector<std::string>{"language.json", "options.json",
                                                         "softmax.hdf5", "tokenizer.json",
                                                         "vocabulary.txt", "weights.hdf5"});
  CHECK(load_model(locate_model(dir.path())).language == LanguageDescription{"ko", {"Hang"}});
  save_model(dir.path(), small_options(), parameters, nullptr, {.overwrite = true});
  CHECK(names_in(dir.path()) == std::vector<std::string>{"options.json", "weights.hdf5"});
}

TEST_CASE("removing a model removes its language") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  write_file(dir / "language.json", R"({"language": "ko", "scripts": ["Hang"]})");
  remove_model(dir.path());
  CHECK(names_in(dir.path()).empty());
}

TEST_CASE("a failed save leaves the previous model and nothing else") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 1);
  save_model(dir.path(), small_options(), parameters, nullptr);
  std::filesystem::create_directories(dir / "options.json.unfinished" / "in the way");
  CHECK_THROWS_AS(save_model(dir.path(), small_options(), random_parameters(small_options(), 2),
                             nullptr, {.overwrite = true}),
                  SystemError);
  CHECK(names_in(dir.path()) ==
        std::vector<std::string>{"options.json", "options.json.unfinished", "weights.hdf5"});
  CHECK(load_model(locate_model(dir.path())).fingerprint ==
        model_fingerprint(small_options(), parameters.values_only(), nullptr));
}

TEST_CASE("no model is saved where a file is") {
  const TempDir dir;
  write_file(dir / "file", "");
  const Parameters parameters = random_parameters(small_options(), 1);
  CHECK_THROWS_AS(save_model(dir / "file", small_options(), parameters, nullptr), RequestError);
}

}  // namespace
}  // namespace elmo
