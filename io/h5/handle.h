// An HDF5 identifier with an owner.
#pragma once

#include <cstdint>
#include <utility>

namespace elmo::h5 {

/// Owns one HDF5 identifier and gives it back at the end of its scope. Movable; safe to destroy on
/// any thread.
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

  /// Gives the identifier back, ignoring failure.
  void reset();
  /// Hands the identifier to the caller, who gives it back.
  std::int64_t release() { return std::exchange(id_, kNone); }

 private:
  static constexpr std::int64_t kNone = -1;
  std::int64_t id_ = kNone;
};

}  // namespace elmo::h5
