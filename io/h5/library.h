// Safe calls of the HDF5 C library. Only io/h5 includes this header.
#pragma once

#include <hdf5.h>

#include <string>
#include <string_view>
#include <type_traits>

#include "core/error.h"
#include "io/h5/types.h"

namespace elmo::h5 {

static_assert(std::is_same_v<hid_t, std::int64_t>, "Handle keeps identifiers as 64-bit integers");

// H5S_ALL, which the library's header defines with a C cast.
inline constexpr hid_t kWholeSpace = 0;

/// Every function that calls HDF5 begins with one. HDF5 may be built without thread safety, so only
/// one thread of the process calls it at a time. Turns off the printing of errors, which is a
/// setting of each thread. A copy of the process that is forked under a Call continues in it.
class Call {
 public:
  Call();
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

/// The reason of a failed call.
struct Failure {
  std::string reason;
  bool of_system = false;  ///< the system refused, as with too many open files; no file is damaged
};

/// Returns the reason of the last failed call, in the words of the innermost error on HDF5's stack.
/// If the system refused, returns only the system's words ("No space left on device"). Clears the
/// stack. std::bad_alloc if memory is almost used up, because that may be the cause.
Failure last_failure();

/// Returns the result of an HDF5 call if it succeeded. Otherwise throws "<doing> failed: <reason>":
/// SystemError if the system refused, else `Error`, which is InputError for reading and SystemError
/// for writing. std::bad_alloc as above.
template <typename Error, typename Result>
Result check(Result result, std::string_view doing) {
  if (result >= 0) return result;
  const Failure failure = last_failure();
  const std::string message = std::string(doing) + " failed: " + failure.reason;
  if (failure.of_system) throw SystemError(message);
  throw Error(message);
}

/// The library fails at what depends on no file: a damaged file has made it write past its buffers.
struct LibraryFault : SystemError {
  using SystemError::SystemError;
};

/// Returns the little-endian file type of an element. LibraryFault if that fails.
Handle file_type(Element element);

/// Returns the element that a type in a file represents, in either byte order.
Element element_of(hid_t type);

/// Describes a type for messages: "int32" or "compound".
std::string type_words(hid_t type);

// The number of zstd in the registry of HDF5's filters, and its level. On float32 activations after
// shuffle, level 1 leaves 84 % at 235 MB/s, level 3 leaves 82 % at 172 MB/s (as much as gzip's
// level 1 leaves at 43 MB/s), and level 5 leaves 80 % at 99 MB/s.
inline constexpr H5Z_filter_t kZstdFilter = 32015;
inline constexpr unsigned kZstdLevel = 3;

/// Loads the zstd filter unless it is loaded already; false if it is not installed.
bool load_zstd();
/// Returns a message with what is missing in that case, and what to do.
std::string missing_zstd();

/// Returns the access properties that files are opened with. LibraryFault if that fails.
Handle file_access();

}  // namespace elmo::h5
