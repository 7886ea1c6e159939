#include "io/engine/model.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include "core/error.h"
#include "io/engine/model_check.h"
#include "io/model/save.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Sets the folder of installed models during its lifetime.
class Models {
 public:
  Models() { ::setenv("ELMO_MODEL_PATH", dir_.path().c_str(), 1); }
  ~Models() { ::unsetenv("ELMO_MODEL_PATH"); }
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;

  /// Installs a random model, or a folder without one.
  std::filesystem::path install(const char* name, bool whole = true) const {
    std::filesystem::create_directories(dir_ / name);
    if (whole) {
      save_model(dir_ / name, small_options(), random_parameters(small_options(), 1), nullptr);
    }
    return dir_ / name;
  }

 private:
  TempDir dir_;
};

TEST_CASE("without a name, the default model is opened if it is installed") {
  const Models models;
  CHECK_THROWS_WITH_AS(open_model({}), doctest::Contains("is not installed"), RequestError);
  const std::filesystem::path folder = models.install(kDefaultModel, false);
  CHECK_THROWS_AS(open_model({}), InputError);
  models.install(kDefaultModel);
  const OpenedModel opened = open_model({});
  CHECK(opened.location.weights == folder / "weights.hdf5");
  CHECK(opened.path == folder);
  CHECK(opened.installed == kDefaultModel);
}

TEST_CASE("a name is that of an installed model unless a path of that name is a model") {
  const Models models;
  const std::filesystem::path folder = models.install("mine");
  CHECK(open_model({.model = "mine"}).path == folder);
  CHECK(open_model({.model = "mine"}).installed == "mine");
  CHECK(model_path("mine") == folder);
  CHECK(model_path("other") == "other");
  const OpenedModel by_path = open_model({.model = folder.string()});
  CHECK(by_path.path == folder);
  CHECK(by_path.installed.empty());
}

TEST_CASE("files that are named one by one have no folder, and an archive counts as one file") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  const OpenedModel opened = open_model({.model = "",
                                         .options = (dir / "options.json").string(),
                                         .weights = (dir / "weights.hdf5").string()});
  CHECK(opened.path.empty());
  CHECK(files_of(opened.location) ==
        std::vector<std::string>{(dir / "options.json").string(), (dir / "weights.hdf5").string()});
  ModelLocation archived;
  archived.options = ModelFile("options.json", "a.zip");
  archived.weights = ModelFile("weights.hdf5", "a.zip");
  CHECK(files_of(archived) == std::vector<std::string>{"a.zip", "a.zip"});
}

TEST_CASE("an inspected model is described whether it is checked or not") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  for (const bool check : {false, true}) {
    const InspectedModel model = inspect_model(dir.path(), check);
    CHECK(model.parameters == random_parameters(small_options(), 1).count());
    CHECK(model.loaded.fingerprint.size() == 32);
    CHECK(model.check.has_value() == check);
  }
}

}  // namespace
}  // namespace elmo
