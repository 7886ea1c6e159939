#include "core/kernels/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/random.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace elmo::HWY_NAMESPACE {
namespace {

using WordVec = hn::Vec<Words>;

// Philox makes four words from each counter. A group of 16 counters, one per lane, serves 64 values
// on every instruction set: word w of counter l is the draw of value 16·w + l.
constexpr std::int64_t kCounters = 16;
constexpr std::int64_t kWords = 4;

// Upper and lower halves of the products of all lanes with `factor`.
HWY_INLINE void multiply_words(WordVec values, std::uint32_t factor, WordVec& high, WordVec& low) {
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t product = std::uint64_t{hn::GetLane(values)} * factor;
  high = hn::Set(Words(), static_cast<std::uint32_t>(product >> 32));
  low = hn::Set(Words(), static_cast<std::uint32_t>(product));
#else
  const Words d;
  const hn::RepartitionToWide<Words> wide;
  const auto factors = hn::Set(d, factor);
  const auto even = hn::MulEven(values, factors);
  const auto odd =
      hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, values))), factors);
  high = hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even)));
  low = hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
#endif
}

// Replaces the counters (c0, c1, c2, c3) of all lanes by random words, in ten rounds.
HWY_INLINE void philox(std::uint64_t key, WordVec& c0, WordVec& c1, WordVec& c2, WordVec& c3) {
  const Words d;
  auto key0 = static_cast<std::uint32_t>(key);
  auto key1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    WordVec high0 = c0;
    WordVec high2 = c2;
    WordVec low0 = c0;
    WordVec low2 = c2;
    multiply_words(c0, 0xD2511F53U, high0, low0);
    multiply_words(c2, 0xCD9E8D57U, high2, low2);
    c0 = hn::Xor(hn::Xor(high2, c1), hn::Set(d, key0));
    c2 = hn::Xor(hn::Xor(high0, c3), hn::Set(d, key1));
    c1 = low2;
    c3 = low0;
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
}

// Drops values whose draw is below `threshold`. The first is value 0 of group `first_group`.
void drop(const DropoutKey& key, std::uint32_t threshold, float factor, std::int64_t first_group,
          const float* from, std::int64_t size, float* to) {
  const Floats d;
  const Words dw;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto apply = [&](auto part, WordVec draw, std::int64_t at) HWY_ATTR {
    const auto dropped = hn::RebindMask(d, hn::Lt(draw, hn::Set(dw, threshold)));
    const Vec scaled = hn::Mul(part.load(d, from + at), hn::Set(d, factor));
    part.store(hn::IfThenZeroElse(dropped, scaled), d, to + at);
  };
  const auto apply_at = [&](WordVec draw, std::int64_t at) HWY_ATTR {
    if (at + lanes <= size) {
      apply(WholeVector(), draw, at);
    } else if (at < size) {
      apply(PartialVector{size - at}, draw, at);
    }
  };
  for (std::int64_t group = 0; group * kCounters * kWords < size; ++group) {
    for (std::int64_t lane = 0; lane < kCounters; lane += lanes) {
      const auto counter = static_cast<std::uint32_t>((first_group + group) * kCounters + lane);
      WordVec word0 = hn::Iota(dw, counter);
      WordVec word1 = hn::Set(dw, key.mask_id);
      WordVec word2 = hn::Set(dw, static_cast<std::uint32_t>(key.step));
      WordVec word3 = hn::Set(dw, static_cast<std::uint32_t>(key.step >> 32));
      philox(key.seed, word0, word1, word2, word3);
      const std::int64_t at = group * kCounters * kWords + lane;
      apply_at(word0, at);
      apply_at(word1, at + kCounters);
      apply_at(word2, at + 2 * kCounters);
      apply_at(word3, at + 3 * kCounters);
    }
  }
}

}  // namespace
}  // namespace elmo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace elmo {

HWY_EXPORT(drop);

void dropout(const DropoutKey& key, float rate, std::int64_t first, const float* from,
             std::int64_t size, float* to) {
  if (rate == 0.0F) {
    if (to != from) std::copy(from, from + size, to);
    return;
  }
  constexpr std::int64_t kGroup = 64;  // values of 16 counters
  const auto threshold = static_cast<std::uint32_t>(std::ldexp(double{rate}, 32));
  const auto drop_from = [&](std::int64_t group, const float* begin, std::int64_t count,
                             float* end) {
    HWY_DYNAMIC_DISPATCH(drop)(key, threshold, 1.0F / (1.0F - rate), group, begin, count, end);
  };
  std::int64_t group = first / kGroup;
  if (const std::int64_t skipped = first % kGroup; skipped != 0) {
    std::array<float, kGroup> whole{};
    const std::int64_t count = std::min(size, kGroup - skipped);
    std::copy_n(from, count, whole.data() + skipped);
    drop_from(group, whole.data(), kGroup, whole.data());
    std::copy_n(whole.data() + skipped, count, to);
    from += count;
    to += count;
    size -= count;
    ++group;
  }
  if (size > 0) drop_from(group, from, size, to);
}

Permutation::Permutation(std::uint64_t size, std::uint64_t key)
    : size_(size),
      key_(key),
      half_bits_(std::max(1U, (static_cast<unsigned>(std::bit_width(size - 1)) + 1) / 2)) {}

std::uint64_t Permutation::network(std::uint64_t value) const {
  constexpr std::uint64_t kRounds = 6;
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & mask;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const std::uint64_t mixed = left ^ (random_bits(random_bits(key_, round), right) & mask);
    left = right;
    right = mixed;
  }
  return left << half_bits_ | right;
}

std::uint64_t Permutation::operator()(std::uint64_t index) const {
  do {
    index = network(index);
  } while (index >= size_);
  return index;
}

}  // namespace elmo
#endif
