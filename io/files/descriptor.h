// File descriptors with an owner.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

namespace elmo {

/// Owns one file descriptor and closes it at the end of its scope. Movable, not shared between
/// threads.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, kNone)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, kNone);
    }
    return *this;
  }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

  /// Closes it now. What was written is safe only after fsync, so a failure to close says nothing.
  void reset();

 private:
  static constexpr int kNone = -1;
  int number_ = kNone;
};

/// Throws the SystemError "cannot <action> <path>: <reason>" of that errno.
[[noreturn]] void refuse(std::string_view action, const std::filesystem::path& path, int error);

/// Opens a file, closed where another program is executed; `flags` are those of open(2). New files
/// may be read and written by whom the umask allows. SystemError saying that it cannot `action` the
/// path.
Descriptor open_descriptor(const std::filesystem::path& path, int flags,
                           std::string_view action = "open");

/// Writes all of it, however many calls that takes. False, with errno set, where the system
/// refuses.
bool write_all(int descriptor, std::string_view text);

}  // namespace elmo
