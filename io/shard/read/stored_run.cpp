#include "io/shard/read/stored_run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/shard/format/columns.h"
#include "io/shard/read/open_shard.h"

namespace elmo {

namespace {

// Approximate size of a piece in bytes. Small enough for several threads to share the pieces of a
// small corpus, and for a piece to stay in the cache between reading and use.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

[[noreturn]] void refuse_changed(const std::filesystem::path& path, std::uint64_t bytes) {
  throw InputError(path.string() + " changed while it was read; expected " + std::to_string(bytes) +
                   " bytes");
}

}  // namespace

StoredRun::StoredRun(const std::filesystem::path& folder, const Manifest& manifest)
    : token_bytes_(static_cast<std::size_t>(manifest.layout.values_per_token()) *
                   dtype_bytes(manifest.dtype)) {
  std::uint64_t first_token = 0;
  for (std::size_t number = 0; number < manifest.shards.size(); ++number) {
    add_shard(folder, manifest, number, first_token);
    first_token += manifest.shards[number].tokens;
  }
}

void StoredRun::add_shard(const std::filesystem::path& folder, const Manifest& manifest,
                          std::size_t number, std::uint64_t first_token) {
  // The readers of pieces rely on the manifest alone, so the shard is checked here.
  const std::unique_ptr<ShardReader> shard = open_shard(folder, manifest, number);
  const h5::Dataset dataset = shard->file().dataset(path_of(ColumnId::activations));
  const std::filesystem::path path = folder / manifest.shards[number].file;
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  std::vector<h5::StoredRows> stored;
  if (is_numpy(manifest.dtype) && token_bytes_ > 0) stored = dataset.stored_rows(bytes);
  const std::size_t alignment = dtype_bytes(manifest.dtype);
  const bool in_place = std::ranges::all_of(stored, [&](const h5::StoredRows& rows) {
    return rows.offset % alignment == 0 && rows.offset <= bytes.size() &&
           rows.count <= (bytes.size() - rows.offset) / token_bytes_;
  });
  const std::uint64_t piece_tokens =
      std::max<std::uint64_t>(1, kPieceBytes / std::max<std::size_t>(1, token_bytes_));
  const auto add = [&](const h5::StoredRows& rows, bool in_file) {
    for (std::uint64_t done = 0; done < rows.count; done += piece_tokens) {
      const std::uint64_t begin = first_token + rows.first + done;
      pieces_.push_back({{begin, begin + std::min(piece_tokens, rows.count - done)},
                         in_file,
                         sources_.size(),
                         rows.offset + done * token_bytes_});
    }
  };
  if (stored.empty() || !in_place) return add({0, shard->token_count(), 0}, false);
  for (const h5::StoredRows& rows : stored) add(rows, true);
  sources_.push_back({path, bytes.size()});
}

const std::byte* StoredRun::values(const StoredPiece& piece, PieceBuffer& buffer) const {
  if (!mapped_.empty()) return mapped_[piece.source].bytes().data() + piece.offset;
  const Source& source = sources_[piece.source];
  if (!buffer.file || buffer.source != piece.source) {
    buffer.file = open_regular_file(source.path);
    buffer.source = piece.source;
  }
  buffer.bytes.resize(piece.tokens.size() * token_bytes_);
  for (std::size_t done = 0; done < buffer.bytes.size();) {
    const ssize_t read =
        ::pread(buffer.file.get(), buffer.bytes.data() + done, buffer.bytes.size() - done,
                static_cast<off_t>(piece.offset + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) refuse("read", source.path, errno);
    if (read == 0) refuse_changed(source.path, source.bytes);
    done += static_cast<std::size_t>(read);
  }
  return buffer.bytes.data();
}

void StoredRun::map() {
  if (!mapped_.empty()) return;
  std::vector<MappedFile> files;
  for (const Source& source : sources_) {
    files.emplace_back(source.path);
    if (files.back().bytes().size() != source.bytes) refuse_changed(source.path, source.bytes);
  }
  mapped_ = std::move(files);
}

}  // namespace elmo
