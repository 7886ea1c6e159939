#include "io/text/input/resume_position.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/checksum.h"

namespace elmo {
namespace {

void add_number(std::string& bytes, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

void add_text(std::string& bytes, std::string_view text) {
  add_number(bytes, text.size());
  bytes += text;
}

}  // namespace

InputHash::InputHash(std::string hex) : digest_(std::move(hex)) {
  if (digest_.size() != kDigits ||
      digest_.find_first_not_of("0123456789abcdef") != std::string::npos) {
    throw InputError("'" + excerpt(digest_) + "' is not a hash of an input; expected " +
                     std::to_string(kDigits) + " hexadecimal digits");
  }
}

void InputHash::add(const Sentence& sentence, std::uint64_t number, bool boundaries) {
  if (sentence.is_left_out()) return;
  const std::size_t first = boundaries && sentence.size() > 0 ? 1 : 0;
  const std::size_t last = sentence.size() - first;
  bytes_ = digest_;
  add_number(bytes_, sentence.document->number);
  add_text(bytes_, sentence.document->id);
  add_number(bytes_, sentence.line);
  add_number(bytes_, last - first);
  for (std::size_t index = first; index < last; ++index) {
    add_text(bytes_, sentence.token(index));
    add_number(bytes_, sentence.spans()[index].begin);
    add_number(bytes_, sentence.spans()[index].end);
  }
  if (!sentence.keeps_all()) add_number(bytes_, number);
  digest_ = text_checksum(bytes_);
}

/// Drops each position between two others whose distance in sentences is at most 1 / `share` of the
/// number of sentences after them.
void ResumePositions::drop_within(std::uint64_t share) {
  const std::uint64_t last = positions_.back().sentence;
  std::size_t kept = 0;
  for (std::size_t index = 1; index + 1 < positions_.size(); ++index) {
    const std::uint64_t next = positions_[index + 1].sentence;
    if ((next - positions_[kept].sentence) * share <= last - next) continue;
    if (++kept != index) positions_[kept] = std::move(positions_[index]);
  }
  if (++kept != positions_.size() - 1) positions_[kept] = std::move(positions_.back());
  positions_.resize(kept + 1);
}

void ResumePositions::add(ResumePosition position) {
  constexpr std::uint64_t kSmallestShare = 64;
  const std::lock_guard lock(mutex_);
  for (std::uint64_t share = kSmallestShare; positions_.size() >= kMax; share /= 2) {
    drop_within(share);
  }
  positions_.push_back(std::move(position));
}

std::optional<ResumePosition> ResumePositions::last_before(std::uint64_t next) {
  const std::lock_guard lock(mutex_);
  const auto after = std::ranges::upper_bound(positions_, next, {}, &ResumePosition::sentence);
  if (after == positions_.begin()) return std::nullopt;
  positions_.erase(positions_.begin(), std::prev(after));
  return positions_.front();
}

std::size_t ResumePositions::size() const {
  const std::lock_guard lock(mutex_);
  return positions_.size();
}

}  // namespace elmo
