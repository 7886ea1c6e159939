#include "core/analysis/probe/probe_score.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "core/kernels/random_bits.h"

namespace elmo {
namespace {

constexpr std::size_t kSamples = 1000;
constexpr std::size_t kTail = 25;  // samples cut off on either side

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

ProbeScore score_labels(const LabelCorpus& corpus, std::span<const std::int32_t> predicted,
                        std::uint64_t seed) {
  ProbeScore score;
  const std::size_t sentences = corpus.sentences();
  std::vector<std::uint64_t> correct(sentences, 0);
  std::uint64_t all_correct = 0;
  std::uint64_t unknown_correct = 0;
  for (std::size_t sentence = 0; sentence < sentences; ++sentence) {
    for (std::size_t token = corpus.begins[sentence]; token < corpus.begins[sentence + 1];
         ++token) {
      const bool right = predicted[token] == corpus.labels[token];
      if (right) ++correct[sentence];
      if (!corpus.unknown[token]) continue;
      ++score.unknown_tokens;
      if (right) ++unknown_correct;
    }
    all_correct += correct[sentence];
  }
  score.accuracy = percent(all_correct, corpus.tokens());
  score.unknown = percent(unknown_correct, score.unknown_tokens);

  std::array<double, kSamples> samples{};
  const std::uint64_t key = random_key(seed, RandomUse::bootstrap, 0);
  std::uint64_t drawn = 0;
  for (double& sample : samples) {
    std::uint64_t tokens = 0;
    std::uint64_t right = 0;
    for (std::size_t i = 0; i < sentences; ++i) {
      const std::size_t sentence = random_bits(key, drawn++) % sentences;
      tokens += corpus.begins[sentence + 1] - corpus.begins[sentence];
      right += correct[sentence];
    }
    sample = percent(right, tokens);
  }
  std::ranges::sort(samples);
  score.low = samples[kTail];
  score.high = samples[kSamples - 1 - kTail];
  return score;
}

}  // namespace elmo
