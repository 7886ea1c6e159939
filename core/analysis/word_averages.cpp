#include "core/analysis/word_averages.h"

#include <algorithm>

namespace elmo {

namespace {

bool is_blank(char character) { return static_cast<unsigned char>(character) <= ' '; }

}  // namespace

void AveragedWord::mean(std::span<float> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(sums[i] / static_cast<double>(count));
  }
}

void WordAverages::write(const ActivationBatch& batch) {
  const float* values = batch.activations.data();
  for (const Sentence& sentence : batch.sentences) {
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept, values += dimensions_) {
      add(sentence.word(sentence.kept_token(kept)), values);
    }
  }
}

void WordAverages::add(std::string_view token, const float* values) {
  if (token.empty()) token = "_";
  if (std::ranges::any_of(token, is_blank)) {
    joined_ = token;
    std::ranges::replace_if(joined_, is_blank, '_');
    token = joined_;
  }
  auto word = words_.find(token);
  if (word == words_.end()) {
    word = words_.emplace(token, Sum{0, std::vector<double>(dimensions_)}).first;
  }
  Sum& sum = word->second;
  ++sum.count;
  for (std::size_t i = 0; i < dimensions_; ++i) sum.values[i] += values[i];
}

std::vector<AveragedWord> WordAverages::words(std::uint64_t min_count) const {
  std::vector<AveragedWord> result;
  for (const auto& [text, sum] : words_) {
    if (sum.count >= min_count) result.push_back({text, sum.count, sum.values});
  }
  std::ranges::sort(result, [](const AveragedWord& a, const AveragedWord& b) {
    return a.count != b.count ? a.count > b.count : a.text < b.text;
  });
  return result;
}

}  // namespace elmo
