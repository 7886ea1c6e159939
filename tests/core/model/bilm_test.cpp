#include "core/model/bilm.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/model/lstm.h"
#include "core/model/token_encoder.h"
#include "tests/core/tolerances.h"
#include "tests/fixtures/models.h"
#include "tests/reference/bilm.h"

namespace elmo {
namespace {

using Sentences = std::vector<std::vector<std::string>>;

std::optional<Vocabulary> vocabulary_of(const ModelOptions& options) {
  if (options.char_cnn) return std::nullopt;
  return Vocabulary(model_words(options));
}

// Returns activations [rows, 2L+1, P] of sentences with boundaries, on this many lanes, from the
// zero state.
AlignedVector<float> run(const Bilm& model, const Sentences& sentences, std::size_t lanes) {
  const ModelOptions& options = model.options();
  const auto width = static_cast<std::size_t>(options.lstm.projection_dim);
  const auto row = static_cast<std::size_t>(options.activation_rows()) * width;
  std::vector<SentenceRows> rows;
  std::uint32_t count = 0;
  for (const auto& sentence : sentences) {
    rows.push_back({count, static_cast<std::uint32_t>(sentence.size()) + 2});
    count += rows.back().size;
  }
  AlignedVector<float> activations(count * row);
  EncoderWorkspace encoder_workspace;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const std::vector<std::string_view> tokens(sentences[s].begin(), sentences[s].end());
    std::vector<float> vectors(tokens.size() * width);
    model.encoder().encode(tokens, vectors.data(), encoder_workspace);
    float* to = activations.data() + rows[s].begin * row;
    std::copy_n(model.encoder().begin_sentence().data(), width, to);
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      std::copy_n(vectors.data() + t * width, width, to + (t + 1) * row);
    }
    std::copy_n(model.encoder().end_sentence().data(), width, to + (tokens.size() + 1) * row);
  }
  LstmWorkspace workspace;
  RunMonitor monitor;
  const LstmState start = LstmState::zero(options.lstm, 1);
  const auto packed = pack_lanes(rows, lanes);
  for (const int direction : {0, 1}) {
    model.lstm(direction).run(schedule_lanes(packed, direction == 1, false), activations.data(),
                              start, nullptr, workspace, monitor);
  }
  return activations;
}

TEST_CASE("activations of every kind of model follow the equations") {
  const Sentences sentences = random_sentences(12, 9, 5);
  for (const ModelCase& model_case : model_cases()) {
    CAPTURE(model_case.name);
    const Parameters parameters = random_parameters(model_case.options, 7);
    const ReferenceBilm reference(model_case.options, parameters, model_words(model_case.options));
    Parameters to_pack = parameters;
    const Bilm model(model_case.options, std::move(to_pack), Precision::float32,
                     vocabulary_of(model_case.options));
    const AlignedVector<float> activations = run(model, sentences, 5);
    std::size_t place = 0;
    double largest = 0;
    for (const auto& sentence : sentences) {
      ReferenceState state = reference.zero_state();
      for (const auto& token : reference.activations(sentence, state, true)) {
        for (const auto& row : token) {
          for (const double value : row) {
            largest = std::max(largest, std::fabs(value - double{activations[place++]}));
          }
        }
      }
    }
    CHECK(place == activations.size());
    CHECK(largest < kFloat32Tolerance);
  }
}

TEST_CASE("the number of lanes does not change a sentence's activations") {
  const ModelOptions options = small_options();
  const Bilm model(options, random_parameters(options, 3), Precision::float32);
  const Sentences sentences = random_sentences(300, 12, 8);
  const AlignedVector<float> alone = run(model, sentences, 1);
  for (const std::size_t lanes : {2U, 31U, 100U, 300U}) {
    CAPTURE(lanes);
    CHECK(run(model, sentences, lanes) == alone);
  }
}

}  // namespace
}  // namespace elmo
