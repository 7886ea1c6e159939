// Sequential access to a long dataset of integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/h5/dataset.h"

namespace elmo {

/// Returns the elements of a one-dimensional dataset one by one and buffers a block of them. T is
/// uint32 or uint64, as stored. Errors: as Dataset. One thread.
template <typename T>
class Sequence {
 public:
  explicit Sequence(h5::Dataset dataset) : dataset_(std::move(dataset)) {}

  std::uint64_t size() const { return dataset_.info().rows(); }

  /// The next element. Must not be called more than size() times.
  T next() {
    if (position_ == block_.size()) refill();
    return block_[position_++];
  }

 private:
  static constexpr std::uint64_t kBlock = 65536;

  void refill() {
    block_.resize(std::min(kBlock, size() - read_));
    dataset_.read_rows(read_, block_.size(), std::span<T>(block_));
    read_ += block_.size();
    position_ = 0;
  }

  h5::Dataset dataset_;
  std::uint64_t read_ = 0;
  std::size_t position_ = 0;
  std::vector<T> block_;
};

}  // namespace elmo
