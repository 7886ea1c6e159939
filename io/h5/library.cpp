#include "io/h5/library.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <stdexcept>

#include "core/resources.h"
#include "io/files/descriptor.h"

namespace elmo::h5 {
namespace {

// H5T_VARIABLE, which the library's header defines with a C cast.
constexpr std::size_t kVariableLength = static_cast<std::size_t>(-1);

// `calls` does what a recursive mutex would do. Such a mutex knows its owner by the thread's id,
// which is different in a forked copy: the copy could never unlock it.
constinit std::mutex library_mutex;
thread_local int calls = 0;  ///< nested Calls of this thread

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* reason) {
  *static_cast<std::string*>(reason) = error->desc == nullptr ? "" : error->desc;
  return 0;
}

/// A float of 16 bits, for which HDF5 1.10 has no native type: the sign at bit 15, then the
/// exponent, then the mantissa.
Handle half_type(std::size_t exponent_bits, const char* action) {
  const std::size_t mantissa_bits = 15 - exponent_bits;
  const std::size_t bias = (std::size_t{1} << (exponent_bits - 1)) - 1;
  Handle type(check<LibraryFault>(H5Tcopy(H5T_IEEE_F32LE), action));
  check<LibraryFault>(H5Tset_fields(type.id(), 15, mantissa_bits, exponent_bits, 0, mantissa_bits),
                      action);
  check<LibraryFault>(H5Tset_size(type.id(), 2), action);
  check<LibraryFault>(H5Tset_ebias(type.id(), bias), action);
  return type;
}

bool equal(hid_t left, hid_t right) { return H5Tequal(left, right) > 0; }

/// Free memory that the library needs for itself, with a margin: all except the data that it reads
/// and writes.
constexpr std::size_t kFreeBytes = std::size_t{64} << 20;

/// Sets the options of the whole process. std::bad_alloc if memory is short.
bool configure() {
  // The library crashes if memory ends while it initializes itself.
  require_free_memory(kFreeBytes);
  // Every file is closed by its owner. Leftovers of an abandoned file must not be closed at exit.
  H5dont_atexit();
  // The library's data about an open file take half a MiB. By default it frees them with the file,
  // so that the next file takes new pages. The other limits are the library's own.
  H5set_free_list_limits(4 << 20, 2 << 20, 4 << 20, 256 << 10, 16 << 20, 1 << 20);
  // Plugin folders would let a file choose code to run: see load_zstd.
  H5PLset_loading_state(0);
  return true;
}

/// Lists the folders HDF5 searches for plugins: HDF5_PLUGIN_PATH if set, otherwise its own.
std::string plugin_folders() {
  unsigned count = 0;
  if (H5PLsize(&count) < 0 || count == 0) return "no folder";
  std::string folders;
  for (unsigned index = 0; index < count; ++index) {
    const ssize_t length = H5PLget(index, nullptr, 0);
    if (length <= 0) continue;
    std::string folder(static_cast<std::size_t>(length) + 1, '\0');
    H5PLget(index, folder.data(), folder.size());
    folder.pop_back();
    folders += (folders.empty() ? "" : ", ") + folder;
  }
  return folders;
}

}  // namespace

void Handle::reset() {
  if (id_ < 0) return;
  const Call call;
  H5Idec_ref(id_);
  id_ = kNone;
}

Call::Call() {
  // Called before the lock is taken, which an exception would leave locked. No thread gets past
  // this line earlier.
  static const bool configured = configure();
  static_cast<void>(configured);
  if (calls++ == 0) library_mutex.lock();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Call::~Call() {
  if (--calls == 0) library_mutex.unlock();
}

Failure last_failure() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  // Messages of file drivers: ..., errno = 28, error message = 'No space left on device', ...
  constexpr std::string_view kNumber = "errno = ";
  constexpr std::string_view kWords = "error message = '";
  if (const std::size_t begin = reason.find(kWords); begin != std::string::npos) {
    const std::size_t words = begin + kWords.size();
    const std::size_t number = reason.find(kNumber);
    const int error = number < begin ? std::atoi(reason.c_str() + number + kNumber.size()) : 0;
    // A damaged file makes the library read at impossible offsets.
    const bool of_file = error == EINVAL || error == EOVERFLOW || error == EFBIG;
    return {reason.substr(words, reason.find('\'', words) - words), !of_file};
  }
  // When memory runs out, the library often has none left to report it. A damaged file may also
  // request an impossible amount; then this much memory is still available.
  require_free_memory(kFreeBytes);
  return {reason.empty() ? "unknown reason" : reason};
}

Handle file_type(Element element) {
  switch (element) {
    case Element::float16:
      return half_type(5, "describing float16");
    case Element::bfloat16:
      return half_type(8, "describing bfloat16");
    case Element::float32:
      return Handle(check<LibraryFault>(H5Tcopy(H5T_IEEE_F32LE), "describing float32"));
    case Element::float64:
      return Handle(check<LibraryFault>(H5Tcopy(H5T_IEEE_F64LE), "describing float64"));
    case Element::int8:
      return Handle(check<LibraryFault>(H5Tcopy(H5T_STD_I8LE), "describing int8"));
    case Element::uint32:
      return Handle(check<LibraryFault>(H5Tcopy(H5T_STD_U32LE), "describing uint32"));
    case Element::uint64:
      return Handle(check<LibraryFault>(H5Tcopy(H5T_STD_U64LE), "describing uint64"));
    case Element::string: {
      Handle type(check<LibraryFault>(H5Tcopy(H5T_C_S1), "describing strings"));
      check<LibraryFault>(H5Tset_size(type.id(), kVariableLength), "describing strings");
      check<LibraryFault>(H5Tset_cset(type.id(), H5T_CSET_UTF8), "describing strings");
      return type;
    }
    case Element::other:
      break;
  }
  throw std::logic_error("no file type for other elements");
}

Element element_of(hid_t type) {
  if (H5Tget_class(type) == H5T_STRING) {
    return H5Tis_variable_str(type) > 0 ? Element::string : Element::other;
  }
  for (const auto& [word, element] : kElements) {
    if (element == Element::string || element == Element::other) continue;
    if (element_bytes(element) != H5Tget_size(type)) continue;  // describing types takes time
    const Handle little = file_type(element);
    const Handle big = file_type(element);
    H5Tset_order(big.id(), H5T_ORDER_BE);
    if (equal(type, little.id()) || equal(type, big.id())) return element;
  }
  return Element::other;
}

std::string type_words(hid_t type) {
  if (const Element element = element_of(type); element != Element::other) {
    return std::string(kElements.word(element));
  }
  const std::string bits = std::to_string(8 * H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return "unusual " + bits + "-bit float";
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_STRING:
      return "string of fixed length";
    case H5T_COMPOUND:
      return "compound";
    case H5T_ENUM:
      return "enumeration";
    case H5T_ARRAY:
      return "array";
    case H5T_VLEN:
      return "variable-length sequence";
    case H5T_REFERENCE:
      return "reference";
    case H5T_OPAQUE:
      return "opaque";
    default:
      return "unknown type";
  }
}

Handle file_access() {
  Handle access(check<LibraryFault>(H5Pcreate(H5P_FILE_ACCESS), "preparing HDF5"));
  // One version of the format for every version of the library; its object headers have checksums.
  check<LibraryFault>(H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V110),
                      "preparing HDF5");
  // HDF5's own locks would refuse files that AtomicFile has locked, and all files on file systems
  // without locks. HDF5_USE_FILE_LOCKING overrides this.
  check<LibraryFault>(H5Pset_file_locking(access.id(), false, true), "preparing HDF5");
  return access;
}

bool load_zstd() {
  const Call call;
  if (H5Zfilter_avail(kZstdFilter) > 0) return true;
  // Naming a filter registers it if its plugin can be loaded.
  const Handle creation(check<SystemError>(H5Pcreate(H5P_DATASET_CREATE), "preparing HDF5"));
  H5PLset_loading_state(H5PL_FILTER_PLUGIN);
  H5Pset_filter(creation.id(), kZstdFilter, H5Z_FLAG_OPTIONAL, 1, &kZstdLevel);
  const bool loaded = H5Zfilter_avail(kZstdFilter) > 0;
  H5PLset_loading_state(0);
  // HDF5 does not report a plugin that exists but could not be opened, as with too many open files.
  if (!loaded) open_descriptor("/", O_RDONLY);
  return loaded;
}

std::string missing_zstd() {
  const Call call;
  return "HDF5's filter 32015, zstd, is not installed; it was looked for in " + plugin_folders() +
         ". Python's package hdf5plugin has it in the folder hdf5plugin.PLUGIN_PATH: set "
         "HDF5_PLUGIN_PATH to the folder of libh5zstd.so";
}

}  // namespace elmo::h5
