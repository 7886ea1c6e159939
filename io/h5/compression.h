// How chunks of datasets are compressed.
#pragma once

#include "core/enum_table.h"

namespace elmo::h5 {

/// Each comes with shuffle, which puts bytes of the same place side by side. zstd is a plugin that
/// HDF5 comes without: filter 32015 of its registry.
enum class Compression { none, gzip, zstd };

inline constexpr auto kCompressions = enum_table<Compression>(
    {{"none", Compression::none}, {"gzip", Compression::gzip}, {"zstd", Compression::zstd}});

/// RequestError, naming what is missing and where it was looked for, where this process cannot
/// compress so. Of HDF5's plugins only this one is loaded ever, and only where it is asked for or a
/// file needs it: no file chooses other code. Any thread.
void require_compression(Compression compression);

}  // namespace elmo::h5
