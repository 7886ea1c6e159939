// An owned HDF5 identifier.
#pragma once

#include <cstdint>
#include <utility>

namespace elmo::h5 {

/// Owns one HDF5 identifier and closes it in the destructor. Movable; may be destroyed on any
/// thread.
class Handle {
 public:
  Handle() = default;
  explicit Handle(std::int64_t id) : id_(id) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, kNone)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, kNone);
    }
    return *this;
  }

  std::int64_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

  /// Closes the identifier, ignoring failure.
  void reset();
  /// Passes the identifier to the caller, who must close it.
  std::int64_t release() { return std::exchange(id_, kNone); }

 private:
  static constexpr std::int64_t kNone = -1;
  std::int64_t id_ = kNone;
};

}  // namespace elmo::h5
