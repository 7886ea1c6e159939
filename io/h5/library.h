// The HDF5 C library, called with care. Only io/h5 includes this header.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "io/h5/handle.h"
#include "io/h5/types.h"

namespace elmo::h5 {

static_assert(std::is_same_v<hid_t, std::int64_t>, "Handle keeps identifiers as 64-bit integers");

// H5S_ALL and H5T_VARIABLE, which the library's header spells with C's casts.
inline constexpr hid_t kWholeSpace = 0;
inline constexpr std::size_t kVariableLength = static_cast<std::size_t>(-1);

/// Stands at the head of every function that calls HDF5. HDF5 may be built without thread safety,
/// so calls happen one at a time in the whole process; its habit of printing errors is a setting of
/// each thread. A copy of the process that is made under a Call goes on in it.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

/// Why a call failed.
struct Failure {
  std::string reason;
  bool of_system = false;  ///< the system refused, as for too many open files; no file is damaged
};

/// Why the last call failed, in the words of the innermost error on HDF5's stack; where the system
/// refused, only the system's words ("No space left on device"). Clears the stack. std::bad_alloc
/// where there is hardly any memory, for then that may be why.
Failure last_failure();

/// The result of an HDF5 call if it succeeded. `Error` says whose fault a failure is if it is not
/// the system's: InputError in reading, SystemError in writing. The message is "<doing> failed:
/// <reason>". std::bad_alloc as above.
template <typename Error, typename Result>
Result check(Result result, std::string_view doing) {
  if (result >= 0) return result;
  const Failure failure = last_failure();
  const std::string message = std::string(doing) + " failed: " + failure.reason;
  if (failure.of_system) throw SystemError(message);
  throw Error(message);
}

/// The little-endian type of that element in a file.
Handle file_type(Element element);

/// The element that a type in a file stands for, of either byte order.
Element element_of(hid_t type);

/// A type in words, "int32" or "compound", for messages.
std::string type_words(hid_t type);

// zstd in the registry of HDF5's filters, and its level. On activations in float32 after shuffle
// level 1 leaves 84 % at 235 MB/s, level 3 leaves 82 % at 172 MB/s, as much as gzip's level 1
// leaves at 43 MB/s, and level 5 leaves 80 % at 99 MB/s.
inline constexpr H5Z_filter_t kZstdFilter = 32015;
inline constexpr unsigned kZstdLevel = 3;

/// Loads that filter where it is installed and not loaded yet; false where it is not installed.
bool load_zstd();
/// What is missing then, and what helps.
std::string missing_zstd();

/// How files are opened.
Handle file_access();

}  // namespace elmo::h5
