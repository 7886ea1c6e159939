#include "core/analysis/probe/token_stream.h"

#include <algorithm>

#include "core/kernels/random_bits.h"
#include "core/train/permutation.h"

namespace elmo {
namespace {

constexpr std::uint64_t kRun = 256;
constexpr std::uint64_t kKeptBytes = std::uint64_t{64} << 20;

std::uint64_t kept_tokens(const ActivationLayout& layout) {
  const auto bytes = static_cast<std::uint64_t>(layout.values_per_token()) * sizeof(float);
  return std::max(kKeptBytes / bytes, kRun);
}

}  // namespace

TokenStream::TokenStream(ActivationSource& source, std::uint64_t seed)
    : TokenStream(source, seed, kRun, kept_tokens(source.layout())) {}

TokenStream::TokenStream(ActivationSource& source, std::uint64_t seed, std::uint64_t run,
                         std::uint64_t kept)
    : source_(source), seed_(seed), run_(run), runs_at_once_(kept / run) {}

void TokenStream::begin_epoch(std::uint64_t epoch) {
  epoch_ = epoch;
  next_run_ = 0;
}

bool TokenStream::next() {
  const std::uint64_t all = source_.token_count();
  const std::uint64_t runs = (all + run_ - 1) / run_;
  if (next_run_ == runs) return false;
  const Permutation order(runs, random_key(seed_, RandomUse::shuffle, 2 * epoch_));
  const std::uint64_t end_run = std::min(next_run_ + runs_at_once_, runs);
  std::vector<TokenRange> parts;
  std::uint64_t size = 0;
  for (std::uint64_t run = next_run_; run < end_run; ++run) {
    const std::uint64_t begin = order(run) * run_;
    parts.push_back({begin, std::min(begin + run_, all)});
    size += parts.back().size();
  }
  const Permutation places(
      size, random_bits(random_key(seed_, RandomUse::shuffle, 2 * epoch_ + 1), next_run_));
  const auto values = static_cast<std::size_t>(source_.layout().values_per_token());
  tokens_.resize(size);
  shuffled_.resize(size * values);
  std::uint64_t number = 0;
  for (const TokenRange& part : parts) {
    read_.resize(part.size() * values);
    source_.read_activations(part, read_);
    for (std::uint64_t i = 0; i < part.size(); ++i, ++number) {
      const std::uint64_t place = places(number);
      tokens_[place] = part.begin + i;
      std::copy_n(read_.data() + i * values, values, shuffled_.data() + place * values);
    }
  }
  next_run_ = end_run;
  return true;
}

}  // namespace elmo
