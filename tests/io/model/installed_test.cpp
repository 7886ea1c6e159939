#include "io/model/installed.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>

#include "core/error.h"
#include "io/model/save.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// The folder of installed models, as long as it lives.
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

TEST_CASE("installed models are found by their names, and names lead nowhere else") {
  const Models models;
  CHECK_FALSE(installed_model("mine"));
  std::filesystem::create_directories(models / "mine" / "inner");
  CHECK(installed_model("mine") == models / "mine");
  for (const char* name : {"", ".", "..", "mine/inner", "/", "other"}) {
    CHECK_FALSE(installed_model(name));
  }
}

TEST_CASE("the default model is the installed one of its name") {
  const Models models;
  CHECK_FALSE(default_model());
  const std::filesystem::path folder = models / kDefaultModel;
  std::filesystem::create_directory(folder);
  CHECK_THROWS_AS(default_model(), InputError);
  save_model(folder, small_options(), random_parameters(small_options(), 1), nullptr);
  const std::optional<ModelLocation> found = default_model();
  REQUIRE(found);
  CHECK(found->weights == folder / "weights.hdf5");
}

}  // namespace
}  // namespace elmo
