#include "cli/info/check.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "cli/common/human.h"
#include "cli/common/process.h"
#include "core/error.h"
#include "core/inference/embed.h"
#include "io/model/weights.h"

namespace elmo {
namespace {

/// No known model comes near it; bytes in the wrong order give far more.
constexpr float kMaxMagnitude = 1000.0F;

/// Smallest deviation between tokens. Random models have more than 0.01.
constexpr double kMinDeviation = 1e-5;

/// The sentences of warm_text().
class BuiltInText final : public SentenceSource {
 public:
  bool next(Sentence& sentence) override {
    sentence.clear();
    sentence.document = document_;
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find(' '), rest_.size());
      const std::string_view token = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      sentence.add(token, {});
      if (token == ".") break;
    }
    return sentence.size() > 0;
  }

 private:
  std::string_view rest_ = warm_text();
  std::shared_ptr<const Document> document_ =
      std::make_shared<const Document>(Document{0, "the built-in text"});
};

/// Keeps the activations of a short text.
class KeepingSink final : public ActivationSink {
 public:
  void write(const ActivationBatch& batch) override {
    values_.insert(values_.end(), batch.activations.begin(), batch.activations.end());
  }
  void end_segment(const SegmentEnd&) override {}
  void finish() override {}

  std::span<const float> values() const { return values_; }

 private:
  std::vector<float> values_;
};

/// Returns the range of row `row` in values [tokens, rows of `layout`, width].
LayerRange range_of(std::span<const float> values, const ActivationLayout& layout,
                    std::size_t row) {
  const auto width = static_cast<std::size_t>(layout.width);
  const auto stride = static_cast<std::size_t>(layout.values_per_token());
  const std::size_t count = values.size() / stride;
  const auto tokens = static_cast<double>(count);
  LayerRange range{layout.rows[row], values[row * width], values[row * width]};
  double variance = 0.0;
  for (std::size_t column = row * width; column < (row + 1) * width; ++column) {
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = column; i < values.size(); i += stride) {
      range.least = std::min(range.least, values[i]);
      range.greatest = std::max(range.greatest, values[i]);
      sum += values[i];
    }
    for (std::size_t i = column; i < values.size(); i += stride) {
      squares += std::pow(values[i] - sum / tokens, 2);
    }
    variance += squares / tokens;
  }
  range.deviation = std::sqrt(variance / static_cast<double>(width));
  return range;
}

void check_layers(const Bilm& model, ModelCheck& check) {
  BuiltInText text;
  KeepingSink sink;
  try {
    embed(model, text, sink, {}, kNeverStop, nullptr);
  } catch (const NumericError& error) {
    check.problems.emplace_back(error.what());
    return;
  }
  const ActivationLayout layout = activation_layout(model.options(), {});
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    const LayerRange& range = check.layers.emplace_back(range_of(sink.values(), layout, row));
    const float most = std::max(-range.least, range.greatest);
    if (most > kMaxMagnitude) {
      check.problems.push_back("activations of " + range.layer + " reach " + human_number(most, 3) +
                               "; expected at most " + human_number(kMaxMagnitude, 4));
    }
    if (range.deviation < kMinDeviation) {
      check.problems.push_back("activations of " + range.layer +
                               " are the same for all tokens; expected different ones");
    }
  }
}

void check_perplexity(const Bilm& model, const SoftmaxLayer& softmax, ModelCheck& check) {
  BuiltInText text;
  const PerplexityResult result =
      perplexity(model, softmax, text, {}, kNeverStop, nullptr, nullptr);
  check.perplexity = result;
  check.vocabulary = static_cast<std::uint64_t>(softmax.vocabulary.size());
  if (2 * result.unknown > result.tokens) return;
  if (!(result.average() < static_cast<double>(check.vocabulary))) {
    check.problems.push_back("the perplexity of the built-in text is " +
                             human_number(result.average(), 4) +
                             "; expected less than guessing among the " +
                             human_count(check.vocabulary, "word") + " of the softmax has");
  }
}

}  // namespace

ModelCheck check_model(const ModelLocation& location, LoadedModel&& model) {
  LoadedModel loaded = std::move(model);
  const std::optional<SoftmaxLayer> softmax = read_softmax(location, loaded.options);
  const Bilm bilm(loaded.options, std::move(loaded.parameters), Precision::float32,
                  std::move(loaded.lexicon));
  ModelCheck check;
  check_layers(bilm, check);
  if (softmax && !check.layers.empty()) check_perplexity(bilm, *softmax, check);
  return check;
}

}  // namespace elmo
