#include "io/shard/mapped_run.h"

#include <algorithm>
#include <utility>

#include "io/shard/format.h"
#include "io/shard/shard_reader.h"

namespace elmo {

namespace {

// Tokens of a piece where the shard does not say.
constexpr std::uint64_t kTokens = 256;

}  // namespace

MappedRun::MappedRun(const std::filesystem::path& folder, const Manifest& manifest) {
  std::uint64_t first_token = 0;
  for (const ShardEntry& shard : manifest.shards) {
    map(folder / shard.file, manifest, first_token);
    first_token += shard.tokens;
  }
}

void MappedRun::map(const std::filesystem::path& path, const Manifest& manifest,
                    std::uint64_t first_token) {
  const ShardReader shard(path);
  const std::uint64_t tokens = shard.token_count();
  const h5::Dataset dataset = shard.file().dataset(shard_format::kActivations);
  const std::vector<h5::StoredRows> stored = dataset.stored_rows();
  MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  const std::size_t alignment = dtype_bytes(manifest.dtype);
  const std::uint64_t row_bytes = dataset.info().row_count() * alignment;
  const bool in_place = std::ranges::all_of(stored, [&](const h5::StoredRows& rows) {
    return rows.offset % alignment == 0 && rows.offset <= bytes.size() &&
           rows.count * row_bytes <= bytes.size() - rows.offset;
  });
  if (stored.empty() || !in_place) {
    for (std::uint64_t begin = 0; begin < tokens; begin += kTokens) {
      const std::uint64_t end = std::min(tokens, begin + kTokens);
      pieces_.push_back({{first_token + begin, first_token + end}, nullptr});
    }
    return;
  }
  files_.push_back(std::move(file));
  for (const h5::StoredRows& rows : stored) {
    const std::uint64_t begin = first_token + rows.first;
    pieces_.push_back({{begin, begin + rows.count}, bytes.data() + rows.offset});
  }
}

}  // namespace elmo
