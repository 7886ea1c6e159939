#include <doctest/doctest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/reader.h"
#include "io/outputs/sinks.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

/// Two layers besides the token layer: R = 5, W = 2.
const ActivationLayout kAll{{"x", "forward_1", "backward_1", "forward_2", "backward_2"}, 2};

std::string joined(const Sentence& sentence) {
  std::string text;
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (token != 0) text += ' ';
    text += sentence.token(token);
  }
  return text;
}

TEST_CASE("all layers are [L+1, T, 2P] with the token layer twice") {
  const TempDir dir;
  const auto sink = open_allennlp({.path = (dir / "out.hdf5").string()}, {.layout = kAll});
  feed(*sink, kAll, 0, 9, 4);
  const h5::Reader reader(dir / "out.hdf5");
  CHECK(reader.links("/").size() == 10);
  const auto index =
      nlohmann::json::parse(reader.dataset("sentence_to_index").read_strings(0, 1).front());
  CHECK(reader.dataset("sentence_to_index").info().shape == std::vector<std::uint64_t>{1});
  for (std::uint64_t number = 0; number < 9; ++number) {
    CAPTURE(number);
    const Sentence sentence = made_sentence(number);
    const std::size_t tokens = sentence.size();
    const h5::Dataset dataset = reader.dataset(std::to_string(number));
    REQUIRE(dataset.info().element == h5::Element::float32);
    REQUIRE(dataset.info().shape == std::vector<std::uint64_t>{3, tokens, 4});
    std::vector<float> read(3 * tokens * 4);
    dataset.read(read);
    const std::vector<float> made = made_activations(number, tokens, kAll);
    for (std::size_t token = 0; token < tokens; ++token) {
      const float* rows = made.data() + token * 10;
      const float* layer_0 = read.data() + token * 4;
      const float* layer_1 = layer_0 + tokens * 4;
      const float* layer_2 = layer_1 + tokens * 4;
      CHECK(std::vector(layer_0, layer_0 + 4) == std::vector{rows[0], rows[1], rows[0], rows[1]});
      CHECK(std::vector(layer_1, layer_1 + 4) == std::vector(rows + 2, rows + 6));
      CHECK(std::vector(layer_2, layer_2 + 4) == std::vector(rows + 6, rows + 10));
    }
    if (tokens > 0) CHECK(index.at(joined(sentence)) == std::to_string(number));
  }
}

TEST_CASE("one layer is [T, 2P], and sentences can be forgotten") {
  const TempDir dir;
  const ActivationLayout top{{"top"}, 4};
  const auto sink = open_allennlp({.path = (dir / "out.hdf5").string()},
                                  {.layout = top, .forget_sentences = true});
  feed(*sink, top, 0, 9, 100);
  const h5::Reader reader(dir / "out.hdf5");
  CHECK_FALSE(reader.exists("sentence_to_index"));
  const h5::Dataset dataset = reader.dataset("5");
  const std::size_t tokens = made_sentence(5).size();
  CHECK(dataset.info().shape == std::vector<std::uint64_t>{tokens, 4});
  std::vector<float> read(tokens * 4);
  dataset.read(read);
  CHECK(read == made_activations(5, tokens, top));
}

TEST_CASE("numbers are float16 on request, and numbers out of its range are found") {
  const TempDir dir;
  const ActivationLayout top{{"top"}, 4};
  const auto sink = open_allennlp({.path = (dir / "out.hdf5").string()},
                                  {.layout = top, .dtype = Dtype::float16});
  CHECK(sink->traits().value_limit == 65520.0F);
  feed(*sink, top, 0, 9, 100);
  const h5::Dataset dataset = h5::Reader(dir / "out.hdf5").dataset("5");
  CHECK(dataset.info().element == h5::Element::float16);
  std::vector<float> read(made_sentence(5).size() * 4);
  dataset.read(read);
  std::vector<float> rounded = made_activations(5, made_sentence(5).size(), top);
  round_to_dtype(Dtype::float16, 4, rounded, rounded);
  CHECK(read == rounded);
}

TEST_CASE("of equal sentences the last one is found, and boundaries are not words") {
  const TempDir dir;
  const ActivationLayout top{{"top"}, 1};
  const auto sink =
      open_allennlp({.path = (dir / "out.hdf5").string()}, {.layout = top, .boundaries = true});
  std::vector<Sentence> sentences(3);
  for (Sentence& sentence : sentences) {
    for (const char* token : {"<S>", "a", "\"b\"", "</S>"}) sentence.add(token, {});
  }
  sentences[2].clear();
  const std::vector<float> values(8);
  sink->write({0, sentences, values});
  sink->finish();
  const auto index = nlohmann::json::parse(
      h5::Reader(dir / "out.hdf5").dataset("sentence_to_index").read_strings(0, 1).front());
  CHECK(index == nlohmann::json({{"a \"b\"", "1"}, {"", "2"}}));
}

TEST_CASE("the file appears when it is complete, and replaces another only on request") {
  const TempDir dir;
  const ActivationLayout top{{"top"}, 1};
  {
    const auto sink = open_allennlp({.path = (dir / "out.hdf5").string()}, {.layout = top});
    CHECK_FALSE(std::filesystem::exists(dir / "out.hdf5"));
  }
  CHECK(std::filesystem::is_empty(dir.path()));
  std::ofstream(dir / "out.hdf5") << "old";
  CHECK_THROWS_AS((open_allennlp({.path = (dir / "out.hdf5").string()}, {.layout = top})),
                  RequestError);
  const auto sink =
      open_allennlp({.path = (dir / "out.hdf5").string(), .overwrite = true}, {.layout = top});
  CHECK(std::filesystem::file_size(dir / "out.hdf5") == 3);
  sink->finish();
  CHECK(h5::Reader(dir / "out.hdf5").dataset("sentence_to_index").read_strings(0, 1).front() ==
        "{}");
}

TEST_CASE("of two runs that write the same file, one reports it") {
  const TempDir dir;
  const ActivationLayout top{{"top"}, 1};
  for (const bool overwrite : {false, true}) {
    const auto first = open_allennlp({.path = (dir / "out.hdf5").string(), .overwrite = overwrite},
                                     {.layout = top});
    CHECK_THROWS_WITH_AS(
        (open_allennlp({.path = (dir / "out.hdf5").string(), .overwrite = overwrite},
                       {.layout = top})),
        doctest::Contains("another run is writing"), SystemError);
    first->finish();
    CHECK(h5::Reader(dir / "out.hdf5").exists("sentence_to_index"));
  }
  CHECK_THROWS_AS((open_allennlp({.path = "/dev/null", .overwrite = true}, {.layout = top})),
                  RequestError);
}

}  // namespace
}  // namespace elmo
