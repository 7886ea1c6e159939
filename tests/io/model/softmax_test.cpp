#include "io/model/softmax.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "core/error.h"
#include "io/dtype.h"
#include "io/h5/column.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kWidth = 8;  // P of small_options()

SoftmaxLayer random_softmax() {
  const std::vector<std::string> words{"the", "</S>", "<S>", "süß", "<UNK>"};
  SoftmaxLayer softmax(Vocabulary(words), kWidth);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float& value : softmax.weights.values) value = normal(random);
  for (float& value : softmax.bias.values) value = normal(random);
  return softmax;
}

/// A folder with a model that has a softmax.
class TrainedModel {
 public:
  explicit TrainedModel(Dtype dtype = Dtype::float32) {
    save_model(dir_.path(), small_options(), random_parameters(small_options(), 1), nullptr,
               {.dtype = dtype, .softmax = &softmax_});
  }

  const SoftmaxLayer& softmax() const { return softmax_; }
  fs::path operator/(const char* name) const { return dir_ / name; }
  ModelLocation location() const { return locate_model(dir_.path()); }
  std::optional<SoftmaxLayer> read() const { return read_softmax(location(), small_options()); }

 private:
  TempDir dir_;
  SoftmaxLayer softmax_ = random_softmax();
};

AlignedVector<float> rounded(const AlignedVector<float>& values) {
  AlignedVector<float> result(values.size());
  round_to_dtype(Dtype::float16, 1, values, result);
  return result;
}

TEST_CASE("a softmax is read as it was written") {
  const TrainedModel model;
  const std::optional<SoftmaxLayer> read = model.read();
  REQUIRE(read);
  CHECK(read->weights.values == model.softmax().weights.values);
  CHECK(read->bias.values == model.softmax().bias.values);
  REQUIRE(read->vocabulary.size() == 5);
  CHECK(read->vocabulary.word(3) == "süß");
  CHECK(read->vocabulary.row("never seen") == 4);

  const h5::Reader file(model / "softmax.hdf5");
  CHECK(file.dataset("/softmax/W").info().shape == std::vector<std::uint64_t>{5, kWidth});
  CHECK(file.dataset("/softmax/b").info().shape == std::vector<std::uint64_t>{5});
}

TEST_CASE(
    "a softmax in float16 is rounded to nearest even, its bias apart, and takes half the room") {
  const TrainedModel model(Dtype::float16);
  const std::optional<SoftmaxLayer> read = model.read();
  REQUIRE(read);
  CHECK(read->weights.values == rounded(model.softmax().weights.values));
  CHECK(read->bias.values == model.softmax().bias.values);
  const h5::Reader file(model / "softmax.hdf5");
  CHECK(file.dataset("softmax/W").info().storage_bytes == 5 * kWidth * 2);
}

TEST_CASE("published models have no softmax") {
  const TempDir dir;
  save_model(dir.path(), small_options(), random_parameters(small_options(), 1), nullptr);
  CHECK_FALSE(read_softmax(locate_model(dir.path()), small_options()));
}

TEST_CASE("a softmax without its vocabulary is refused") {
  const TrainedModel model;
  fs::remove(model / "vocabulary.txt");
  CHECK_THROWS_WITH_AS(
      model.read(), doctest::Contains("softmax.hdf5 has no vocabulary.txt beside it"), InputError);
}

TEST_CASE("a softmax of another shape is refused, naming what was found and expected") {
  const TrainedModel model;
  SUBCASE("one word more in the vocabulary") {
    std::ofstream(model / "vocabulary.txt", std::ios::app) << "more\n";
    CHECK_THROWS_WITH_AS(model.read(),
                         doctest::Contains("softmax/W is float32 (5, 8); expected float32 (6, 8)"),
                         InputError);
  }
  SUBCASE("another projection") {
    ModelOptions options = small_options();
    options.lstm.projection_dim = 16;
    CHECK_THROWS_WITH_AS(read_softmax(model.location(), options),
                         doctest::Contains("softmax/W is float32 (5, 8); expected float32 (5, 16)"),
                         InputError);
  }
  SUBCASE("a bias of another size") {
    h5::Writer file(model / "softmax.hdf5");
    file.write("softmax/W", std::vector<std::uint64_t>{5, kWidth}, model.softmax().weights.values);
    file.write("softmax/b", std::vector<std::uint64_t>{5, 1}, model.softmax().bias.values);
    file.close();
    CHECK_THROWS_WITH_AS(model.read(),
                         doctest::Contains("softmax/b is float32 (5, 1); expected float32 (5)"),
                         InputError);
  }
  SUBCASE("no bias") {
    h5::Writer file(model / "softmax.hdf5");
    file.write("softmax/W", std::vector<std::uint64_t>{5, kWidth}, model.softmax().weights.values);
    file.close();
    CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("softmax/b is missing"), InputError);
  }
  SUBCASE("not floats") {
    h5::Writer file(model / "softmax.hdf5");
    const std::vector<std::uint64_t> numbers(5 * kWidth);
    file.write("softmax/W", std::vector<std::uint64_t>{5, kWidth}, h5::Element::uint64,
               std::as_bytes(std::span(numbers)));
    file.write("softmax/b", std::vector<std::uint64_t>{5}, model.softmax().bias.values);
    file.close();
    CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("softmax/W is uint64 (5, 8)"), InputError);
  }
}

TEST_CASE("a vocabulary that is none is refused by its name") {
  const TrainedModel model;
  write_file(model / "vocabulary.txt", "the\nof\n");
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("vocabulary.txt: "), InputError);
}

TEST_CASE("a softmax cut short at any place is refused") {
  const TrainedModel model;
  const fs::path path = model / "softmax.hdf5";
  const std::uintmax_t bytes = fs::file_size(path);
  for (std::uintmax_t size = 0; size < bytes; size += 97) {
    fs::resize_file(path, size);
    CHECK_THROWS_AS(model.read(), InputError);
    write_softmax(path, model.softmax());
  }
}

TEST_CASE("a softmax of many words takes no memory when its file is a small one") {
  const TrainedModel model;
  std::string words = "<S>\n</S>\n<UNK>\n";
  for (int word = 0; word < 100000; ++word) words += std::to_string(word) + '\n';
  write_file(model / "vocabulary.txt", words);
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("expected float32 (100003, 8)"), InputError);
}

TEST_CASE("numbers that are not finite are refused with their place") {
  const TrainedModel model;
  SoftmaxLayer softmax = random_softmax();
  softmax.weights.values[kWidth + 2] = std::nanf("");
  write_softmax(model / "softmax.hdf5", softmax);
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("softmax.hdf5: softmax/W[1, 2] is NaN"),
                       InputError);
  softmax = random_softmax();
  softmax.bias.values[4] = std::numeric_limits<float>::infinity();
  write_softmax(model / "softmax.hdf5", softmax);
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("softmax.hdf5: softmax/b[4] is infinite"),
                       InputError);
}

TEST_CASE("a number that float16 cannot hold is refused by its name, and nothing is replaced") {
  const TrainedModel model;
  SoftmaxLayer large = random_softmax();
  large.weights.values[3] = -65504.0F;
  write_softmax(model / "largest.hdf5", large, Dtype::float16);
  large.weights.values[9] = 65520.0F;
  CHECK_THROWS_WITH_AS(write_softmax(model / "too_large.hdf5", large, Dtype::float16),
                       doctest::Contains("softmax/W holds 65520"), InputError);
  write_softmax(model / "float32.hdf5", large);

  CHECK_THROWS_AS(
      save_model(model.location().options.parent_path(), small_options(),
                 random_parameters(small_options(), 2), nullptr,
                 {.existing = ExistingModel::replaced, .dtype = Dtype::float16, .softmax = &large}),
      InputError);
  CHECK(model.read()->weights.values == model.softmax().weights.values);
  CHECK(load_model(model.location()).parameters.to_parameters().at("CNN_proj/W_proj").values ==
        random_parameters(small_options(), 1).at("CNN_proj/W_proj").values);
}

}  // namespace
}  // namespace elmo
