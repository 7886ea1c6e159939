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
  /// continues after WouldWait; it returns false at the end and may throw. What it has thrown is
  /// thrown from here on.
  template <typename Read>
  bool next(Item& item, Read&& read) {
    peek(read);
    if (error_) std::rethrow_exception(error_);
    is_ahead_ = false;
    std::swap(item, item_);
    return has_item_;
  }

  /// What next() would give; null at the end, or where it would throw.
  template <typename Read>
  const Item* peek(Read&& read) {
    if (!is_ahead_) {
      try {
        has_item_ = read(item_);
      } catch (const WouldWait&) {
        throw;
      } catch (...) {
        error_ = std::current_exception();
      }
      is_ahead_ = true;
    }
    return has_item_ && !error_ ? &item_ : nullptr;
  }

  /// Whether next() would have to wait. Does not wait itself: `read` throws WouldWait where it
  /// would have to, by `waiting`.
  template <typename Read>
  bool would_wait(Waiting& waiting, Read&& read) {
    waiting.allowed = false;
    try {
      peek(read);
    } catch (const WouldWait&) {
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
