// What is read to know whether reading it would have to wait.
#pragma once

#include <exception>
#include <utility>

#include "io/text/bytes/byte_source.h"

namespace elmo {

/// Reads items one after the other, at most one of them ahead: so the same code decides where an
/// item ends, whether or not it is asked if the next one has come. One thread.
template <typename Item>
class ReadAhead {
 public:
  /// The next item, by `read`, which is given an item that was handed to next() before and that it
  /// continues after WouldWait; it returns false at the end and may throw. What it throws ahead is
  /// thrown from here on.
  template <typename Read>
  bool next(Item& item, Read&& read) {
    if (error_) std::rethrow_exception(error_);
    if (!std::exchange(is_ahead_, false)) has_item_ = read(item_);
    std::swap(item, item_);
    return has_item_;
  }

  /// Whether next() would have to wait. Does not wait itself: `read` throws WouldWait where it
  /// would have to, by `waiting`.
  template <typename Read>
  bool would_wait(Waiting& waiting, Read&& read) {
    if (is_ahead_) return false;
    waiting.allowed = false;
    try {
      has_item_ = read(item_);
      is_ahead_ = true;
    } catch (const WouldWait&) {
    } catch (...) {
      error_ = std::current_exception();
      is_ahead_ = true;
    }
    waiting.allowed = true;
    return !is_ahead_;
  }

 private:
  bool is_ahead_ = false;  // an item, the end or an error
  Item item_;              // read, or begun to be
  bool has_item_ = false;
  std::exception_ptr error_;
};

}  // namespace elmo
