// Features as computed by CPUs with fewer instructions. Highway and oneDNN choose instructions once
// per process, so each set of instructions has its own process.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <hwy/targets.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/precision.h"
#include "core/kernels/product.h"
#include "core/model/bilm.h"
#include "core/model/options.h"
#include "core/model/parameters.h"
#include "io/model/model.h"
#include "tests/core/inference/collect.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

// Tolerances of float32 features between instruction sets, for features of about 1; the trained
// model's features reach 7.
constexpr double kTolerance = 1e-6;
constexpr double kTrainedTolerance = 5e-6;

// Smallest allowed cosines with float32 for a model of the default's size. They depend on its
// weights: elmo-tiny-en has 0.99994 and 0.9969.
const std::map<Precision, double> kLeastCosines{{Precision::bfloat16, 0.9999},
                                                {Precision::int8, 0.996}};

struct InstructionSet {
  std::string name;
  std::int64_t target;  ///< Highway's best target; better ones have smaller numbers
  std::string isa;      ///< oneDNN's best set, as in ONEDNN_MAX_CPU_ISA
};

/// Returns the sets that this machine has; the first has all its instructions.
std::vector<InstructionSet> instruction_sets() {
  std::vector<InstructionSet> sets{{"all", 1, "DEFAULT"}};
#if HWY_ARCH_X86
  for (const InstructionSet& set :
       {InstructionSet{"AVX-512 with VNNI", HWY_AVX3_DL, "AVX512_CORE_VNNI"},
        InstructionSet{"AVX-512", HWY_AVX3, "AVX512_CORE"},
        InstructionSet{"AVX2 with VNNI", HWY_AVX2, "AVX2_VNNI"},
        InstructionSet{"AVX2", HWY_AVX2, "AVX2"}, InstructionSet{"SSE4", HWY_SSE4, "SSE41"}}) {
    const bool is_there = (hwy::SupportedTargets() & (2 * set.target - 1)) != 0;
    if (is_there) sets.push_back(set);
  }
#else
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    sets.push_back({hwy::TargetName(target), target, "DEFAULT"});
  }
#endif
  return sets;
}

struct TestModel {
  std::string name;
  ModelOptions options;
  StoredParameters parameters;
  Sentences sentences;
  double tolerance = kTolerance;
  bool is_full_size = false;  ///< lower precisions are compared, too
};

std::vector<TestModel> test_models() {
  std::vector<TestModel> models;
  for (const ModelCase& each : model_cases()) {
    models.push_back(
        {each.name, each.options, random_parameters(each.options, 3), random_sentences(40, 25, 5)});
  }
  const ModelOptions tiny = *preset("tiny");
  Parameters fresh(tiny);
  initialize_parameters(fresh, tiny, 1);
  models.push_back({"tiny", tiny, std::move(fresh), random_sentences(40, 25, 5), kTolerance, true});

  LoadedModel trained = load_model(locate_model(ELMO_DEFAULT_MODEL));
  std::vector<std::string> english;
  std::string token;
  for (const char c : std::string(warm_text()) + ' ') {
    if (c != ' ') {
      token += c;
    } else {
      english.push_back(std::exchange(token, {}));
    }
  }
  models.push_back({"the default model",
                    trained.options,
                    std::move(trained.parameters),
                    {english},
                    kTrainedTolerance,
                    true});
  return models;
}

/// Returns activations of all rows of all tokens; empty if the precision is not supported.
std::vector<float> features(const TestModel& test, Precision precision) {
  std::vector<float> values;
  if (!is_supported(precision)) return values;
  StoredParameters to_pack = test.parameters;
  Lexicon lexicon;
  if (!test.options.char_cnn) lexicon = Lexicon(Vocabulary(model_words(test.options)));
  const Bilm model(test.options, std::move(to_pack), precision, std::move(lexicon));
  RunOptions options;
  options.threads = 2;
  for (const auto& sentence : embed_all(model, test.sentences, options).activations) {
    values.insert(values.end(), sentence.begin(), sentence.end());
  }
  return values;
}

using Features = std::vector<std::map<Precision, std::vector<float>>>;  // by model

void write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) _exit(1);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void read_all(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = read(file, bytes.data(), bytes.size());
    REQUIRE(got > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

std::vector<Precision> precisions_of(const TestModel& test) {
  if (!test.is_full_size) return {Precision::float32};
  return {Precision::float32, Precision::bfloat16, Precision::int8};
}

[[noreturn]] void compute(const InstructionSet& set, const std::vector<TestModel>& models, int to) {
  hwy::GetChosenTarget().Update(hwy::SupportedTargets() & ~(set.target - 1));
  setenv("ONEDNN_MAX_CPU_ISA", set.isa.c_str(), 1);
  try {
    for (const TestModel& model : models) {
      for (const Precision precision : precisions_of(model)) {
        const std::vector<float> values = features(model, precision);
        const std::size_t size = values.size();
        write_all(to, std::as_bytes(std::span(&size, 1)));
        write_all(to, std::as_bytes(std::span(values)));
      }
    }
  } catch (const std::exception&) {
    _exit(1);
  }
  _exit(0);
}

Features features_by(const InstructionSet& set, const std::vector<TestModel>& models) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) compute(set, models, ends[1]);
  close(ends[1]);
  Features found;
  for (const TestModel& model : models) {
    auto& of_model = found.emplace_back();
    for (const Precision precision : precisions_of(model)) {
      std::size_t size = 0;
      read_all(ends[0], std::as_writable_bytes(std::span(&size, 1)));
      of_model[precision].resize(size);
      read_all(ends[0], std::as_writable_bytes(std::span(of_model[precision])));
    }
  }
  close(ends[0]);
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  return found;
}

/// Compares rows of `width` numbers.
double least_cosine(const std::vector<float>& a, const std::vector<float>& b, std::size_t width) {
  double least = 1;
  for (std::size_t row = 0; row < a.size(); row += width) {
    double product = 0;
    double squares[2] = {0, 0};
    for (std::size_t i = row; i < row + width; ++i) {
      product += double{a[i]} * double{b[i]};
      squares[0] += double{a[i]} * double{a[i]};
      squares[1] += double{b[i]} * double{b[i]};
    }
    least = std::min(least, product / std::sqrt(squares[0] * squares[1]));
  }
  return least;
}

TEST_CASE("features agree on every instruction set") {
  const std::vector<TestModel> models = test_models();
  std::vector<Features> all;
  for (const InstructionSet& set : instruction_sets()) {
    CAPTURE(set.name);
    all.push_back(features_by(set, models));
    for (std::size_t m = 0; m < models.size(); ++m) {
      CAPTURE(models[m].name);
      const std::vector<float>& exact = all.back()[m].at(Precision::float32);
      REQUIRE(!exact.empty());
      for (const Features& other : all) {
        const std::vector<float>& expected = other[m].at(Precision::float32);
        REQUIRE(exact.size() == expected.size());
        double difference = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
          difference = std::max(difference, std::fabs(double{exact[i]} - double{expected[i]}));
        }
        CHECK(difference <= models[m].tolerance);
      }
      for (const auto& [precision, values] : all.back()[m]) {
        if (precision == Precision::float32) continue;
        CAPTURE(kPrecisions.word(precision));
        if (set.name == "SSE4") CHECK(values.empty());  // the limit is in force
        if (values.empty()) continue;
        REQUIRE(values.size() == exact.size());
        CHECK(least_cosine(values, exact,
                           static_cast<std::size_t>(models[m].options.lstm.projection_dim)) >=
              kLeastCosines.at(precision));
      }
    }
  }
}

}  // namespace
}  // namespace elmo
