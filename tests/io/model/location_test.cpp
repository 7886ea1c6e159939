#include "io/model/location.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/model/archive.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "io/model/weights.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/zip.h"

namespace elmo {
namespace {

void touch(const std::filesystem::path& path) { std::ofstream(path) << "x"; }

/// The files of a small saved model.
struct Files {
  std::string options;
  std::string weights;
};

Files model_files(std::uint64_t seed) {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), seed), nullptr);
  return {content_of(dir / "options.json"), content_of(dir / "weights.hdf5")};
}

TEST_CASE("a folder's only model is found, by plain names or with a common prefix") {
  for (const std::string prefix : {"", "big_", "elmo_2x4096_512_"}) {
    for (const std::string weights : {"weights.hdf5", "model.hdf5"}) {
      CAPTURE(prefix);
      CAPTURE(weights);
      const TempDir dir;
      touch(dir / (prefix + "options.json"));
      touch(dir / (prefix + weights));
      touch(dir / "README");
      touch(dir / "other_weights.hdf5");
      const ModelLocation found = locate_model(dir.path());
      CHECK(found.options == dir / (prefix + "options.json"));
      CHECK(found.weights == dir / (prefix + weights));
      CHECK_FALSE(found.vocabulary);
      CHECK(found.options.archive.empty());
      touch(dir / (prefix + "vocab.txt"));
      CHECK(locate_model(dir.path()).vocabulary == dir / (prefix + "vocab.txt"));
      CHECK_FALSE(found.softmax);
      CHECK_FALSE(found.softmax_vocabulary);
      CHECK_FALSE(found.tokenizer);
      for (const char* name : {"softmax.hdf5", "vocabulary.txt", "tokenizer.json"}) {
        touch(dir / (prefix + name));
      }
      const ModelLocation trained = locate_model(dir.path());
      CHECK(trained.softmax == dir / (prefix + "softmax.hdf5"));
      CHECK(trained.softmax_vocabulary == dir / (prefix + "vocabulary.txt"));
      CHECK(trained.tokenizer == dir / (prefix + "tokenizer.json"));
    }
  }
}

TEST_CASE("a softmax with its published name is found beside its words") {
  const TempDir dir;
  const std::string prefix = "elmo_2x1024_128_2048cnn_1xhighway_";
  for (const char* name : {"options.json", "weights.hdf5", "softmax_weights.hdf5"}) {
    touch(dir / (prefix + name));
  }
  CHECK_FALSE(locate_model(dir.path()).softmax);
  CHECK(locate_model(dir.path()).softmax_lacks_words);
  touch(dir / "vocab-2016-09-10.txt");
  const ModelLocation found = locate_model(dir.path());
  CHECK_FALSE(found.softmax_lacks_words);
  CHECK(found.softmax == dir / (prefix + "softmax_weights.hdf5"));
  CHECK(found.softmax_vocabulary == dir / "vocab-2016-09-10.txt");
  CHECK_FALSE(found.vocabulary);
  touch(dir / (prefix + "vocabulary.txt"));
  CHECK(locate_model(dir.path()).softmax_vocabulary == dir / (prefix + "vocabulary.txt"));
  touch(dir / (prefix + "softmax.hdf5"));
  CHECK(locate_model(dir.path()).softmax == dir / (prefix + "softmax.hdf5"));
}

TEST_CASE("a checkpoint is the model of a folder without HDF5 weights") {
  const TempDir dir;
  for (const char* name : {"options.json", "model.ckpt-5.index", "model.ckpt-5.meta"}) {
    touch(dir / name);
  }
  ModelLocation found = locate_model(dir.path());
  CHECK(found.weights == dir / "model.ckpt-5.index");
  CHECK(is_checkpoint(found.weights.path));
  CHECK_FALSE(found.softmax);
  touch(dir / "vocab.txt");
  found = locate_model(dir.path());
  CHECK(found.softmax == dir / "model.ckpt-5.index");
  CHECK(found.softmax_vocabulary == dir / "vocab.txt");
  CHECK(found.vocabulary == dir / "vocab.txt");
  touch(dir / "weights.hdf5");
  found = locate_model(dir.path());
  CHECK(found.weights == dir / "weights.hdf5");
  CHECK_FALSE(found.softmax);
}

TEST_CASE("the named checkpoint is used, or none") {
  const TempDir dir;
  for (const char* name : {"options.json", "model.ckpt-5.index"}) touch(dir / name);
  std::ofstream(dir / "checkpoint") << "model_checkpoint_path: \"/train/model.ckpt-9\"\n";
  CHECK_THROWS_WITH_AS(
      locate_model(dir.path()),
      doctest::Contains("checkpoint names model.ckpt-9, but model.ckpt-9.index is missing"),
      InputError);
  touch(dir / "model.ckpt-9.index");
  CHECK(locate_model(dir.path()).weights == dir / "model.ckpt-9.index");
}

TEST_CASE("the only options and weights in a folder are its model, whatever their names") {
  for (const auto& [options, weights] : std::map<std::string, std::string>{
           {"options262.json", "weights.hdf5"},
           {"options.json", "en_weights_262.hdf5"},
           {"elmo_2x4096_options.json", "elmo_2x4096_weights_PubMed_only.hdf5"}}) {
    CAPTURE(options);
    const TempDir dir;
    touch(dir / options);
    touch(dir / weights);
    touch(dir / "elmo_2x4096_softmax_weights.hdf5");
    touch(dir / "tokenizer.json");
    const ModelLocation found = locate_model(dir.path());
    CHECK(found.options == dir / options);
    CHECK(found.weights == dir / weights);
    CHECK(found.softmax_lacks_words == options.starts_with("elmo"));
    touch(dir / "de_weights_262.hdf5");
    CHECK_THROWS_WITH_AS(locate_model(dir.path()), doctest::Contains("expected options.json and"),
                         InputError);
  }
}

TEST_CASE("a folder with several models or none is refused, with a list of its files") {
  const TempDir dir;
  CHECK_THROWS_WITH_AS(locate_model(dir.path()), doctest::Contains("no .json, .hdf5 or .pkl file"),
                       InputError);
  touch(dir / "a_options.json");
  touch(dir / "b_weights.hdf5");
  CHECK_THROWS_WITH_AS(locate_model(dir.path()),
                       doctest::Contains("holds a_options.json, b_weights.hdf5"), InputError);
  touch(dir / "b_options.json");
  touch(dir / "a_weights.hdf5");
  CHECK_THROWS_WITH_AS(locate_model(dir.path()),
                       doctest::Contains("2 models (a_options.json with a_weights.hdf5, "
                                         "b_options.json with b_weights.hdf5); expected one"),
                       InputError);
}

TEST_CASE("files that macOS adds to folders and archives are ignored") {
  const Files files = model_files(1);
  const TempDir dir;
  for (const char* name : {"options.json", "weights.hdf5", "._options.json", "._weights.hdf5"}) {
    touch(dir / name);
  }
  CHECK(locate_model(dir.path()).options == dir / "options.json");
  write_zip(dir / "model.zip", {{"en/options.json", files.options},
                                {"en/model.hdf5", files.weights},
                                {"en/._options.json", "attributes"},
                                {"en/._model.hdf5", "attributes"},
                                {"__MACOSX/en/._options.json", "attributes"},
                                {"__MACOSX/en/._model.hdf5", "attributes"},
                                {"__MACOSX/en/options.json", "attributes"},
                                {"__MACOSX/en/model.hdf5", "attributes"}});
  CHECK(locate_model(dir / "model.zip").options.path == "en/options.json");
}

TEST_CASE("a path that is not a model is refused") {
  const TempDir dir;
  CHECK_THROWS_WITH_AS(locate_model(dir / "none"), doctest::Contains("there is no model"),
                       InputError);
  touch(dir / "weights.hdf5");
  CHECK_THROWS_WITH_AS(locate_model(dir / "weights.hdf5"),
                       doctest::Contains("neither a folder nor a zip archive"), InputError);
  CHECK_THROWS_AS(locate_model("/dev/null"), InputError);
}

TEST_CASE("a model in a zip archive loads as the same model in a folder") {
  const Files files = model_files(7);
  const std::string expected = [&] {
    const TempDir dir;
    std::ofstream(dir / "options.json", std::ios::binary) << files.options;
    std::ofstream(dir / "weights.hdf5", std::ios::binary) << files.weights;
    return load_model(locate_model(dir.path())).fingerprint;
  }();
  for (const std::string folder : {"", "144/"}) {
    CAPTURE(folder);
    const TempDir dir;
    write_zip(dir / "144.zip", {{folder + "README", "x"},
                                {folder + "meta.json", "{}"},
                                {folder + "model.hdf5", files.weights},
                                {folder + "options.json", files.options},
                                {folder + "vocab.txt", "not read for a model of characters"}});
    const ModelLocation found = locate_model(dir / "144.zip");
    CHECK(found.options.archive == dir / "144.zip");
    CHECK(load_model(found).fingerprint == expected);
  }
}

TEST_CASE("files that training writes beside a model are read from an archive as well") {
  const ModelOptions options = small_options();
  const SoftmaxLayer softmax = small_softmax(small_options());
  const TokenizerDescription tokenizer = describe_tokenizer({});
  const TempDir dir;
  save_model(dir.path(), options, random_parameters(options, 1), nullptr,
             {.softmax = &softmax, .tokenizer = &tokenizer});
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    files["en_" + entry.path().filename().string()] = content_of(entry.path());
  }
  REQUIRE(files.size() == 5);
  write_zip(dir / "en.zip", files);
  const ModelLocation found = locate_model(dir / "en.zip");
  CHECK(load_model(found).tokenizer == tokenizer);
  CHECK(read_softmax(found, options)->weights.values == softmax.weights.values);
}

TEST_CASE("an archive without a model, or with several, is refused") {
  const TempDir dir;
  write_zip(dir / "a.zip", {{"options.json", "{}"}});
  CHECK_THROWS_WITH_AS(locate_model(dir / "a.zip"), doctest::Contains("holds options.json"),
                       InputError);
  write_zip(dir / "b.zip", {{"x/options.json", "{}"},
                            {"x/model.hdf5", ""},
                            {"y/options.json", "{}"},
                            {"y/model.hdf5", ""}});
  CHECK_THROWS_WITH_AS(locate_model(dir / "b.zip"), doctest::Contains("holds 2 models"),
                       InputError);
}

TEST_CASE("an archive with too many members or a file twice is refused") {
  const TempDir dir;
  const Files files = model_files(1);
  std::vector<std::pair<std::string, std::string>> members = {{"options.json", files.options},
                                                              {"model.hdf5", files.weights}};
  members.emplace_back("x/options.json", "{}");
  members.emplace_back("x/options.json", files.options);
  write_zip(dir / "twice.zip", members);
  CHECK_THROWS_WITH_AS(locate_model(dir / "twice.zip"),
                       doctest::Contains("twice.zip: has x/options.json twice"), InputError);
  members.resize(2);
  while (members.size() < 10'000) members.emplace_back(std::to_string(members.size()), "");
  write_zip(dir / "many.zip", members);
  CHECK_NOTHROW(locate_model(dir / "many.zip"));
  members.emplace_back("one more", "");
  write_zip(dir / "many.zip", members);
  CHECK_THROWS_WITH_AS(locate_model(dir / "many.zip"), doctest::Contains("more than 10000 members"),
                       InputError);
}

TEST_CASE("messages about a file in an archive name both") {
  const TempDir dir;
  Files files = model_files(1);
  write_zip(dir / "a.zip", {{"options.json", files.options}, {"model.hdf5", "no HDF5"}});
  CHECK_THROWS_WITH_AS(load_model(locate_model(dir / "a.zip")),
                       doctest::Contains("a.zip: model.hdf5 is not an HDF5 file"), InputError);
  write_zip(dir / "b.zip", {{"options.json", "{}"}, {"model.hdf5", files.weights}});
  CHECK_THROWS_WITH_AS(load_model(locate_model(dir / "b.zip")),
                       doctest::Contains("b.zip: options.json: lstm is missing"), InputError);
}

TEST_CASE("a member that is larger than the model can need is refused") {
  const TempDir dir;
  const Files files = model_files(1);
  write_zip(dir / "bomb.zip", {{"options.json", files.options},
                               {"model.hdf5", std::string(std::size_t{64} << 20, '\0')}});
  CHECK(std::filesystem::file_size(dir / "bomb.zip") < (std::size_t{1} << 20));
  CHECK_THROWS_WITH_AS(load_model(locate_model(dir / "bomb.zip")),
                       doctest::Contains("model.hdf5 is too large"), InputError);
  CHECK_THROWS_AS(read_zip_member(dir / "bomb.zip", "model.hdf5", 1000), InputError);
}

TEST_CASE("a damaged archive is refused wherever it is damaged") {
  const Files files = model_files(1);
  const TempDir dir;
  write_zip(dir / "whole.zip", {{"options.json", files.options}, {"model.hdf5", files.weights}});
  const std::string whole = content_of(dir / "whole.zip");
  const std::string expected = load_model(locate_model(dir / "whole.zip")).fingerprint;
  int undetected = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    CAPTURE(i);
    std::string damaged = whole;
    damaged[i * (whole.size() - 1) / 59] ^= '\x55';
    std::ofstream(dir / "damaged.zip", std::ios::binary) << damaged;
    std::string found = expected;
    try {
      found = load_model(locate_model(dir / "damaged.zip")).fingerprint;
      ++undetected;
    } catch (const InputError&) {
    }
    CHECK(found == expected);
  }
  CHECK(undetected < 10);  // dates and similar values
}

}  // namespace
}  // namespace elmo
