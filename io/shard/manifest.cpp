#include "io/shard/manifest.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/text.h"
#include "io/files/descriptor.h"
#include "io/files/paths.h"
#include "io/json/json.h"
#include "io/json/json_document.h"
#include "io/shard/format.h"

namespace elmo {
namespace {

constexpr std::string_view kPartPrefix = "part-";
constexpr std::string_view kMiddle = "-of-";
constexpr std::size_t kPartDigits = 5;  // at least; larger numbers have more digits

}  // namespace

std::string part_folder_name(const InputPart& part) {
  return std::string(kPartPrefix) + padded(part.number, kPartDigits) + std::string(kMiddle) +
         padded(part.count, kPartDigits);
}

std::optional<InputPart> part_of_folder_name(std::string_view name) {
  const std::size_t middle = name.find(kMiddle);
  if (!name.starts_with(kPartPrefix) || middle == std::string_view::npos) return std::nullopt;
  const auto number =
      number_of<std::uint64_t>(name.substr(kPartPrefix.size(), middle - kPartPrefix.size()));
  const auto count = number_of<std::uint64_t>(name.substr(middle + kMiddle.size()));
  if (!number || !count || *count > kMaxParts || *number >= *count) return std::nullopt;
  const InputPart part{*number, *count};
  return part_folder_name(part) == name ? std::optional(part) : std::nullopt;
}

std::optional<std::string> part_in(const std::filesystem::path& folder) {
  if (!is_folder(folder)) return std::nullopt;
  for (const std::string& name : names_in(folder)) {
    if (part_of_folder_name(name)) return name;
  }
  return std::nullopt;
}

std::string part_text(const InputPart& part) {
  return std::to_string(part.number) + " of " + std::to_string(part.count) + ", from 0";
}

Document PartBase::joined(const Document& document) const {
  Document joined = document;
  joined.number = this->document(document.number);
  if (document.numbered) {
    const auto in_part = number_of<std::uint64_t>(document.id);
    if (!in_part) throw InputError("a document without an id is called " + document.id);
    joined.id = std::to_string(line(*in_part, document.number));
  }
  return joined;
}

PartBase PartBases::next(const PartCounts& counts, std::uint64_t sentences, std::uint64_t tokens) {
  PartBase base{sentences_, tokens_, documents_, 0, 0};
  if (counts.begins_inside) {
    base.lines = lines_;
    base.line_documents = counts.first_file_documents;
  }
  // A document that continues already has a number.
  if (counts.continues_document) --base.documents;
  sentences_ += sentences;
  tokens_ += tokens;
  documents_ = base.documents + counts.documents;
  if (counts.files > 0) {
    const bool same_file = counts.begins_inside && counts.files == 1;
    lines_ = counts.lines + (same_file ? lines_ : 0);
  }
  return base;
}

void require_size(const std::filesystem::path& path, const ListedFile& file) {
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

void require_sizes(const std::filesystem::path& folder, const ShardEntry& shard) {
  for (const ListedFile& file : shard.files()) require_size(folder / file.file, file);
}

PartBase Manifest::base_of(std::size_t shard) const {
  for (const JoinedPart& joined : parts) {
    if (shard < joined.shards) return joined.base;
    shard -= joined.shards;
  }
  return {};
}

std::string layout_text(const ActivationLayout& layout) {
  return joined(layout.rows, ", ") + " of " + std::to_string(layout.width);
}

std::optional<Manifest> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / shard_format::kManifest;
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) return std::nullopt;
  return parse_manifest(*text, path.string());
}

Manifest require_manifest(const std::filesystem::path& folder) {
  if (std::optional<Manifest> manifest = read_manifest(folder)) return *std::move(manifest);
  if (const std::optional<std::string> part = part_in(folder)) {
    throw InputError(folder.string() + " holds " + *part +
                     ", a part of a run, but no whole run; join the parts with elmo merge");
  }
  throw InputError(folder.string() + lack_of(folder, shard_format::kManifest) +
                   "; expected the folder of a run");
}

namespace {

constexpr const char* kFormatName = "elmo shards";

// Limits far above all real values.
constexpr std::uint64_t kMaxRows = 1U << 16;
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 31;

// Each visit_… lists the members of an object once, for writing and for reading.

struct MemberWriter {
  Json& json;

  void operator()(const char* key, const auto& value) const { json[key] = value; }
  void operator()(const char* key, const ListedFile& file) const;
  /// Omits 0.
  void unless_zero(const char* key, std::uint64_t count) const {
    if (count > 0) json[key] = count;
  }
};

struct MemberReader {
  const JsonNode& members;

  void operator()(const char* key, std::uint64_t& count) const { count = members[key].count(); }
  void operator()(const char* key, bool& flag) const { flag = members[key].flag(); }
  void operator()(const char* key, std::string& text) const { text = members[key].text(); }
  void operator()(const char* key, ListedFile& file) const;
  void unless_zero(const char* key, std::uint64_t& count) const {
    count = members[key].is_there() ? members[key].count() : 0;
  }
};

template <typename Visit, typename File>
void visit_file(const Visit& visit, File& file) {
  visit("file", file.file);
  visit("bytes", file.bytes);
  visit("xxh3_128", file.checksum);
}

template <typename Visit, typename Position>
void visit_position(const Visit& visit, Position& position) {
  auto& counters = position.counters;
  visit("file", position.file);
  visit("byte", position.offset);
  visit("line", position.line);
  visit("sentence", position.sentence);
  visit("tokens", position.tokens);
  visit("document", counters.documents);
  visit("first_file_documents", position.first_file_documents);
  visit("invalid_sequences", counters.invalid_sequences);
  visit("bad_records", counters.bad_records);
  visit("cuts", counters.cut_sentences);
  visit("empty_sentences", counters.empty_sentences);
  visit("empty_files", counters.empty_files);
  visit("long_sentences", position.cut_sentences);
  visit("input_hash", position.input_hash);
  visit("text_hash", position.text_hash);
}

template <typename Visit, typename Counts>
void visit_part_counts(const Visit& visit, Counts& counts) {
  visit("files", counts.files);
  visit("documents", counts.documents);
  visit("begins_inside", counts.begins_inside);
  visit("continues_document", counts.continues_document);
  visit("first_file_documents", counts.first_file_documents);
  visit("ends_inside", counts.ends_inside);
  visit("lines", counts.lines);
}

template <typename Visit, typename Part>
void visit_joined_part(const Visit& visit, Part& part) {
  visit("folder", part.folder);
  visit("shards", part.shards);
  visit("first_sentence", part.base.sentences);
  visit("first_token", part.base.tokens);
  visit("first_document", part.base.documents);
  visit("lines_before", part.base.lines);
  visit("documents_of_first_file", part.base.line_documents);
  visit("manifest", part.manifest);
  visit("index", part.index);
}

template <typename Visit, typename Shard>
void visit_shard(const Visit& visit, Shard& shard) {
  visit_file(visit, shard);
  visit("first_sentence", shard.first_sentence);
  visit("sentences", shard.sentences);
  visit.unless_zero("unlisted_sentences", shard.unlisted_sentences);
  visit("tokens", shard.tokens);
  visit("documents", shard.documents);
  visit("truncated_tokens", shard.truncated_tokens);
  visit("unknown_tokens", shard.unknown_tokens);
  visit("input_hash", shard.input_hash);
  visit("tables", shard.tables);
}

void MemberWriter::operator()(const char* key, const ListedFile& file) const {
  Json members;
  visit_file(MemberWriter{members}, file);
  json[key] = members;
}

void MemberReader::operator()(const char* key, ListedFile& file) const {
  visit_file(MemberReader{members[key]}, file);
}

ResumePosition parse_position(const JsonNode& members) {
  ResumePosition position;
  visit_position(MemberReader{members}, position);
  if (position.line == 0) members["line"].refuse("a line's number, from 1");
  if (position.counters.documents > std::numeric_limits<std::uint32_t>::max()) {
    members["document"].refuse("a document's number");
  }
  return position;
}

Json part_json(const RunPart& part) {
  Json json = {{"number", part.part.number}, {"count", part.part.count}};
  if (part.counts) visit_part_counts(MemberWriter{json}, *part.counts);
  return json;
}

RunPart parse_part(const JsonNode& members) {
  RunPart part;
  part.part = {members["number"].count(), members["count"].count()};
  if (part.part.number >= part.part.count) members["number"].refuse("one below \"count\"");
  if (!members["files"].is_there()) return part;
  PartCounts& counts = part.counts.emplace();
  visit_part_counts(MemberReader{members}, counts);
  if (counts.continues_document && counts.documents == 0) {
    members["documents"].refuse("at least the one that it continues");
  }
  return part;
}

JoinedPart parse_joined_part(const JsonNode& members) {
  JoinedPart part;
  visit_joined_part(MemberReader{members}, part);
  // A manifest must not name files outside the folder.
  if (!part_of_folder_name(part.folder)) members["folder"].refuse("a part's name");
  if (part.manifest.file != shard_format::kManifest) members["manifest"].refuse("manifest.json");
  if (part.index.file != shard_format::kIndex) members["index"].refuse(shard_format::kIndex);
  return part;
}

Json shard_json(const ShardEntry& shard) {
  Json json;
  visit_shard(MemberWriter{json}, shard);
  Json& datasets = json["datasets"] = Json::object();
  for (const auto& [dataset, checksum] : shard.checksums) datasets[dataset] = checksum;
  if (shard.position) visit_position(MemberWriter{json["place"]}, *shard.position);
  return json;
}

ShardEntry parse_shard(const JsonNode& members) {
  ShardEntry shard;
  visit_shard(MemberReader{members}, shard);
  // A manifest must not name files outside the folder.
  const std::size_t slash = shard.file.find('/');
  const bool in_part =
      slash != std::string::npos && part_of_folder_name(shard.file.substr(0, slash)).has_value();
  if (!shard_format::is_shard_file_name(in_part ? shard.file.substr(slash + 1) : shard.file)) {
    members["file"].refuse("a shard's name");
  }
  for (auto& [dataset, checksum] : members["datasets"].named_texts()) {
    shard.checksums.emplace(dataset, checksum);
  }
  if (members["place"].is_there()) {
    shard.position = parse_position(members["place"]);
    if (shard.position->sentence > shard.next_sentence())
      members["place"].refuse("one before its end");
  }
  return shard;
}

ActivationLayout parse_layout(const JsonNode& members) {
  ActivationLayout layout;
  layout.rows = members["layers"].texts();
  if (layout.rows.empty() || layout.rows.size() > kMaxRows) {
    members["layers"].refuse("the names of the rows that a token has");
  }
  const std::uint64_t width = members["width"].count();
  if (width == 0 || width > kMaxWidth) members["width"].refuse("the numbers of a row");
  layout.width = static_cast<std::int64_t>(width);
  return layout;
}

/// Parses the shards, which must be consecutive without gaps.
std::vector<ShardEntry> parse_shards(const JsonNode& members, const std::string& name,
                                     const std::vector<JoinedPart>& parts) {
  const std::vector<JsonNode> listed = members["shards"].elements();
  // The name of each shard is determined by its position.
  std::vector<std::string> names;
  for (const JoinedPart& part : parts) {
    if (part.shards > listed.size() - names.size()) {
      members["parts"].refuse("as many shards as are listed");
    }
    for (std::uint64_t number = 0; number < part.shards; ++number) {
      names.push_back(part.folder + "/" + shard_format::shard_file_name(number));
    }
  }
  std::vector<ShardEntry> shards;
  std::uint64_t next_sentence = 0;
  std::uint64_t tokens = 0;
  for (const JsonNode& shard : listed) {
    const std::size_t number = shards.size();
    if (!parts.empty() && number >= names.size()) {
      members["parts"].refuse("as many shards as are listed");
    }
    const std::string expected =
        parts.empty() ? shard_format::shard_file_name(number) : names[number];
    shards.push_back(parse_shard(shard));
    const ShardEntry& entry = shards.back();
    if (entry.file != expected || entry.first_sentence != next_sentence) {
      throw InputError(name + " lists " + entry.file + " from sentence " +
                       std::to_string(entry.first_sentence) + "; expected " + expected +
                       " from sentence " + std::to_string(next_sentence));
    }
    const std::string tables = shard_format::tables_file_of(expected);
    if (entry.tables.file != tables) shard["tables"]["file"].refuse(tables);
    next_sentence = entry.next_sentence();
    tokens += entry.tokens;
    if (entry.unlisted_sentences > 0 && !entry.lists_sentences()) {
      throw InputError(name + ": " + expected + " has unlisted sentences and no dataset " +
                       path_of(ColumnId::sentence_number) + "; expected both or neither");
    }
    if (std::max(next_sentence, tokens) > kMaxCount) {
      throw InputError(name + ": the counts of " + expected + " are too large; expected " +
                       "counts of a run");
    }
  }
  return shards;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  Json provenance = Json::object();
  for (const auto& [name, value] : manifest.provenance) provenance[name] = value;
  Json shards = Json::array();
  for (const ShardEntry& shard : manifest.shards) shards.push_back(shard_json(shard));
  Json json = {{"format", kFormatName},
               {"version", shard_format::kVersion},
               {"complete", manifest.complete()},
               {"fingerprint", provenance},
               {"layers", manifest.layout.rows},
               {"width", manifest.layout.width},
               {"dtype", kDtypes.word(manifest.dtype)},
               {"shards", shards},
               {"index", nullptr},
               {"options", parse_json(manifest.options)}};
  if (manifest.index) MemberWriter{json}("index", *manifest.index);
  if (manifest.part) json["part"] = part_json(*manifest.part);
  for (const JoinedPart& part : manifest.parts) {
    Json members;
    visit_joined_part(MemberWriter{members}, part);
    json["parts"].push_back(members);
  }
  return json.dump(1) + "\n";
}

bool holds_other_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / shard_format::kManifest;
  const std::optional<std::string> text = read_file_if_there(path);
  if (!text) return false;
  try {
    const JsonDocument document(*text, path.string(), "a manifest");
    const JsonNode format = document["format"];
    return !format.is_text() || format.text() != kFormatName;
  } catch (const InputError&) {
    return false;
  }
}

Manifest parse_manifest(const std::string& text, const std::string& name) {
  const JsonDocument document(text, name, "a run's manifest");
  const JsonNode members = document.root();
  if (members["format"].text() != kFormatName) members["format"].refuse("\"elmo shards\"");
  const std::uint64_t version = members["version"].count();
  if (version != shard_format::kVersion) {
    members["version"].refuse(std::to_string(shard_format::kVersion) +
                              (version < shard_format::kVersion
                                   ? "; elmo 0.7 or before made this run, so embed its text again"
                                   : ""));
  }
  Manifest manifest;
  manifest.provenance = members["fingerprint"].named_texts();
  manifest.options = members["options"].object().dump();
  manifest.layout = parse_layout(members);
  manifest.dtype = members["dtype"].choice(kDtypes);
  if (members["part"].is_there()) manifest.part = parse_part(members["part"]);
  if (members["parts"].is_there()) {
    for (const JsonNode& part : members["parts"].elements()) {
      manifest.parts.push_back(parse_joined_part(part));
    }
  }
  manifest.shards = parse_shards(members, name, manifest.parts);
  if (members["index"].is_there()) {
    MemberReader{members}("index", manifest.index.emplace());
    if (manifest.index->file != shard_format::kIndex) members["index"].refuse(shard_format::kIndex);
  }
  return manifest;
}

}  // namespace elmo
