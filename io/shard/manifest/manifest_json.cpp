// The text of manifest.json.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.h"
#include "io/json/json_depth.h"
#include "io/shard/format/columns.h"
#include "io/shard/format/format.h"
#include "io/shard/manifest/json_members.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {
namespace {

constexpr const char* kFormatName = "elmo shards";

// Far above what there will be.
constexpr std::uint64_t kMostRows = 1U << 16;
constexpr std::uint64_t kMostWidth = std::uint64_t{1} << 31;

Json file_json(const PublishedFile& file) {
  return {{"file", file.file}, {"bytes", file.bytes}, {"xxh3_128", file.checksum}};
}

PublishedFile parse_file(const Members& members) {
  return {members.text("file"), members.number("bytes"), members.text("xxh3_128")};
}

Json position_json(const ResumePosition& position) {
  const auto& counters = position.text.counters;
  return {{"file", position.text.file},
          {"byte", position.text.offset},
          {"line", position.text.line},
          {"sentence", position.sentence},
          {"tokens", position.tokens},
          {"document", counters.documents},
          {"first_file_documents", position.text.first_file_documents},
          {"invalid_sequences", counters.invalid_sequences},
          {"bad_records", counters.bad_records},
          {"cuts", counters.cut_sentences},
          {"empty_sentences", counters.empty_sentences},
          {"empty_files", counters.empty_files},
          {"long_sentences", position.cut_sentences},
          {"input_hash", position.input_hash},
          {"text_hash", position.text_hash}};
}

ResumePosition parse_position(const Members& members) {
  ResumePosition position;
  auto& counters = position.text.counters;
  position.text.file = members.number("file");
  position.text.offset = members.number("byte");
  position.text.line = members.number("line");
  if (position.text.line == 0) members.wrong("line", "a line's number, from 1");
  position.sentence = members.number("sentence");
  position.tokens = members.number("tokens");
  counters.documents = members.number("document");
  if (counters.documents > std::numeric_limits<std::uint32_t>::max()) {
    members.wrong("document", "a document's number");
  }
  position.text.first_file_documents = members.number("first_file_documents");
  counters.invalid_sequences = members.number("invalid_sequences");
  counters.bad_records = members.number("bad_records");
  counters.cut_sentences = members.number("cuts");
  counters.empty_sentences = members.number("empty_sentences");
  counters.empty_files = members.number("empty_files");
  position.cut_sentences = members.number("long_sentences");
  position.input_hash = members.text("input_hash");
  position.text_hash = members.text("text_hash");
  return position;
}

Json part_json(const RunPart& part) {
  Json json = {{"number", part.part.number}, {"count", part.part.count}};
  if (part.counts) {
    const PartCounts& counts = *part.counts;
    json["files"] = counts.files;
    json["documents"] = counts.documents;
    json["begins_inside"] = counts.begins_inside;
    json["continues_document"] = counts.continues_document;
    json["first_file_documents"] = counts.first_file_documents;
    json["ends_inside"] = counts.ends_inside;
    json["lines"] = counts.lines;
  }
  return json;
}

RunPart parse_part(const Json& json, const std::string& name) {
  const Members members(json, name);
  RunPart part;
  part.part = {members.number("number"), members.number("count")};
  if (part.part.number >= part.part.count) members.wrong("number", "one below \"count\"");
  if (!members.has("files")) return part;
  PartCounts& counts = part.counts.emplace();
  counts.files = members.number("files");
  counts.documents = members.number("documents");
  counts.begins_inside = members.truth("begins_inside");
  counts.continues_document = members.truth("continues_document");
  counts.first_file_documents = members.number("first_file_documents");
  counts.ends_inside = members.truth("ends_inside");
  counts.lines = members.number("lines");
  if (counts.continues_document && counts.documents == 0) {
    members.wrong("documents", "the one that it goes on with, at least");
  }
  return part;
}

Json joined_part_json(const JoinedPart& part) {
  return {{"folder", part.folder},
          {"shards", part.shards},
          {"first_sentence", part.base.sentences},
          {"first_token", part.base.tokens},
          {"first_document", part.base.documents},
          {"lines_before", part.base.lines},
          {"documents_of_first_file", part.base.line_documents},
          {"manifest", file_json(part.manifest)},
          {"index", file_json(part.index)}};
}

JoinedPart parse_joined_part(const Json& json, const std::string& name) {
  const Members members(json, name);
  JoinedPart part;
  part.folder = members.text("folder");
  // A manifest must not name files elsewhere.
  if (!part_of_folder_name(part.folder)) members.wrong("folder", "a part's name");
  part.shards = members.number("shards");
  part.base = {members.number("first_sentence"), members.number("first_token"),
               members.number("first_document"), members.number("lines_before"),
               members.number("documents_of_first_file")};
  part.manifest = parse_file(Members(members.at("manifest"), name + ": manifest"));
  part.index = parse_file(Members(members.at("index"), name + ": index"));
  if (part.manifest.file != shard_format::kManifest) members.wrong("manifest", "manifest.json");
  if (part.index.file != shard_format::kIndex) members.wrong("index", shard_format::kIndex);
  return part;
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
  if (shard.position) json["place"] = position_json(*shard.position);
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
    shard.position = parse_position(Members(members.at("place"), name + ": place"));
    if (shard.position->sentence > shard.next_sentence())
      members.wrong("place", "one before its end");
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
  const std::optional<Dtype> dtype = kDtypes.find(members.text("dtype"));
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
                       path_of(ColumnId::sentence_number) + "; expected both or neither");
    }
    if (std::max(next_sentence, tokens) > kMostCount) {
      throw InputError(name + ": the counts of " + expected + " are too large; expected " +
                       "those of a run");
    }
  }
  return shards;
}

}  // namespace

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
               {"dtype", kDtypes.word(manifest.dtype)},
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

}  // namespace elmo
