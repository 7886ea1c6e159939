// Finds the chunks of a dataset in the bytes of its file. HDF5 goes through all chunks to find the
// address of one (H5Dget_chunk_info_by_coord), which takes longer than reading them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elmo::h5 {

/// A chunked dataset whose chunks span all dimensions but the first.
struct ChunkedRows {
  std::uint64_t header = 0;       ///< address of its object header
  std::size_t rank = 0;           ///< dimensions
  std::uint64_t chunk_rows = 0;   ///< at least 1
  std::uint64_t chunk_bytes = 0;  ///< of a chunk, uncompressed
  std::uint64_t chunks = 0;
};

/// Returns the addresses of the chunks in row order. `file` holds the bytes of a whole untrusted
/// file and begins with its superblock. Returns nothing if the structures have another version than
/// the one Writer writes, or if a chunk is missing, compressed or damaged. The addresses are not
/// checked against the size of the file. Source: HDF5 File Format Specification 3.0, sections
/// III.A.1 (version 1 B-trees), IV.A.1.b (version 2 object headers) and IV.A.2.i (data layout
/// message).
std::vector<std::uint64_t> chunk_addresses(std::span<const std::byte> file,
                                           const ChunkedRows& dataset);

}  // namespace elmo::h5
