#include "io/shard/run_reader.h"

#include <algorithm>
#include <stdexcept>

#include "core/error.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

/// Few enough for a low limit on open files, but enough for random access to neighboring shards.
constexpr std::size_t kOpenShards = 8;

// Approximate size of a piece in bytes. Small enough for several threads to share the pieces of a
// small corpus, and for a piece to stay in the cache between reading and use.
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;

/// True if a search can use the values as stored in the file.
bool is_searched_as_stored(Dtype dtype) {
  return dtype == Dtype::float32 || dtype == Dtype::float16;
}

[[noreturn]] void refuse_changed(const std::filesystem::path& path, std::uint64_t bytes) {
  throw InputError(path.string() + " changed while it was read; expected " + std::to_string(bytes) +
                   " bytes");
}

}  // namespace

RunReader::RunReader(const std::filesystem::path& folder)
    : folder_(folder), manifest_(require_manifest(folder)), first_tokens_{0}, first_sentences_{0} {
  for (const ShardEntry& shard : manifest_.shards) {
    first_tokens_.push_back(first_tokens_.back() + shard.tokens);
    first_sentences_.push_back(first_sentences_.back() + shard.sentences);
  }
}

std::uint64_t RunReader::sentence_end() const { return first_sentences_.back(); }

std::size_t RunReader::shard_of(std::uint64_t sentence) const {
  if (sentence >= sentence_end()) throw std::logic_error("a sentence past the end was asked for");
  const auto after = std::ranges::upper_bound(first_sentences_, sentence);
  return static_cast<std::size_t>(after - first_sentences_.begin()) - 1;
}

ShardReader& RunReader::open(std::size_t shard) {
  const auto found = std::ranges::find(open_, shard, [](const auto& entry) { return entry.first; });
  if (found != open_.end()) {
    std::rotate(open_.begin(), found, found + 1);
    return *open_.front().second;
  }
  open_.emplace_front(shard, open_shard(folder_, manifest_, shard));
  if (open_.size() > kOpenShards) open_.pop_back();
  return *open_.front().second;
}

TokenRange RunReader::tokens_of(std::uint64_t number) {
  const std::size_t shard = shard_of(number);
  ShardReader& reader = open(shard);
  const TokenRange range =
      reader.tokens_of(reader.sentence_begin() + number - first_sentences_[shard]);
  return {first_tokens_[shard] + range.begin, first_tokens_[shard] + range.end};
}

void RunReader::read(std::uint64_t number, const BlockLimit& limit, ActivationBlock& block) {
  const std::size_t shard = shard_of(number);
  ShardReader& reader = open(shard);
  reader.read(reader.sentence_begin() + number - first_sentences_[shard], limit, block);
  block.first_sentence = number;
}

template <typename Read>
void RunReader::for_each_shard(TokenRange tokens, Read read) {
  if (tokens.begin > tokens.end || tokens.end > token_count()) {
    throw std::logic_error("tokens past the end were asked for");
  }
  // Returns the shard with the token; shards without tokens have the same first token as the next
  // shard.
  std::size_t shard =
      static_cast<std::size_t>(std::ranges::upper_bound(first_tokens_, tokens.begin) -
                               first_tokens_.begin()) -
      1;
  for (std::uint64_t begin = tokens.begin; begin < tokens.end; ++shard) {
    const std::uint64_t end = std::min(tokens.end, first_tokens_[shard + 1]);
    read(open(shard), TokenRange{begin - first_tokens_[shard], end - first_tokens_[shard]});
    begin = end;
  }
}

void RunReader::read_activations(TokenRange tokens, std::span<float> values) {
  const auto token_values = static_cast<std::size_t>(layout().values_per_token());
  for_each_shard(tokens, [&](ShardReader& shard, TokenRange range) {
    const std::size_t count = range.size() * token_values;
    shard.read_activations(range, values.first(count));
    values = values.subspan(count);
  });
}

std::vector<std::string> RunReader::read_tokens(TokenRange tokens) {
  std::vector<std::string> texts;
  for_each_shard(tokens, [&](ShardReader& shard, TokenRange range) {
    for (std::string& text : shard.read_tokens(range)) texts.push_back(std::move(text));
  });
  return texts;
}

RunPieces::RunPieces(const std::filesystem::path& folder, const Manifest& manifest)
    : token_bytes_(static_cast<std::size_t>(manifest.layout.values_per_token()) *
                   format_of(manifest.dtype).bytes) {
  std::uint64_t first_token = 0;
  for (std::size_t number = 0; number < manifest.shards.size(); ++number) {
    add_shard(folder, manifest, number, first_token);
    first_token += manifest.shards[number].tokens;
  }
}

void RunPieces::add_shard(const std::filesystem::path& folder, const Manifest& manifest,
                          std::size_t number, std::uint64_t first_token) {
  // The readers of pieces rely only on the manifest, so the shard is checked here.
  const std::unique_ptr<ShardReader> shard = open_shard(folder, manifest, number);
  const h5::Dataset dataset = shard->dataset(shard_column(ColumnId::activations));
  const std::filesystem::path path = folder / manifest.shards[number].file;
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  std::vector<h5::StoredRows> stored;
  if (is_searched_as_stored(manifest.dtype) && token_bytes_ > 0)
    stored = dataset.stored_rows(bytes);
  const std::size_t alignment = format_of(manifest.dtype).bytes;
  const bool in_place = std::ranges::all_of(stored, [&](const h5::StoredRows& rows) {
    return rows.offset % alignment == 0 && rows.offset <= bytes.size() &&
           rows.count <= (bytes.size() - rows.offset) / token_bytes_;
  });
  const std::uint64_t piece_tokens =
      std::max<std::uint64_t>(1, kPieceBytes / std::max<std::size_t>(1, token_bytes_));
  const auto add = [&](const h5::StoredRows& rows, bool in_file) {
    for (std::uint64_t done = 0; done < rows.count; done += piece_tokens) {
      const std::uint64_t begin = first_token + rows.first + done;
      const std::uint64_t tokens = std::min(piece_tokens, rows.count - done);
      pieces_.push_back({{begin, begin + tokens},
                         in_file,
                         sources_.size(),
                         rows.offset + done * token_bytes_,
                         tokens * token_bytes_});
    }
  };
  if (stored.empty() || !in_place) return add({0, shard->token_count(), 0}, false);
  for (const h5::StoredRows& rows : stored) add(rows, true);
  sources_.push_back({path, bytes.size()});
}

const std::byte* RunPieces::values(const RunPiece& piece, PieceBuffer& buffer) const {
  if (!mapped_.empty()) return mapped_[piece.source].bytes().data() + piece.offset;
  const Source& source = sources_[piece.source];
  if (!buffer.file || buffer.source != piece.source) {
    buffer.file = open_regular_file(source.path);
    buffer.source = piece.source;
  }
  buffer.bytes.resize(piece.bytes);
  const std::size_t count = read_at(buffer.file, buffer.bytes, piece.offset, source.path);
  if (count < buffer.bytes.size()) refuse_changed(source.path, source.bytes);
  return buffer.bytes.data();
}

void RunPieces::map() {
  if (!mapped_.empty()) return;
  std::vector<MappedFile> files;
  for (const Source& source : sources_) {
    files.emplace_back(source.path);
    if (files.back().bytes().size() != source.bytes) refuse_changed(source.path, source.bytes);
  }
  mapped_ = std::move(files);
}

}  // namespace elmo
