#include "core/inference/token_selection.h"

#include <algorithm>

#include "core/kernels/random.h"

namespace elmo {
namespace {

/// Returns a number below `count`, uniform up to one part in 2^64 / count: the high half of a
/// product (Lemire 2019).
std::uint64_t below(std::uint64_t count, std::uint64_t bits) {
  const std::uint64_t low = (bits & 0xFFFFFFFFU) * (count & 0xFFFFFFFFU);
  const std::uint64_t middle = (bits >> 32U) * (count & 0xFFFFFFFFU) + (low >> 32U);
  const std::uint64_t other = (bits & 0xFFFFFFFFU) * (count >> 32U) + (middle & 0xFFFFFFFFU);
  return (bits >> 32U) * (count >> 32U) + (middle >> 32U) + (other >> 32U);
}

}  // namespace

TokenSample::TokenSample(SentenceSource& source, std::size_t size, std::uint64_t seed,
                         const std::atomic<bool>& stopped)
    : source_(source), size_(size), seed_(seed), stopped_(stopped) {}

void TokenSample::draw() {
  const std::uint64_t key = random_key(seed_, RandomUse::sample, 0);
  std::uint64_t tokens = 0;
  Sentence sentence;
  while (source_.next(sentence)) {
    if (stopped_) throw ReadingStopped("stopped while the sample was drawn");
    const std::uint64_t number = sentences_++;
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept, ++tokens) {
      std::size_t slot = slots_.size();
      if (slot == size_) {
        const std::uint64_t drawn = below(tokens + 1, random_bits(key, tokens));
        if (drawn >= size_) continue;
        slot = static_cast<std::size_t>(drawn);
      }
      Held& held = held_[number];
      if (held.tokens.empty()) held.sentence = sentence;
      const auto token = static_cast<std::uint32_t>(sentence.kept_token(kept));
      held.tokens.push_back(token);
      put(slot, {number, token});
    }
  }
  slots_ = {};
}

// Assigns a slot to a token and removes the slot's former token from the sample.
void TokenSample::put(std::size_t slot, const Position& position) {
  if (slot == slots_.size()) {
    slots_.push_back(position);
    return;
  }
  const Position former = std::exchange(slots_[slot], position);
  const auto held = held_.find(former.sentence);
  std::erase(held->second.tokens, former.token);
  if (held->second.tokens.empty()) held_.erase(held);
}

bool TokenSample::next(Sentence& sentence) {
  if (!drawn_) draw();
  drawn_ = true;
  if (next_ == sentences_) return false;
  const auto held = held_.begin();
  if (held == held_.end() || held->first != next_) {
    sentence.clear();
    sentence.keep({});
  } else {
    sentence = std::move(held->second.sentence);
    std::ranges::sort(held->second.tokens);
    sentence.keep(std::move(held->second.tokens));
    held_.erase(held);
  }
  ++next_;
  return true;
}

bool SelectingSource::next(Sentence& sentence) {
  if (!source_.next(sentence)) return false;
  std::vector<std::uint32_t> kept;  // often empty, which takes no memory
  for (std::size_t token = 0; token < sentence.size(); ++token) {
    if (chosen_(sentence.token(token))) kept.push_back(static_cast<std::uint32_t>(token));
  }
  sentence.keep(std::move(kept));
  return true;
}

}  // namespace elmo
