#include "io/shard/describe.h"

#include <algorithm>

#include "io/h5/probe.h"
#include "io/h5/reader.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"

namespace elmo {
namespace {

std::string attribute_text(const h5::Reader& reader, const std::string& name) {
  using namespace shard_format;
  if (name == kLayers) {
    std::string text;
    const std::vector<std::string> rows = reader.strings_attribute(name).value();
    for (const std::string& row : rows) {
      text += (text.empty() ? "" : ", ") + row;
    }
    return text;
  }
  for (const char* integer :
       {kFormatVersion, kFirstSentence, kNextSentence, kTruncatedTokens, kUnknownTokens}) {
    if (name == integer) return std::to_string(reader.integer_attribute(name).value());
  }
  return reader.string_attribute(name).value();
}

}  // namespace

std::optional<ShardDescription> describe_shard(const std::filesystem::path& path) {
  using namespace shard_format;
  // Reads no data, so the size of the file does not matter.
  const h5::Reader reader =
      h5::open_probed(path, h5::ProbeScope::structure, h5::VirtualDatasets::allowed);
  const std::vector<std::string> names = reader.attributes();
  ShardDescription description;
  if (std::find(names.begin(), names.end(), kFormat) == names.end()) return std::nullopt;
  description.format = reader.string_attribute(kFormat).value();
  if (description.format != kShardFormat && description.format != kIndexFormat) return std::nullopt;
  description.bytes = reader.bytes();
  for (const std::string& name : names) {
    description.attributes.emplace_back(name, attribute_text(reader, name));
  }
  for (const ShardColumn& column : kShardColumns) {
    if (reader.exists(column.path)) {
      description.datasets.emplace_back(column.path, reader.dataset(column.path).info());
    }
  }
  return description;
}

}  // namespace elmo
