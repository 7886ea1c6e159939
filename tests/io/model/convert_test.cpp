#include "io/model/convert.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/model/save.h"
#include "tests/core/inference/collect.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/many_langs.h"

namespace elmo {
namespace {

CollectingSink compute(LoadedModel model, const Sentences& sentences) {
  const Bilm bilm(model.options, std::move(model.parameters), Precision::float32,
                  std::move(model.lexicon));
  return embed_all(bilm, sentences, {});
}

LoadedModel many_langs(const TempDir& dir, const std::string& name, std::uint64_t seed) {
  for (ManyLangsCase& model : many_langs_cases()) {
    if (model.name != name) continue;
    std::replace(model.spec.words.begin(), model.spec.words.end(), std::string("<S>"),
                 std::string("word"));
    write_many_langs(dir / "m", model.spec, random_tensors(model.spec, seed));
  }
  return load_model(locate_model(dir / "m"));
}

std::string refusal_of_conversion(LoadedModel model) {
  try {
    to_published_layout(std::move(model));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a word-only model computes the same in the published layout") {
  const Sentences sentences{{"the", "나는", ".", "unknown", "<oov>"}, {"café"}};
  for (const char* name : {"words alone", "words alone, embedder lstm"}) {
    CAPTURE(name);
    const TempDir dir;
    const CollectingSink expected = compute(many_langs(dir, name, 1), sentences);
    const ConvertedModel model = to_published_layout(many_langs(dir, name, 1));
    REQUIRE(model.vocabulary);
    CHECK(model.vocabulary->word(0) == "<UNK>");
    CHECK(model.vocabulary->word(1) == "<S>");
    CHECK(model.losses.size() == (std::string(name) == "words alone" ? 4 : 3));
    save_model(dir / "saved", model.options, model.parameters, &*model.vocabulary);
    const CollectingSink found = compute(load_model(locate_model(dir / "saved")), sentences);
    REQUIRE(found.activations.size() == expected.activations.size());
    for (std::size_t s = 0; s < found.activations.size(); ++s) {
      REQUIRE(found.activations[s].size() == expected.activations[s].size());
      for (std::size_t i = 0; i < found.activations[s].size(); ++i) {
        CHECK(std::abs(double{found.activations[s][i]} - double{expected.activations[s][i]}) <
              kFloat32Tolerance);
      }
    }
  }
}

TEST_CASE("a character model becomes a word-level model, exact for the given words") {
  const std::vector<std::string> list{"the", "<UNK>", "나는", "<S>", "</S>", "abcdefghijklm"};
  const Sentences sentences{{"the", "나는", "abcdefghijklm", "the"}, {"나는"}};
  const TempDir dir;
  for (const char* name : {"words and characters", "characters alone", "tanh"}) {
    CAPTURE(name);
    const CollectingSink expected = compute(many_langs(dir, name, 5), sentences);
    const ConvertedModel model = to_words(many_langs(dir, name, 5), Vocabulary(list));
    save_model(dir / name, model.options, model.parameters, &*model.vocabulary);
    const CollectingSink found = compute(load_model(locate_model(dir / name)), sentences);
    REQUIRE(found.activations.size() == expected.activations.size());
    for (std::size_t s = 0; s < found.activations.size(); ++s) {
      REQUIRE(found.activations[s].size() == expected.activations[s].size());
      for (std::size_t i = 0; i < found.activations[s].size(); ++i) {
        CHECK(std::abs(double{found.activations[s][i]} - double{expected.activations[s][i]}) <
              kFloat32Tolerance);
      }
    }
  }
  CHECK_THROWS_WITH_AS(to_words(many_langs(dir, "words alone", 5), Vocabulary(list)),
                       doctest::Contains("its own words"), RequestError);
}

TEST_CASE("models that published files cannot hold are refused with the reason") {
  const TempDir dir;
  const auto reason = [&](const std::string& name) {
    return refusal_of_conversion(many_langs(dir, name, 2));
  };
  CHECK(reason("words and characters").find("words beside characters") != std::string::npos);
  CHECK(reason("characters alone").find("code points of a dictionary") != std::string::npos);
  ManyLangsSpec spec = small_many_langs();
  spec.char_dim = 0;
  write_many_langs(dir / "m", spec, random_tensors(spec, 3));
  CHECK(refusal_of_conversion(load_model(locate_model(dir / "m"))).find("the word <S>, row 9") !=
        std::string::npos);
  spec.words.back() = "!!!MAXTERMID";
  write_many_langs(dir / "m", spec, random_tensors(spec, 3));
  CHECK(refusal_of_conversion(load_model(locate_model(dir / "m"))).find("MAXTERMID") !=
        std::string::npos);
  spec.words = {"the", "<pad>", "<oov>"};
  write_many_langs(dir / "m", spec, random_tensors(spec, 3));
  CHECK(refusal_of_conversion(load_model(locate_model(dir / "m"))).find("boundaries") !=
        std::string::npos);
  spec = small_many_langs();
  spec.char_dim = 0;
  spec.dim = spec.projection_dim;
  spec.words.pop_back();
  write_many_langs(dir / "m", spec, random_tensors(spec, 3));
  CHECK(refusal_of_conversion(load_model(locate_model(dir / "m"))).find("to as many outputs") !=
        std::string::npos);
}

TEST_CASE("a published model is unchanged") {
  const TempDir dir;
  const ModelOptions options = small_options();
  save_model(dir / "m", options, random_parameters(options, 4), nullptr);
  LoadedModel loaded = load_model(locate_model(dir / "m"));
  const ConvertedModel model = to_published_layout(std::move(loaded));
  CHECK(model.options == options);
  CHECK(model.losses.empty());
  CHECK_FALSE(model.vocabulary);
  const Parameters expected = random_parameters(options, 4);
  for (const Parameter& parameter : expected.all()) {
    CHECK(model.parameters.at(parameter.name).values == parameter.values);
  }
}

}  // namespace
}  // namespace elmo
