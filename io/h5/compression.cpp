#include "io/h5/compression.h"

#include <fcntl.h>

#include <string>

#include "io/files/descriptor.h"
#include "io/h5/library.h"

namespace elmo::h5 {
namespace {

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
  if (!loaded) open_descriptor("/dev/null", O_RDONLY);
  return loaded;
}

std::string missing_zstd() {
  const Call call;
  return "HDF5's filter 32015, zstd, is not installed; it was looked for in " + plugin_folders() +
         ". Python's package hdf5plugin brings it (the folder hdf5plugin.PLUGIN_PATH): set "
         "HDF5_PLUGIN_PATH to the folder of libh5zstd.so";
}

void require_compression(Compression compression) {
  if (compression == Compression::zstd && !load_zstd()) {
    throw RequestError(missing_zstd() + ", or take gzip, which HDF5 always has");
  }
}

}  // namespace elmo::h5
