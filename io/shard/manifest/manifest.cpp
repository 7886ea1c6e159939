#include "io/shard/manifest/manifest.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/error.h"
#include "io/json/json_depth.h"
#include "io/shard/format/format.h"
#include "io/shard/manifest/json_members.h"
#include "io/shard/manifest/manifest_json.h"

namespace elmo {
namespace {

constexpr const char* kFormatName = "elmo shards";

// Far above what there will be.
constexpr std::uint64_t kMostRows = 1U << 16;
constexpr std::uint64_t kMostWidth = std::uint64_t{1} << 31;

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
  if (shard.place) json["place"] = place_json(*shard.place);
  return json;
}

ShardEntry parse_shard(const Json& json, const std::string& name) {
  const Members members(json, name);
  ShardEntry shard;
  static_cast<PublishedFile&>(shard) = parse_file(members);
  // A manifest must not name files elsewhere.
  const std::size_t slash = shard.file.find('/');
  const bool in_part =
      slash != std::string::npos && part_of_folder_name(shard.file.substr(0, slash)).has_value();
  if (!shard_format::is_shard_file_name(in_part ? shard.file.substr(slash + 1) : shard.file)) {
    members.wrong("file", "a shard's name");
  }
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
  if (members.has("place")) {
    shard.place = parse_place(Members(members.at("place"), name + ": place"));
    if (shard.place->sentence > shard.next_sentence()) members.wrong("place", "one before its end");
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
std::vector<ShardEntry> parse_shards(const Members& members, const std::string& name,
                                     const std::vector<JoinedPart>& parts) {
  // A shard has the only name that it can have.
  std::vector<std::string> names;
  for (const JoinedPart& part : parts) {
    if (part.shards > members.array("shards").size() - names.size()) {
      members.wrong("parts", "as many shards as are listed");
    }
    for (std::uint64_t number = 0; number < part.shards; ++number) {
      names.push_back(part.folder + "/" + shard_format::shard_file_name(number));
    }
  }
  std::vector<ShardEntry> shards;
  std::uint64_t next_sentence = 0;
  std::uint64_t tokens = 0;
  for (const Json& shard : members.array("shards")) {
    const std::size_t number = shards.size();
    if (!parts.empty() && number >= names.size()) {
      members.wrong("parts", "as many shards as are listed");
    }
    const std::string expected =
        parts.empty() ? shard_format::shard_file_name(number) : names[number];
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

std::string manifest_text(const Manifest& manifest) {
  Json fingerprint = Json::object();
  for (const auto& [name, value] : manifest.fingerprint) fingerprint[name] = value;
  Json shards = Json::array();
  for (const ShardEntry& shard : manifest.shards) shards.push_back(shard_json(shard));
  Json json = {{"format", kFormatName},
               {"version", shard_format::kVersion},
               {"complete", manifest.complete()},
               {"fingerprint", fingerprint},
               {"layers", manifest.layout.rows},
               {"width", manifest.layout.width},
               {"dtype", dtype_name(manifest.dtype)},
               {"shards", shards},
               {"index", manifest.index ? file_json(*manifest.index) : Json(nullptr)}};
  if (!manifest.options.empty()) json["options"] = Json::parse(manifest.options);
  if (manifest.part) json["part"] = part_json(*manifest.part);
  for (const JoinedPart& part : manifest.parts) json["parts"].push_back(joined_part_json(part));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& name) {
  if (nests_deeply(text)) throw InputError(name + " nests too deeply; expected a run's manifest");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw InputError(name + " is not JSON");
  const Members members(json, name);
  if (members.text("format") != kFormatName) members.wrong("format", "\"elmo shards\"");
  if (members.number("version") != shard_format::kVersion) {
    members.wrong("version", std::to_string(shard_format::kVersion));
  }
  Manifest manifest;
  manifest.fingerprint = members.texts("fingerprint");
  if (members.has("options")) {
    if (!members.at("options").is_object()) members.wrong("options", "an object");
    manifest.options = members.at("options").dump();
  }
  manifest.layout = parse_layout(members);
  manifest.dtype = parse_dtype(members);
  if (members.has("part")) manifest.part = parse_part(members.at("part"), name + ": part");
  if (members.has("parts")) {
    for (const Json& part : members.array("parts")) {
      manifest.parts.push_back(parse_joined_part(part, name + ": parts"));
    }
  }
  manifest.shards = parse_shards(members, name, manifest.parts);
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
