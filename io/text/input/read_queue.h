// Reads ahead on a thread of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/inference/sentence.h"
#include "core/workers.h"

namespace elmo {

/// The memory of a sentence's tokens in bytes.
inline std::size_t bytes_of(const Sentence& sentence) {
  constexpr std::size_t kBytesPerToken = sizeof(ByteSpan) + sizeof(std::size_t);
  return sentence.token_bytes() + sentence.source.size() + kBytesPerToken * sentence.size() +
         sentence.extra_bytes();
}

/// A queue of items, bounded in bytes. A separate thread reads them in order. An item can be taken
/// as soon as it has been read, whether or not the next one has arrived. One thread takes them.
template <typename Item>
class ReadQueue {
 public:
  /// `read` replaces an item by the next one and returns false at the end; `bytes` returns the
  /// memory that an item takes. The first call of next() or wait() starts to read. The destructor
  /// sets `stop`, which must end a read that waits. All must outlive this object.
  ReadQueue(std::function<bool(Item&)> read, std::function<std::size_t(const Item&)> bytes,
            std::atomic<bool>& stop)
      : read_(std::move(read)), size_(std::move(bytes)), stop_(stop) {}
  ReadQueue(const ReadQueue&) = delete;
  ReadQueue& operator=(const ReadQueue&) = delete;
  ~ReadQueue();

  /// Waits for the next item, and replaces `item` by it; `read` gets the memory of the old one.
  /// Returns false at the end. Rethrows an exception of `read` after the items before it.
  /// SystemError if the thread cannot be started.
  bool next(Item& item);

  /// Waits at most `time`; returns true if next() need not wait.
  bool wait(std::chrono::microseconds time);

 private:
  using Clock = std::chrono::steady_clock;

  // Waking the taker takes longer than reading a short item. So it is woken for several items at
  // once, unless it has been waiting for long or its wait times out.
  static constexpr std::size_t kWakingBytes = std::size_t{64} << 10;
  static constexpr std::chrono::milliseconds kLongWait{2};
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
  // Items above this size are not kept for their memory.
  static constexpr std::size_t kSpareBytes = std::size_t{4} << 10;

  /// Items, and after them old ones, which are kept for their memory.
  struct Items {
    std::vector<Item> items;
    std::size_t count = 0;
  };

  void start();
  void run();
  bool add(Item& item);
  bool has_arrived() const { return arriving_.count > 0 || ended_; }

  std::function<bool(Item&)> read_;
  std::function<std::size_t(const Item&)> size_;
  std::atomic<bool>& stop_;
  std::thread thread_;
  bool started_ = false;
  Items taken_;           // for the thread that takes items
  std::size_t next_ = 0;  // in taken_

  std::mutex mutex_;  // guards the following members
  std::condition_variable arrived_;
  std::condition_variable has_room_;
  Items arriving_;
  std::size_t bytes_ = 0;  // bytes of arriving_
  bool waits_ = false;
  Clock::time_point waits_since_;
  bool closed_ = false;
  bool ended_ = false;
  std::exception_ptr error_;
};

template <typename Item>
ReadQueue<Item>::~ReadQueue() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (!ended_) stop_ = true;
  }
  has_room_.notify_one();
  thread_.join();
}

template <typename Item>
bool ReadQueue<Item>::next(Item& item) {
  while (!wait(std::chrono::hours(1))) {
  }
  if (next_ == taken_.count) {  // all items were taken, and the thread has ended its work
    if (thread_.joinable()) thread_.join();
    if (error_) std::rethrow_exception(error_);
    return false;
  }
  Item& taken = taken_.items[next_++];
  std::swap(item, taken);
  if (size_(taken) > kSpareBytes) taken = Item();
  return true;
}

template <typename Item>
bool ReadQueue<Item>::wait(std::chrono::microseconds time) {
  if (next_ < taken_.count) return true;
  if (!started_) start();
  std::unique_lock lock(mutex_);
  if (!has_arrived() && time.count() > 0) {
    waits_ = true;
    waits_since_ = Clock::now();
    const auto arrived = [this] { return has_arrived(); };
    // An item that came early in the wait is found at the end of the first one.
    const auto first = std::min<std::chrono::microseconds>(time, kLongWait);
    if (!arrived_.wait_for(lock, first, arrived)) arrived_.wait_for(lock, time - first, arrived);
    waits_ = false;
  }
  if (!has_arrived()) return false;
  std::swap(taken_, arriving_);
  arriving_.count = 0;
  next_ = 0;
  bytes_ = 0;
  lock.unlock();
  has_room_.notify_one();
  return true;
}

template <typename Item>
void ReadQueue<Item>::start() {
  thread_ = start_thread([this] { run(); });
  started_ = true;
}

template <typename Item>
void ReadQueue<Item>::run() {
  std::exception_ptr error;
  try {
    Item item;
    while (read_(item) && add(item)) {
    }
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    error_ = error;
  }
  arrived_.notify_one();
}

/// Adds an item, once there is room, and replaces it by an old one. Returns false if no more are
/// taken.
template <typename Item>
bool ReadQueue<Item>::add(Item& item) {
  const std::size_t bytes = size_(item);
  std::unique_lock lock(mutex_);
  has_room_.wait(lock, [&] { return bytes_ == 0 || bytes_ + bytes <= kMaxBytes || closed_; });
  if (closed_) return false;
  bytes_ += bytes;
  if (arriving_.count == arriving_.items.size()) arriving_.items.emplace_back();
  std::swap(arriving_.items[arriving_.count++], item);
  const bool wakes = waits_ && (bytes_ >= kWakingBytes || Clock::now() - waits_since_ >= kLongWait);
  lock.unlock();
  if (wakes) arrived_.notify_one();
  return true;
}

}  // namespace elmo
