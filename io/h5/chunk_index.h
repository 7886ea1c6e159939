// Where the chunks of a dataset lie, read from the bytes of its file: HDF5 goes through all chunks
// to find the address of one (H5Dget_chunk_info_by_coord), which takes longer than reading them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace elmo::h5 {

/// A chunked dataset whose chunks are whole in all dimensions but the first.
struct ChunkedRows {
  std::uint64_t header = 0;       ///< address of its object header
  std::size_t rank = 0;           ///< dimensions
  std::uint64_t chunk_rows = 0;   ///< at least 1
  std::uint64_t chunk_bytes = 0;  ///< of a chunk, not compressed
  std::uint64_t chunks = 0;
};

/// Addresses of the chunks, in the order of their rows, in the bytes of a whole file that nobody
/// vouches for and that begins with its superblock. None where the structures are of another
/// version than Writer's or a chunk is missing, compressed or damaged. Nobody has looked whether
/// the chunks lie within the file. Source: HDF5 File Format Specification 3.0, sections III.A.1
/// (version 1 B-trees), IV.A.1.b (version 2 object headers) and IV.A.2.i (data layout message).
std::vector<std::uint64_t> chunk_addresses(std::span<const std::byte> file,
                                           const ChunkedRows& dataset);

}  // namespace elmo::h5
