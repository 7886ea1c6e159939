#include "io/model/many_langs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "io/model/model.h"
#include "tests/core/inference/collect.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/many_langs.h"
#include "tests/io/fixtures/torch_files.h"
#include "tests/reference/many_langs.h"

namespace elmo {
namespace {

using Keys = std::vector<std::string>;

std::string refusal_of_dictionary(const std::string& text) {
  try {
    parse_dictionary(text, "char.dic");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a dictionary's keys are in row order, for any order of lines") {
  CHECK(parse_dictionary("b\t1\na\t0\n<pad>\t2\n", "d") == Keys{"a", "b", "<pad>"});
  CHECK(parse_dictionary("a\t0\r\nb\t1", "d") == Keys{"a", "b"});
  CHECK(parse_dictionary("", "d").empty());
}

TEST_CASE("white space around a line is ignored, and a white-space key is U+3000") {
  CHECK(parse_dictionary("a\t0\n\u3000\t1\n", "d") == Keys{"a", "\u3000"});
  CHECK(parse_dictionary(" \t1\na\t0\n", "d") == Keys{"a", "\u3000"});
  CHECK(parse_dictionary("\u00a0\t0\n", "d") == Keys{"\u3000"});
  CHECK(parse_dictionary("\u2028a\t0 \x1c\n", "d") == Keys{"a"});
  CHECK(parse_dictionary("Việt Nam\t0\n", "d") == Keys{"Việt Nam"});
}

TEST_CASE("invalid dictionaries are refused, with the line") {
  CHECK(refusal_of_dictionary("a\t0\nb\n").find("char.dic:2: holds b; expected a key, a tab") == 0);
  CHECK(refusal_of_dictionary("a\t0\n\nb\t1\n").find("char.dic:2: is blank; expected") == 0);
  CHECK(refusal_of_dictionary("a\t-1\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0x0\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0\tb\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t99999999999999999999\n").find("char.dic:1: ") == 0);
  CHECK(refusal_of_dictionary("a\t0\nb\t2\n").find("char.dic:2: row 2 of 2 entries") == 0);
  CHECK(refusal_of_dictionary("a\t0\na\t1\n").find("char.dic:2: the key of line 1 again") == 0);
  CHECK(refusal_of_dictionary("a\t0\nb\t0\n").find("char.dic:2: the row of line 1 again") == 0);
  CHECK(refusal_of_dictionary(" \t0\n\u3000\t1\n").find("char.dic:2: the key of line 1 again") ==
        0);
  CHECK(refusal_of_dictionary("a\t0\n\xff\t1\n").find("char.dic: byte 4 is not UTF-8") == 0);
}

namespace fs = std::filesystem;

CollectingSink compute(const fs::path& path, RunOptions options = {},
                       Precision precision = Precision::float32) {
  LoadedModel loaded = load_model(locate_model(path));
  const Bilm model(loaded.options, std::move(loaded.parameters), precision,
                   std::move(loaded.lexicon));
  options.layers = LayerSelection::all;
  options.batch_tokens = 16;
  return embed_all(model, many_langs_sentences(), options);
}

/// Returns the largest difference of rows x, forward_1, backward_1, … of all sentences from the
/// reference. Sentence s begins with the final state of sentence s - lanes, or with zero.
double difference(const CollectingSink& found, const ReferenceManyLangs& reference,
                  std::size_t lanes) {
  double largest = 0.0;
  std::vector<ReferenceManyLangs::State> states(std::max<std::size_t>(lanes, 1),
                                                reference.zero_state());
  const auto sentences = many_langs_sentences();
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    ReferenceManyLangs::State zero = reference.zero_state();
    const auto layers =
        reference.layers(sentences[s], lanes == 0 ? zero : states[s % states.size()]);
    std::size_t place = 0;
    for (std::size_t token = 0; token < sentences[s].size(); ++token) {
      for (std::size_t row = 0; row + 1 < 2 * layers.size(); ++row) {
        const std::vector<double>& both = layers[(row + 1) / 2][token];
        const std::size_t half = both.size() / 2;
        const std::size_t first = row > 0 && row % 2 == 0 ? half : 0;
        for (std::size_t i = 0; i < half; ++i) {
          REQUIRE(place < found.activations[s].size());
          largest =
              std::max(largest, std::abs(both[first + i] - double{found.activations[s][place++]}));
        }
      }
    }
    CHECK(place == found.activations[s].size());
  }
  return largest;
}

std::string refusal_of_folder(const fs::path& path) {
  try {
    load_model(locate_model(path));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("every shape of ELMoForManyLangs models follows their equations") {
  for (const ManyLangsCase& model : many_langs_cases()) {
    CAPTURE(model.name);
    const TempDir dir;
    const auto tensors = random_tensors(model.spec, 1);
    write_many_langs(dir / "m", model.spec, tensors);
    const ReferenceManyLangs reference(model.spec, tensors);
    CHECK(difference(compute(dir / "m"), reference, 0) < kFloat32Tolerance);
    RunOptions carry;
    carry.initial_state = InitialState::carry;
    carry.lanes = 3;
    CHECK(difference(compute(dir / "m", carry), reference, 3) < kFloat32Tolerance);
  }
}

TEST_CASE("the model is the same in every format of tensors") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  const auto tensors = random_tensors(spec, 2);
  write_many_langs(dir / "plain", spec, tensors);
  const std::string fingerprint = load_model(locate_model(dir / "plain")).fingerprint;
  const std::vector<TorchStyle> styles{{.zip = true},
                                       {.zip = true, .prefix = "encoder"},
                                       {.storage = "DoubleStorage"},
                                       {.module = "torch.cuda"},
                                       {.rebuild = "_rebuild_tensor", .metadata = false},
                                       {.one_storage = true},
                                       {.transposed = true},
                                       {.zip = true, .one_storage = true, .transposed = true}};
  for (std::size_t i = 0; i < styles.size(); ++i) {
    CAPTURE(i);
    write_many_langs(dir / "other", spec, tensors, styles[i]);
    const LoadedModel loaded = load_model(locate_model(dir / "other"));
    CHECK(loaded.fingerprint == fingerprint);
    CHECK(loaded.remarks.empty());
  }
}

TEST_CASE("a zip archive holds a model as a folder does, also within a folder of its own") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  write_many_langs(dir / "m", spec, random_tensors(spec, 3));
  const std::string fingerprint = load_model(locate_model(dir / "m")).fingerprint;
  for (const std::string folder : {"", "ko.model/"}) {
    std::vector<std::pair<std::string, std::string>> members;
    for (const char* name : {"config.json", "little.json", "char.dic", "word.dic", "encoder.pkl",
                             "token_embedder.pkl"}) {
      members.emplace_back(folder + name, content_of(dir / "m" / name));
    }
    write_file(dir / "m.zip", zip_bytes(members));
    const LoadedModel loaded = load_model(locate_model(dir / "m.zip"));
    CHECK(loaded.fingerprint == fingerprint);
    CHECK(loaded.remarks.empty());
  }
}

TEST_CASE("the architecture is looked up in every possible location") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  write_many_langs(dir / "m", spec, random_tensors(spec, 4));
  const std::string fingerprint = load_model(locate_model(dir / "m")).fingerprint;
  const std::string text = architecture_text(spec);
  const auto finds = [&](const std::string& config_path, std::size_t remarks) {
    CAPTURE(config_path);
    write_file(dir / "m" / "config.json", "{\"config_path\": \"" + config_path + "\"}");
    const LoadedModel loaded = load_model(locate_model(dir / "m"));
    CHECK(loaded.fingerprint == fingerprint);
    CHECK(loaded.remarks.size() == remarks);
  };
  finds("little.json", 0);
  finds("./little.json", 0);
  finds("configs/little.json", 1);
  finds("/gone/with/the/cluster/little.json", 1);
  finds("../little.json", 1);
  finds(R"(.\\little.json)", 0);
  finds(R"(..\\configs\\little.json)", 1);
  finds(R"(C:\\models\\little.json)", 1);
  fs::create_directories(dir / "m" / "configs");
  fs::rename(dir / "m" / "little.json", dir / "m" / "configs" / "there.json");
  finds("configs/there.json", 0);
  fs::rename(dir / "m" / "configs" / "there.json", dir / "elsewhere.json");
  finds((dir / "elsewhere.json").string(), 1);
  fs::rename(dir / "elsewhere.json", dir / "m" / "cnn_50_100_512_4096_sample.json");
  finds("/gone/little.json", 1);
  // Without config.json, or if it names no file, the usual file is used; a name outside the folder
  // is not.
  write_file(dir / "m" / "config.json", "{\"config_path\": null}");
  CHECK(load_model(locate_model(dir / "m")).fingerprint == fingerprint);
  fs::remove(dir / "m" / "config.json");
  CHECK(load_model(locate_model(dir / "m")).fingerprint == fingerprint);
  // Without any file, the architecture of the published models is assumed, which does not match.
  fs::remove(dir / "m" / "cnn_50_100_512_4096_sample.json");
  CHECK(has(refusal_of_folder(dir / "m"), "is (10, 5); expected (10, 100)"));
  write_file(dir / "m" / "config.json", "{\"config_path\": 3}");
  CHECK(has(refusal_of_folder(dir / "m"), "config_path is 3; expected a string"));
}

TEST_CASE("a clip of 0 or null is no clip, and unused keys are ignored") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  write_many_langs(dir / "m", spec, random_tensors(spec, 8));
  const auto options_with = [&](const std::string& from, const std::string& to) {
    std::string text = architecture_text(spec);
    text.replace(text.find(from), from.size(), to);
    write_file(dir / "m" / "little.json", text);
    return load_model(locate_model(dir / "m")).options;
  };
  CHECK(options_with("\"cell_clip\": 1.0", "\"cell_clip\": null").lstm.cell_clip == std::nullopt);
  CHECK(options_with("\"proj_clip\": 0.5", "\"proj_clip\": 0").lstm.proj_clip == std::nullopt);
  CHECK(options_with("\"proj_clip\": 0.5", "\"proj_clip\": 2").lstm.proj_clip == 2.0F);
  const ModelOptions options = options_with("\"dropout\": 0.1", "\"dropout\": \"x\", \"y\": {}");
  CHECK(options.lstm.cell_clip == 1.0F);
  CHECK(options.lstm.forget_offset == 0.0F);
  CHECK(options.lstm.use_skip_connections);
}

TEST_CASE(
    "models other than biLMs, and models that their own program cannot compute, are refused") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  write_many_langs(dir / "m", spec, random_tensors(spec, 5));
  const auto refuses = [&](const std::string& from, const std::string& to,
                           const std::string& reason) {
    CAPTURE(to);
    std::string text = architecture_text(spec);
    const std::size_t place = text.find(from);
    REQUIRE(place != std::string::npos);
    text.replace(place, from.size(), to);
    write_file(dir / "m" / "little.json", text);
    const std::string said = refusal_of_folder(dir / "m");
    CAPTURE(said);
    CHECK(has(said, reason));
    CHECK(has(said, "little.json: "));
  };
  refuses("\"name\": \"elmo\"", "\"name\": \"lstm\"", "see both directions");
  refuses("\"name\": \"elmo\"", "\"name\": \"gru\"", "encoder.name is \"gru\"; expected \"elmo\"");
  refuses("\"name\": \"cnn\"", "\"name\": \"lstm\"", "does not compute");
  refuses("\"name\": \"cnn\"", "\"name\": \"bag\"", "token_embedder.name is \"bag\"");
  refuses("\"relu\"", "\"gelu\"", "expected one of relu, tanh");
  refuses("\"cell_clip\": 1.0", "\"clip\": 1.0", "cell_clip is missing");
  refuses("\"cell_clip\": 1.0", "\"cell_clip\": -1.0", "a positive number");
  refuses("\"n_highway\": 2", "\"highways\": 2", "n_highway is missing");
  refuses("\"max_characters_per_token\": 12", "\"max_characters_per_token\": 6", "from 7 to");
  refuses("\"word_dim\": 5", "\"word_dim\": 5.5", "a whole number");
  refuses("{", "", "is not JSON");
}

TEST_CASE("tensors must match the architecture and the dictionaries") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  const auto whole = random_tensors(spec, 6);
  const auto refuses = [&](std::array<SavedTensors, 2> tensors, const std::string& reason) {
    write_many_langs(dir / "m", spec, tensors);
    const std::string said = refusal_of_folder(dir / "m");
    CAPTURE(said);
    CHECK(has(said, reason));
  };
  auto tensors = whole;
  tensors[1].erase("backward_layer_1.state_projection.weight");
  refuses(tensors,
          "encoder.pkl: backward_layer_1.state_projection.weight is missing; "
          "expected (8, 16)");
  tensors = whole;
  tensors[0]["convolutions.1.weight"].shape = {8, 2, 4};
  refuses(tensors, "token_embedder.pkl: convolutions.1.weight is (8, 2, 4); expected (8, 4, 2)");
  tensors = whole;
  tensors[0]["projection.bias"].values[3] = INFINITY;
  refuses(tensors, "projection.bias");

  ManyLangsSpec wider = spec;
  wider.dim = 17;
  write_many_langs(dir / "m", spec, whole);
  write_file(dir / "m" / "little.json", architecture_text(wider));
  CHECK(has(refusal_of_folder(dir / "m"), "input_linearity.weight is (64, 8); expected (68, 8)"));

  tensors = whole;
  tensors[1]["another"] = {{2}, {1.0F, 2.0F}};
  write_many_langs(dir / "m", spec, tensors);
  CHECK(load_model(locate_model(dir / "m")).remarks.size() == 1);

  write_many_langs(dir / "m", spec, whole);
  write_file(dir / "m" / "word.dic", dictionary_text(spec.words) + "more\t10\n");
  CHECK(has(refusal_of_folder(dir / "m"), "is (10, 5); expected (11, 5)"));
  fs::remove(dir / "m" / "word.dic");
  CHECK(has(refusal_of_folder(dir / "m"), "has no word.dic beside it"));
  write_file(dir / "m" / "word.dic", "the\t0\n");
  CHECK(has(refusal_of_folder(dir / "m"), "word.dic: the vocabulary of 1 word lacks \"<oov>\""));
  write_many_langs(dir / "m", spec, whole);
  write_file(dir / "m" / "char.dic", "<bow>\t0\n<eow>\t1\n");
  CHECK(has(refusal_of_folder(dir / "m"),
            "char.dic: the dictionary's 2 characters do not have <bos>"));
}

TEST_CASE("lower precisions are as close to float32 as for other models") {
  const TempDir dir;
  const ManyLangsSpec spec = small_many_langs();
  for (const ManyLangsCase& model : many_langs_cases()) {
    CAPTURE(model.name);
    write_many_langs(dir / "m", model.spec, random_tensors(model.spec, 7));
    const CollectingSink exact = compute(dir / "m");
    for (const auto& [precision, tolerance] : {std::pair{Precision::bfloat16, kBfloat16Cosines},
                                               std::pair{Precision::int8, kInt8Cosines}}) {
      if (!is_supported(precision)) continue;
      const CollectingSink rounded = compute(dir / "m", {}, precision);
      double sum = 0.0;
      double least = 1.0;
      std::size_t vectors = 0;
      const auto width = static_cast<std::size_t>(spec.projection_dim);
      for (std::size_t s = 0; s < exact.activations.size(); ++s) {
        for (std::size_t at = 0; at < exact.activations[s].size(); at += width) {
          double dot = 0.0;
          double first = 0.0;
          double second = 0.0;
          for (std::size_t i = at; i < at + width; ++i) {
            const double a = exact.activations[s][i];
            const double b = rounded.activations[s][i];
            dot += a * b;
            first += a * a;
            second += b * b;
          }
          const double cosine = dot / std::sqrt(first * second);
          sum += cosine;
          least = std::min(least, cosine);
          ++vectors;
        }
      }
      CHECK(sum / static_cast<double>(vectors) > tolerance.mean);
      CHECK(least > tolerance.least);
    }
  }
}

}  // namespace

}  // namespace elmo
