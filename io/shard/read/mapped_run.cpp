#include "io/shard/read/mapped_run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "io/shard/format/columns.h"
#include "io/shard/read/open_shard.h"

namespace elmo {

namespace {

// Bytes of a piece, about: several threads share the pieces of a small corpus, and what is read
// once is in the cache when it is looked at again.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

}  // namespace

MappedRun::MappedRun(const std::filesystem::path& folder, const Manifest& manifest) {
  std::uint64_t first_token = 0;
  for (std::size_t number = 0; number < manifest.shards.size(); ++number) {
    map(folder, manifest, number, first_token);
    first_token += manifest.shards[number].tokens;
  }
}

void MappedRun::map(const std::filesystem::path& folder, const Manifest& manifest,
                    std::size_t number, std::uint64_t first_token) {
  // Whoever reads the pieces goes by the manifest alone.
  const std::unique_ptr<ShardReader> shard = open_shard(folder, manifest, number);
  const h5::Dataset dataset = shard->file().dataset(path_of(ColumnId::activations));
  const std::vector<h5::StoredRows> stored =
      is_numpy(manifest.dtype) ? dataset.stored_rows() : std::vector<h5::StoredRows>();
  MappedFile file(folder / manifest.shards[number].file);
  const std::span<const std::byte> bytes = file.bytes();
  const std::size_t alignment = dtype_bytes(manifest.dtype);
  const std::uint64_t row_bytes =
      std::max<std::uint64_t>(1, dataset.info().row_count() * alignment);
  const bool in_place = std::ranges::all_of(stored, [&](const h5::StoredRows& rows) {
    return rows.offset % alignment == 0 && rows.offset <= bytes.size() &&
           rows.count <= (bytes.size() - rows.offset) / row_bytes;
  });
  const std::uint64_t piece_tokens = std::max<std::uint64_t>(1, kPieceBytes / row_bytes);
  const auto add = [&](std::uint64_t first, std::uint64_t count, const std::byte* values) {
    for (std::uint64_t done = 0; done < count; done += piece_tokens) {
      const std::uint64_t begin = first_token + first + done;
      pieces_.push_back({{begin, begin + std::min(piece_tokens, count - done)},
                         values == nullptr ? nullptr : values + done * row_bytes});
    }
  };
  if (stored.empty() || !in_place) {
    add(0, shard->token_count(), nullptr);
    return;
  }
  for (const h5::StoredRows& rows : stored) add(rows.first, rows.count, bytes.data() + rows.offset);
  files_.push_back(std::move(file));
}

}  // namespace elmo
