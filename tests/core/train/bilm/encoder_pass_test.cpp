#include "core/train/bilm/encoder_pass.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/token_encoder.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

TrainedBilm trained_model(const ModelOptions& options) {
  return {options, random_parameters(options, 3), small_softmax(options)};
}

TEST_CASE("training and inference compute the same character vectors") {
  const std::vector<std::string> spellings{"a", "house", "語", std::string(60, 'b')};
  // <S>, </S> and the spellings, not in the order of the rows.
  const std::vector<std::uint32_t> types{kFirstType + 1, kBeginSentenceType, kFirstType,
                                         kFirstType + 3, kEndSentenceType,   kFirstType + 2};
  for (const char* name : {"as published", "two highway layers", "no token projection", "tanh"}) {
    CAPTURE(name);
    TrainedBilm model = trained_model(model_case(name));
    const std::int64_t width = model.options.lstm.projection_dim;
    EncoderPass pass(model, spellings, true, Precision::float32);
    std::vector<float> vectors(types.size() * static_cast<std::size_t>(width));
    pass.forward(types, {0, 1, 2, 3, 4, 5}, vectors.data());

    StoredParameters stored(random_parameters(model.options, 3));
    const TokenEncoder encoder(model.options, {}, stored, Precision::float32);
    EncoderWorkspace workspace;
    double largest = 0.0;
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::vector<float> expected(static_cast<std::size_t>(width));
      if (types[i] < kFirstType) {
        const bool begins = types[i] == kBeginSentenceType;
        std::ranges::copy(begins ? encoder.begin_sentence() : encoder.end_sentence(),
                          expected.begin());
      } else {
        const std::string_view token = spellings[types[i] - kFirstType];
        encoder.encode({&token, 1}, expected.data(), workspace);
      }
      for (std::size_t p = 0; p < expected.size(); ++p) {
        const float found = vectors[i * expected.size() + p];
        largest = std::max(largest, std::fabs(double{found} - double{expected[p]}));
      }
    }
    CHECK(largest < kFloat32Tolerance);
  }
}

TEST_CASE("a share of the tokens leaves other rows unchanged") {
  TrainedBilm model = trained_model(small_options());
  const std::vector<std::string> spellings{"a", "b"};
  EncoderPass pass(model, spellings, true, Precision::float32);
  const auto width = static_cast<std::size_t>(model.options.lstm.projection_dim);
  std::vector<float> vectors(2 * width, 7.0F);
  const std::vector<std::uint32_t> types{kFirstType, kFirstType + 1};
  pass.forward(types, {1}, vectors.data());
  CHECK(std::all_of(vectors.begin(), vectors.begin() + static_cast<std::ptrdiff_t>(width),
                    [](float value) { return value == 7.0F; }));
  CHECK(vectors[width] != 7.0F);
}

TEST_CASE("word rows are looked up, and types of one row share its gradient") {
  TrainedBilm model = trained_model(model_case("words"));
  const auto width = static_cast<std::size_t>(model.options.lstm.projection_dim);
  const std::vector<std::int32_t> rows{0, 1, 9, 2, 2};  // <S>, </S>, a word, two unknown ones
  WordPass pass(model, rows);
  TrainingBatch batch;
  batch.types = {kBeginSentenceType, 2, 3, 4};
  batch.read_elsewhere = {kEndSentenceType, 2};
  std::vector<float> vectors(batch.types.size() * width);
  pass.forward(batch, vectors.data());
  for (std::size_t i = 0; i < batch.types.size(); ++i) {
    const float* row =
        pass.table().values.data() + static_cast<std::size_t>(rows[batch.types[i]]) * width;
    CHECK(std::equal(row, row + width, vectors.begin() + static_cast<std::ptrdiff_t>(i * width)));
  }
  CHECK(pass.table().touched == std::vector<std::int32_t>{0, 1, 2, 9});

  std::vector<float> gradient(vectors.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = static_cast<float>(i / width + 1);
  pass.backward(batch, gradient.data());
  REQUIRE(pass.table().gradient.size() == 4 * width);
  CHECK(pass.table().gradient[0] == 1.0F);
  CHECK(pass.table().gradient[width] == 0.0F);      // another lane reads it
  CHECK(pass.table().gradient[2 * width] == 7.0F);  // 3 + 4
  CHECK(pass.table().gradient[3 * width] == 2.0F);
}

}  // namespace
}  // namespace elmo
