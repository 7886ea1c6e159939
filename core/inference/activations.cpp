#include "core/inference/activations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

#include "core/error.h"

namespace elmo {

std::vector<TokenLayer> token_layers(const ActivationLayout& layout) {
  if (layout.row_count() == 1) return {{layout.rows.front(), 0, layout.width}};
  std::vector<TokenLayer> layers{{layout.rows.front(), 0, layout.width}};
  for (std::int64_t row = 1; row + 1 < layout.row_count(); row += 2) {
    layers.push_back({std::to_string((row + 1) / 2), row * layout.width, 2 * layout.width});
  }
  return layers;
}

namespace {

// Number of values checked together. Only the rare block with an out-of-range value is searched.
constexpr std::size_t kCheckedAtOnce = 4096;

/// Returns a float's bits without its sign, which increase with its magnitude. Infinity is above
/// all numbers, and NaN above infinity.
std::int32_t magnitude(float value) { return std::bit_cast<std::int32_t>(value) & 0x7FFF'FFFF; }

std::string text_of(float number) {
  if (std::isnan(number)) return "nan";  // with either sign
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace

std::size_t first_out_of_range(std::span<const float> values, float limit) {
  const std::int32_t least = magnitude(limit);
  for (std::size_t begin = 0; begin < values.size(); begin += kCheckedAtOnce) {
    const std::span<const float> block =
        values.subspan(begin).first(std::min(kCheckedAtOnce, values.size() - begin));
    // Negative if any difference is negative. Uses only operations that every instruction set
    // vectorizes.
    std::int32_t rest = 0;
    for (const float value : block) rest |= least - 1 - magnitude(value);
    if (rest >= 0) continue;
    const auto found = std::find_if(block.begin(), block.end(),
                                    [&](float value) { return magnitude(value) >= least; });
    return begin + static_cast<std::size_t>(found - block.begin());
  }
  return values.size();
}

void refuse_value(const ActivationBatch& batch, const ActivationLayout& layout, std::size_t index,
                  float limit) {
  const auto row_values = static_cast<std::size_t>(layout.width);
  const auto token_values = static_cast<std::size_t>(layout.values_per_token());
  std::size_t token = index / token_values;
  std::size_t number = 0;
  while (token >= batch.sentences[number].kept_count()) {
    token -= batch.sentences[number++].kept_count();
  }
  const Sentence& sentence = batch.sentences[number];
  const float value = batch.activations[index];
  std::string text = "sentence " + std::to_string(batch.number_of(number)) + " (document " +
                     sentence.document->id + ", line " + std::to_string(sentence.line) +
                     "): the activation " + layout.rows[index % token_values / row_values] +
                     " of token " + std::to_string(sentence.kept_token(token) + 1) + " is " +
                     text_of(value);
  if (std::isfinite(value)) {
    throw NumericError(text + "; the output's number format ends before " + text_of(limit) +
                       ". Write a wider one (float32), or scale the activations down");
  }
  throw NumericError(text +
                     "; expected a finite number. The model's weights are too large for this "
                     "input, or activations are scaled up too far");
}

void KeepingSink::write(const ActivationBatch& batch) {
  block.sentences.insert(block.sentences.end(), batch.sentences.begin(), batch.sentences.end());
  block.activations.insert(block.activations.end(), batch.activations.begin(),
                           batch.activations.end());
}

}  // namespace elmo
