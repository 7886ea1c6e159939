#include "io/shard/read/open_shard.h"

#include <string>

#include "core/error.h"
#include "io/shard/format/format.h"

namespace elmo {

std::unique_ptr<ShardReader> open_shard(const std::filesystem::path& folder,
                                        const Manifest& manifest, std::size_t number) {
  const ShardEntry& entry = manifest.shards.at(number);
  const std::filesystem::path path = folder / entry.file;
  require_size(path, entry);
  auto reader = std::make_unique<ShardReader>(h5::Reader(path), manifest.base_of(number));
  const ShardContents& contents = reader->contents();
  if (contents.first_sentence != entry.first_sentence || contents.sentences != entry.sentences ||
      contents.unlisted_sentences != entry.unlisted_sentences || contents.tokens != entry.tokens ||
      contents.dtype != manifest.dtype || contents.layout.rows != manifest.layout.rows ||
      contents.layout.width != manifest.layout.width) {
    throw InputError(path.string() + " has " + std::to_string(contents.sentences) +
                     " sentences and " + std::to_string(contents.tokens) + " tokens, " +
                     layout_text(contents.layout) + ", " +
                     std::string(kDtypes.word(contents.dtype)) + ", from sentence " +
                     std::to_string(contents.first_sentence) + "; expected what " +
                     shard_format::kManifest + " lists");
  }
  return reader;
}

}  // namespace elmo
