// Compression of the chunks of datasets.
#pragma once

#include "core/enum_table.h"

namespace elmo::h5 {

/// Each compression comes with shuffle, which groups bytes of equal significance. zstd needs a
/// plugin that is not part of HDF5: filter 32015 of its registry.
enum class Compression { none, gzip, zstd };

inline constexpr auto kCompressions = enum_table<Compression>(
    {{"none", Compression::none}, {"gzip", Compression::gzip}, {"zstd", Compression::zstd}});

/// Throws a RequestError if this process cannot compress this way, with what is missing and where
/// it was sought. HDF5 may load only this one plugin, and only if the user asks for it or a file
/// needs it: no file can make it load other code. Any thread.
void require_compression(Compression compression);

}  // namespace elmo::h5
