#include "io/shard/manifest.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormatName = "elmo shards";

// Far above what there will be, and small enough for products and sums of counts.
constexpr std::uint64_t kMostRows = 1U << 16;
constexpr std::uint64_t kMostWidth = std::uint64_t{1} << 31;
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 62;

Json file_json(const PublishedFile& file) {
  return {{"file", file.file}, {"bytes", file.bytes}, {"xxh3_128", file.checksum}};
}

Json shard_json(const ShardEntry& shard) {
  Json json = file_json(shard);
  json["first_sentence"] = shard.first_sentence;
  json["sentences"] = shard.sentences;
  if (shard.unlisted_sentences > 0) json["unlisted_sentences"] = shard.unlisted_sentences;
  json["tokens"] = shard.tokens;
  json["documents"] = shard.documents;
  json["truncated_tokens"] = shard.truncated_tokens;
  json["unknown_tokens"] = shard.unknown_tokens;
  json["input_hash"] = shard.input_hash;
  json["datasets"] = shard.checksums;
  return json;
}

/// Reads the members of one object; what is missing or of another kind is named.
class Members {
 public:
  Members(const Json& json, std::string name) : json_(json), name_(std::move(name)) {
    if (!json.is_object()) throw InputError(name_ + " is not an object");
  }

  const Json& at(const std::string& key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(name_ + " has no \"" + key + "\"");
    return *found;
  }
  std::uint64_t number(const std::string& key) const {
    if (!at(key).is_number_unsigned()) wrong(key, "a whole number");
    const auto number = at(key).get<std::uint64_t>();
    if (number > kMostCount) wrong(key, "a smaller number");
    return number;
  }
  /// A number that need not be there: 0 where it is not.
  std::uint64_t number_or_none(const std::string& key) const {
    return json_.contains(key) ? number(key) : 0;
  }
  std::string text(const std::string& key) const {
    if (!at(key).is_string()) wrong(key, "a string");
    return at(key).get<std::string>();
  }
  const Json& array(const std::string& key) const {
    if (!at(key).is_array()) wrong(key, "an array");
    return at(key);
  }
  std::vector<std::pair<std::string, std::string>> texts(const std::string& key) const {
    if (!at(key).is_object()) wrong(key, "an object of strings");
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [name, value] : at(key).items()) {
      if (!value.is_string()) wrong(key, "an object of strings");
      pairs.emplace_back(name, value.get<std::string>());
    }
    return pairs;
  }

  [[noreturn]] void wrong(const std::string& key, const std::string& expected) const {
    constexpr std::size_t kShown = 80;
    std::string found = at(key).dump(-1, ' ', true);
    if (found.size() > kShown) found = found.substr(0, kShown) + "...";
    throw InputError(name_ + ": \"" + key + "\" is " + found + "; expected " + expected);
  }

 private:
  const Json& json_;
  std::string name_;
};

PublishedFile parse_file(const Members& members) {
  return {members.text("file"), members.number("bytes"), members.text("xxh3_128")};
}

ShardEntry parse_shard(const Json& json, const std::string& name) {
  const Members members(json, name);
  ShardEntry shard;
  static_cast<PublishedFile&>(shard) = parse_file(members);
  // A manifest must not name files elsewhere.
  if (!shard_format::is_shard_file_name(shard.file)) members.wrong("file", "a shard's name");
  shard.first_sentence = members.number("first_sentence");
  shard.sentences = members.number("sentences");
  shard.unlisted_sentences = members.number_or_none("unlisted_sentences");
  shard.tokens = members.number("tokens");
  shard.documents = members.number("documents");
  shard.truncated_tokens = members.number("truncated_tokens");
  shard.unknown_tokens = members.number("unknown_tokens");
  shard.input_hash = members.text("input_hash");
  for (auto& [dataset, checksum] : members.texts("datasets")) {
    shard.checksums.emplace(dataset, checksum);
  }
  return shard;
}

ActivationLayout parse_layout(const Members& members) {
  ActivationLayout layout;
  for (const Json& row : members.array("layers")) {
    if (!row.is_string()) members.wrong("layers", "an array of strings, the names of the rows");
    layout.rows.push_back(row.get<std::string>());
  }
  if (layout.rows.empty() || layout.rows.size() > kMostRows) {
    members.wrong("layers", "the names of the rows that a token has");
  }
  const std::uint64_t width = members.number("width");
  if (width == 0 || width > kMostWidth) members.wrong("width", "the numbers of a row");
  layout.width = static_cast<std::int64_t>(width);
  return layout;
}

Dtype parse_dtype(const Members& members) {
  const std::optional<Dtype> dtype = dtype_of(members.text("dtype"));
  if (!dtype) members.wrong("dtype", "float32, float16, bfloat16 or int8");
  return *dtype;
}

/// The shards, which have to follow each other without gaps.
std::vector<ShardEntry> parse_shards(const Members& members, const std::string& name) {
  std::vector<ShardEntry> shards;
  std::uint64_t next_sentence = 0;
  std::uint64_t tokens = 0;
  for (const Json& shard : members.array("shards")) {
    const std::string expected = shard_format::shard_file_name(shards.size());
    shards.push_back(parse_shard(shard, name + ": " + expected));
    const ShardEntry& entry = shards.back();
    if (entry.file != expected || entry.first_sentence != next_sentence) {
      throw InputError(name + " lists " + entry.file + " from sentence " +
                       std::to_string(entry.first_sentence) + "; expected " + expected +
                       " from sentence " + std::to_string(next_sentence));
    }
    next_sentence = entry.next_sentence();
    tokens += entry.tokens;
    if (entry.unlisted_sentences > 0 && !entry.lists_sentences()) {
      throw InputError(name + ": " + expected + " has unlisted sentences and no dataset " +
                       shard_format::kSentenceNumber + "; expected both or neither");
    }
    if (std::max(next_sentence, tokens) > kMostCount) {
      throw InputError(name + ": the counts of " + expected + " are too large; expected " +
                       "those of a run");
    }
  }
  return shards;
}

}  // namespace

bool ShardEntry::lists_sentences() const {
  return checksums.contains(shard_format::kSentenceNumber);
}

std::string layout_text(const ActivationLayout& layout) {
  std::string text;
  for (const std::string& row : layout.rows) text += (text.empty() ? "" : ", ") + row;
  return text + " of " + std::to_string(layout.width);
}

std::string manifest_text(const Manifest& manifest) {
  Json fingerprint = Json::object();
  for (const auto& [name, value] : manifest.fingerprint) fingerprint[name] = value;
  Json shards = Json::array();
  for (const ShardEntry& shard : manifest.shards) shards.push_back(shard_json(shard));
  const Json json = {{"format", kFormatName},
                     {"version", shard_format::kVersion},
                     {"complete", manifest.complete()},
                     {"fingerprint", fingerprint},
                     {"layers", manifest.layout.rows},
                     {"width", manifest.layout.width},
                     {"dtype", dtype_name(manifest.dtype)},
                     {"shards", shards},
                     {"index", manifest.index ? file_json(*manifest.index) : Json(nullptr)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InputError(name + " is not JSON");
  const Members members(json, name);
  if (members.text("format") != kFormatName) members.wrong("format", "\"elmo shards\"");
  if (members.number("version") != shard_format::kVersion) {
    members.wrong("version", std::to_string(shard_format::kVersion));
  }
  Manifest manifest;
  manifest.fingerprint = members.texts("fingerprint");
  manifest.layout = parse_layout(members);
  manifest.dtype = parse_dtype(members);
  manifest.shards = parse_shards(members, name);
  if (!members.at("index").is_null()) {
    manifest.index = parse_file(Members(members.at("index"), name + ": index"));
    if (manifest.index->file != shard_format::kIndex) members.wrong("index", shard_format::kIndex);
  }
  return manifest;
}

std::optional<Manifest> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / shard_format::kManifest;
  if (!std::filesystem::exists(path)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw SystemError("cannot read " + path.string());
  return parse_manifest(text, path.string());
}

Manifest require_manifest(const std::filesystem::path& folder) {
  if (std::optional<Manifest> manifest = read_manifest(folder)) return *std::move(manifest);
  throw InputError(folder.string() + " has no " + shard_format::kManifest +
                   "; expected the folder of a run");
}

}  // namespace elmo
