#include "io/model/weights.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "io/dtype.h"
#include "io/h5/dataset.h"
#include "io/h5/reader.h"
#include "io/h5/writer.h"
#include "io/model/model.h"
#include "io/model/save.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// A dataset to write: path, shape and values.
struct Entry {
  std::vector<std::uint64_t> shape;
  std::vector<float> values;
};
using Entries = std::map<std::string, Entry>;

Entries entries_of(const Parameters& parameters) {
  Entries entries;
  for (const Parameter& parameter : parameters.all()) {
    entries[parameter.name] = {{parameter.shape.begin(), parameter.shape.end()},
                               {parameter.values.begin(), parameter.values.end()}};
  }
  return entries;
}

void write_entries(const std::filesystem::path& path, const Entries& entries) {
  h5::Writer file(path);
  for (const auto& [name, entry] : entries) file.write(name, entry.shape, entry.values);
  file.close();
}

void check_equal(const Parameters& found, const Parameters& expected) {
  REQUIRE(found.all().size() == expected.all().size());
  for (std::size_t i = 0; i < found.all().size(); ++i) {
    CAPTURE(expected.all()[i].name);
    CHECK(found.all()[i].name == expected.all()[i].name);
    CHECK(found.all()[i].values == expected.all()[i].values);
  }
}

struct Read {
  Parameters parameters;
  ModelOptions options;
  std::vector<std::string> remarks;
};

Read read_weights(const std::filesystem::path& path, ModelOptions options) {
  std::vector<std::string> remarks;
  const std::string name = path.filename().string();
  StoredParameters parameters = read_weights(path, name, options, remarks);
  require_finite(name, parameters);
  return {parameters.to_parameters(), std::move(options), std::move(remarks)};
}

struct ReadBack {
  std::vector<std::string> remarks;
  std::string error;
};

/// Writes the entries to a file, reads it as a model with these options, and checks its parameters.
ReadBack read_back(const Entries& entries, const ModelOptions& options,
                   const Parameters& expected) {
  const TempDir dir;
  write_entries(dir / "w.hdf5", entries);
  try {
    const Read found = read_weights(dir / "w.hdf5", options);
    check_equal(found.parameters, expected);
    CHECK(found.options == options);
    return {found.remarks, ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

/// Returns the message for a changed file of small_options().
std::string refusal_of_weights(const std::function<void(Entries&)>& change) {
  const Parameters parameters = random_parameters(small_options(), 1);
  Entries entries = entries_of(parameters);
  change(entries);
  return read_back(entries, small_options(), parameters).error;
}

TEST_CASE("parameters of every shape of model survive being written and read") {
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const TempDir dir;
    const Parameters parameters = random_parameters(model.options, 1);
    write_weights(dir / "w.hdf5", parameters);
    const Read found = read_weights(dir / "w.hdf5", model.options);
    check_equal(found.parameters, parameters);
    CHECK(found.remarks.empty());
  }
}

TEST_CASE("of 262 character rows the first, that of the mask, is dropped") {
  const Parameters parameters = random_parameters(small_options(), 2);
  Entries entries = entries_of(parameters);
  Entry& characters = entries["char_embed"];
  characters.shape[0] = 262;
  characters.values.insert(characters.values.begin(), 4, 99.0F);
  const ReadBack outcome = read_back(entries, small_options(), parameters);
  CHECK(outcome.error == "");
  CHECK(outcome.remarks.size() == 1);
}

TEST_CASE("a model of one layer may have names without MultiRNNCell/Cell0") {
  const ModelOptions options = model_case("one layer");
  const Parameters parameters = random_parameters(options, 3);
  Entries entries;
  for (const auto& [name, entry] : entries_of(parameters)) {
    std::string path = name;
    const std::string level = "MultiRNNCell/Cell0/";
    const std::size_t place = path.find(level);
    if (place != std::string::npos) path.erase(place, level.size());
    entries[path] = entry;
  }
  CHECK(entries.count("RNN_1/RNN/LSTMCell/W_0") == 1);
  const ReadBack outcome = read_back(entries, options, parameters);
  CHECK(outcome.error == "");
  CHECK(outcome.remarks.size() == 1);
}

TEST_CASE("datasets that the options do not imply are ignored") {
  CHECK(refusal_of_weights([](Entries& entries) {
          entries["softmax/W"] = {{2}, {1.0F, 2.0F}};
        }) == "");
}

template <typename Number>
void write_as(const std::filesystem::path& path, const Parameters& parameters, h5::Element element,
              h5::Compression compression, const std::function<Number(float)>& convert) {
  h5::Writer file(path);
  for (const auto& [name, entry] : entries_of(parameters)) {
    h5::Column column(file, name, element, {entry.shape.begin() + 1, entry.shape.end()},
                      compression);
    std::vector<Number> values;
    for (const float value : entry.values) values.push_back(convert(value));
    column.append(std::as_bytes(std::span<const Number>(values)));
    column.finish();
  }
  file.close();
}

TEST_CASE("float64 and compressed parameters are read as well") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 4);
  write_as<double>(dir / "w.hdf5", parameters, h5::Element::float64, h5::Compression::gzip,
                   [](float value) { return static_cast<double>(value); });
  const Read found = read_weights(dir / "w.hdf5", small_options());
  check_equal(found.parameters, parameters);
  CHECK(found.remarks.size() == 2);
}

TEST_CASE("float16 parameters are read as well") {
  const TempDir dir;
  Parameters parameters(small_options());
  for (Parameter& parameter : parameters.all()) {
    std::fill(parameter.values.begin(), parameter.values.end(), -0.5F);
  }
  write_as<std::uint16_t>(dir / "w.hdf5", parameters, h5::Element::float16, h5::Compression::none,
                          [](float) { return std::uint16_t{0xB800}; });
  const Read found = read_weights(dir / "w.hdf5", small_options());
  check_equal(found.parameters, parameters);
  CHECK(found.remarks.size() == 1);
}

TEST_CASE("parameters written in float16 are rounded to nearest even, except biases") {
  const TempDir dir;
  for (const ModelCase& model : model_cases()) {
    CAPTURE(model.name);
    const Parameters parameters = random_parameters(model.options, 1);
    write_weights(dir / "w.hdf5", parameters, Dtype::float16);
    const Read found = read_weights(dir / "w.hdf5", model.options);
    for (const Parameter& parameter : parameters.all()) {
      CAPTURE(parameter.name);
      AlignedVector<float> expected = parameter.values;
      const bool bias = parameter.shape.size() == 1;
      if (!bias) round_to_dtype(Dtype::float16, 1, parameter.values, expected);
      CHECK(found.parameters.at(parameter.name).values == expected);
      const h5::Reader file(dir / "w.hdf5");
      CHECK(file.dataset(parameter.name).info().element ==
            (bias ? h5::Element::float32 : h5::Element::float16));
    }
    CHECK(std::ranges::count(found.remarks, "parameters stored as float16") == 1);
  }
}

TEST_CASE("a number that is not finite is refused with its position") {
  const TempDir dir;
  const float infinite = std::numeric_limits<float>::infinity();
  const std::string bias = lstm_prefix(1, 0) + "B";
  for (const auto& [name, place, value, says] :
       {std::tuple{std::string("CNN_proj/W_proj"), 17, std::nanf(""),
                   std::string("w.hdf5: CNN_proj/W_proj[2, 1] is NaN; expected finite numbers")},
        std::tuple{bias, 3, -infinite,
                   "w.hdf5: " + bias + "[3] is minus infinite; expected finite numbers"}}) {
    CAPTURE(says);
    Parameters parameters = random_parameters(small_options(), 1);
    parameters.at(name).values[static_cast<std::size_t>(place)] = value;
    write_weights(dir / "w.hdf5", parameters);
    CHECK_THROWS_WITH_AS(read_weights(dir / "w.hdf5", small_options()), says.c_str(), InputError);
  }
  // A value too large for float32.
  Parameters parameters = random_parameters(small_options(), 1);
  write_as<double>(dir / "w.hdf5", parameters, h5::Element::float64, h5::Compression::none,
                   [](float) { return 1e300; });
  CHECK_THROWS_WITH_AS(read_weights(dir / "w.hdf5", small_options()),
                       doctest::Contains("char_embed[0, 0] is infinite"), InputError);
}

TEST_CASE("a parameter that float16 cannot hold is refused by its name") {
  const TempDir dir;
  Parameters parameters = random_parameters(small_options(), 1);
  parameters.at("CNN_proj/W_proj").values[2] = -1e6F;
  CHECK_THROWS_WITH_AS(write_weights(dir / "w.hdf5", parameters, Dtype::float16),
                       doctest::Contains("CNN_proj/W_proj holds -1e+06, "), InputError);
}

TEST_CASE("a missing dataset is named, with the expected shape") {
  CHECK(refusal_of_weights([](Entries& entries) { entries.erase("CNN/W_cnn_1"); }) ==
        "w.hdf5: CNN/W_cnn_1 is missing; expected a dataset of (1, 2, 4, 8)");
  CHECK(refusal_of_weights([](Entries& entries) { entries.erase("char_embed"); }) ==
        "w.hdf5: char_embed is missing; expected a dataset of (261, 4)");
  CHECK(refusal_of_weights([](Entries& entries) { entries.erase(lstm_prefix(1, 1) + "W_P_0"); }) ==
        "w.hdf5: RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell/W_P_0 is missing; expected a dataset of "
        "(16, 8)");
  CHECK(refusal_of_weights([](Entries& entries) { entries.clear(); }) != "");
}

TEST_CASE("a dataset of another shape is named, with both shapes") {
  CHECK(refusal_of_weights([](Entries& entries) {
          entries["char_embed"] = {{260, 4}, std::vector<float>(1040)};
        }) ==
        "w.hdf5: char_embed is float32 (260, 4); expected float32 (261, 4), as the model's options "
        "say");
  CHECK(refusal_of_weights([](Entries& entries) {
          entries["CNN_proj/b_proj"] = {{4}, {1, 2, 3, 4}};
        }) != "");
  CHECK(refusal_of_weights([](Entries& entries) {
          entries["CNN_proj/b_proj"].shape = {8, 1};
        }) != "");
  CHECK(refusal_of_weights([](Entries& entries) {
          entries["CNN_proj/b_proj"] = {{}, {1.0F}};
        }) != "");
  CHECK(refusal_of_weights([](Entries& entries) { entries["CNN_proj/b_proj"] = {{0}, {}}; }) != "");
  CHECK(refusal_of_weights([](Entries& entries) {
          entries[lstm_prefix(0, 0) + "W_0"].shape = {64, 16};  // the same number of values
        }) != "");
}

TEST_CASE("a dataset of another type, or a group in its place, is refused") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 1);
  const auto refused = [&](const std::string& instead) {
    {
      h5::Writer file(dir / "w.hdf5");
      for (const auto& [name, entry] : entries_of(parameters)) {
        if (name != "CNN/b_cnn_0") file.write(name, entry.shape, entry.values);
      }
      if (instead == "strings") {
        const std::vector<std::string> strings(4, "x");
        file.write("CNN/b_cnn_0", std::span<const std::string>(strings));
      } else if (instead == "integers") {
        h5::Column column(file, "CNN/b_cnn_0", h5::Element::uint64, {}, h5::Compression::none);
        column.append(std::vector<std::byte>(32));
        column.finish();
      } else {
        const std::vector<std::uint64_t> shape{4};
        file.write("CNN/b_cnn_0/values", shape, std::vector<float>(4));
      }
      file.close();
    }
    CHECK_THROWS_WITH_AS(read_weights(dir / "w.hdf5", small_options()),
                         doctest::Contains("CNN/b_cnn_0"), InputError);
  };
  refused("strings");
  refused("integers");
  refused("a group");
}

TEST_CASE("options of a huge model take no memory if the file is small") {
  ModelOptions options = small_options();
  options.lstm.dim = kMaxDimension;
  options.lstm.projection_dim = kMaxDimension;
  options.char_cnn->n_highway = kMaxLayers;
  options.lstm.n_layers = kMaxLayers;
  const Parameters parameters = random_parameters(small_options(), 1);
  CHECK(read_back(entries_of(parameters), options, parameters).error != "");
}

TEST_CASE("if the options do not state the number of words, the embedding does") {
  const TempDir dir;
  const ModelOptions words = model_case("words");
  const Parameters parameters = random_parameters(words, 1);
  write_weights(dir / "words.hdf5", parameters);
  ModelOptions incomplete = words;
  incomplete.n_tokens_vocab = 0;
  const Read found = read_weights(dir / "words.hdf5", incomplete);
  CHECK(found.options == words);
  CHECK(found.remarks.size() == 1);
  check_equal(found.parameters, parameters);
  write_weights(dir / "characters.hdf5", random_parameters(small_options(), 1));
  CHECK_THROWS_WITH_AS(read_weights(dir / "characters.hdf5", incomplete),
                       doctest::Contains("embedding is missing"), InputError);
}

TEST_CASE("parameters are the same from the file itself and through HDF5") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 5);
  for (const Dtype dtype : {Dtype::float32, Dtype::float16}) {
    write_weights(dir / "w.hdf5", parameters, dtype);
    const Read found = read_weights(dir / "w.hdf5", small_options());
    const h5::Reader file(dir / "w.hdf5");
    for (const Parameter& parameter : found.parameters.all()) {
      CAPTURE(parameter.name);
      AlignedVector<float> through_library(parameter.size());
      file.dataset(parameter.name).read(through_library);
      CHECK(parameter.values == through_library);
    }
  }
}

TEST_CASE("a file with another program's data in front is read as well") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 6);
  write_weights(dir / "w.hdf5", parameters);
  write_file(dir / "behind.hdf5", std::string(512, '#') + content_of(dir / "w.hdf5"));
  check_equal(read_weights(dir / "behind.hdf5", small_options()).parameters, parameters);
}

TEST_CASE("a file cut anywhere is refused or, if nothing is missing, read") {
  const TempDir dir;
  const Parameters parameters = random_parameters(small_options(), 1);
  write_weights(dir / "w.hdf5", parameters);
  const std::uintmax_t size = std::filesystem::file_size(dir / "w.hdf5");
  for (std::uintmax_t cut = size - 1; cut > 0; cut = cut * 9 / 10) {
    CAPTURE(cut);
    std::filesystem::resize_file(dir / "w.hdf5", cut);
    CHECK_THROWS_AS(read_weights(dir / "w.hdf5", small_options()), InputError);
  }
}

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

/// Makes a folder with a model that has a softmax.
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

TEST_CASE("a softmax is read back") {
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
    "a softmax in float16 is rounded to nearest even, except its bias, and takes half the space") {
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

TEST_CASE("a softmax without its vocabulary counts as missing") {
  const TrainedModel model;
  fs::remove(model / "vocabulary.txt");
  CHECK_FALSE(model.read());
  CHECK(locate_model(model / "").softmax_lacks_words);
}

TEST_CASE("a softmax of another shape is refused, with both shapes") {
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

TEST_CASE("an invalid vocabulary is refused and named") {
  const TrainedModel model;
  write_file(model / "vocabulary.txt", "the\nof\n");
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("vocabulary.txt: "), InputError);
}

TEST_CASE("a softmax cut anywhere is refused") {
  const TrainedModel model;
  const fs::path path = model / "softmax.hdf5";
  const std::uintmax_t bytes = fs::file_size(path);
  for (std::uintmax_t size = 0; size < bytes; size += 97) {
    fs::resize_file(path, size);
    CHECK_THROWS_AS(model.read(), InputError);
    write_softmax(path, model.softmax());
  }
}

TEST_CASE("a softmax of many words takes no memory if its file is small") {
  const TrainedModel model;
  std::string words = "<S>\n</S>\n<UNK>\n";
  for (int word = 0; word < 100000; ++word) words += std::to_string(word) + '\n';
  write_file(model / "vocabulary.txt", words);
  CHECK_THROWS_WITH_AS(model.read(), doctest::Contains("expected float32 (100003, 8)"), InputError);
}

TEST_CASE("numbers that are not finite are refused with their position") {
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

  CHECK_THROWS_AS(save_model(model.location().options.path.parent_path(), small_options(),
                             random_parameters(small_options(), 2), nullptr,
                             {.overwrite = true, .dtype = Dtype::float16, .softmax = &large}),
                  InputError);
  CHECK(model.read()->weights.values == model.softmax().weights.values);
  CHECK(load_model(model.location()).parameters.to_parameters().at("CNN_proj/W_proj").values ==
        random_parameters(small_options(), 1).at("CNN_proj/W_proj").values);
}

}  // namespace

}  // namespace elmo
