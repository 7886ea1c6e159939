#include "io/shard/manifest/manifest.h"

#include <optional>
#include <string>

#include "core/error.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"

namespace elmo {

void require_size(const std::filesystem::path& path, const PublishedFile& file) {
  const std::string expected =
      std::to_string(file.bytes) + " bytes, as " + shard_format::kManifest + " lists it";
  if (!is_there(path)) {
    throw InputError(path.string() + " is missing; expected a file of " + expected);
  }
  if (!is_file(path)) {
    throw InputError(path.string() + " is not a regular file; expected one of " + expected);
  }
  const std::uintmax_t size = std::filesystem::file_size(path);
  if (size != file.bytes) {
    throw InputError(path.string() + " has " + std::to_string(size) + " bytes; expected " +
                     expected);
  }
}

bool ShardEntry::lists_sentences() const {
  return checksums.contains(path_of(ColumnId::sentence_number));
}

PartBase Manifest::base_of(std::size_t shard) const {
  for (const JoinedPart& joined : parts) {
    if (shard < joined.shards) return joined.base;
    shard -= joined.shards;
  }
  return {};
}

std::string layout_text(const ActivationLayout& layout) {
  std::string text;
  for (const std::string& row : layout.rows) text += (text.empty() ? "" : ", ") + row;
  return text + " of " + std::to_string(layout.width);
}

std::optional<Manifest> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / shard_format::kManifest;
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) return std::nullopt;
  return parse_manifest(*text, path.string());
}

Manifest require_manifest(const std::filesystem::path& folder) {
  if (std::optional<Manifest> manifest = read_manifest(folder)) return *std::move(manifest);
  throw InputError(folder.string() + " has no " + shard_format::kManifest +
                   "; expected the folder of a run");
}

}  // namespace elmo
