// One item of lookahead, to test whether reading would have to wait.
#pragma once

#include <exception>
#include <utility>

#include "io/text/bytes/byte_stream.h"

namespace elmo {

/// Reads items in order, with at most one item of lookahead. The same code thus decides where an
/// item ends, whether or not the caller asks if the next one is available. One thread.
template <typename Item>
class ReadAhead {
 public:
  /// Returns the next item, which `read` reads. `read` gets an item that was passed to next()
  /// earlier, or one that it started and continues after WouldWait. It returns false at the end and
  /// may throw; next() rethrows its exceptions.
  template <typename Read>
  bool next(Item& item, Read&& read) {
    peek(read);
    if (error_) std::rethrow_exception(error_);
    is_ahead_ = false;
    std::swap(item, item_);
    return has_item_;
  }

  /// Returns the next item; null at the end or if next() would throw.
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

  /// True if next() would have to wait. Does not wait itself: with `waiting` disallowed, `read`
  /// throws WouldWait instead.
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
  bool is_ahead_ = false;  // an item, the end or an error has been read
  Item item_;              // completely or partly read
  bool has_item_ = false;
  std::exception_ptr error_;
};

}  // namespace elmo
