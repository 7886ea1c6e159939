// The text of manifest.json.

#include "io/shard/manifest.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
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

std::string digits(std::uint64_t number) {
  std::string text = std::to_string(number);
  return text.insert(0, kPartDigits - std::min(kPartDigits, text.size()), '0');
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string part_folder_name(const InputPart& part) {
  return std::string(kPartPrefix) + digits(part.number) + std::string(kMiddle) + digits(part.count);
}

std::optional<InputPart> part_of_folder_name(std::string_view name) {
  const std::size_t middle = name.find(kMiddle);
  if (!name.starts_with(kPartPrefix) || middle == std::string_view::npos) return std::nullopt;
  const auto number = number_of(name.substr(kPartPrefix.size(), middle - kPartPrefix.size()));
  const auto count = number_of(name.substr(middle + kMiddle.size()));
  if (!number || !count || *number >= *count) return std::nullopt;
  const InputPart part{*number, *count};
  return part_folder_name(part) == name ? std::optional(part) : std::nullopt;
}

std::string part_text(const InputPart& part) {
  return std::to_string(part.number) + " of " + std::to_string(part.count) + ", from 0";
}

Document PartBase::joined(const Document& document) const {
  Document joined = document;
  joined.number = this->document(document.number);
  if (document.numbered) {
    const auto in_part = number_of(document.id);
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

namespace {

constexpr const char* kFormatName = "elmo shards";

// Limits far above all real values.
constexpr std::uint64_t kMaxRows = 1U << 16;
constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 31;

Json file_json(const PublishedFile& file) {
  return {{"file", file.file}, {"bytes", file.bytes}, {"xxh3_128", file.checksum}};
}

PublishedFile parse_file(const JsonNode& members) {
  return {members["file"].text(), members["bytes"].count(), members["xxh3_128"].text()};
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

ResumePosition parse_position(const JsonNode& members) {
  ResumePosition position;
  auto& counters = position.text.counters;
  position.text.file = members["file"].count();
  position.text.offset = members["byte"].count();
  position.text.line = members["line"].count();
  if (position.text.line == 0) members["line"].refuse("a line's number, from 1");
  position.sentence = members["sentence"].count();
  position.tokens = members["tokens"].count();
  counters.documents = members["document"].count();
  if (counters.documents > std::numeric_limits<std::uint32_t>::max()) {
    members["document"].refuse("a document's number");
  }
  position.text.first_file_documents = members["first_file_documents"].count();
  counters.invalid_sequences = members["invalid_sequences"].count();
  counters.bad_records = members["bad_records"].count();
  counters.cut_sentences = members["cuts"].count();
  counters.empty_sentences = members["empty_sentences"].count();
  counters.empty_files = members["empty_files"].count();
  position.cut_sentences = members["long_sentences"].count();
  position.input_hash = members["input_hash"].text();
  position.text_hash = members["text_hash"].text();
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

RunPart parse_part(const JsonNode& members) {
  RunPart part;
  part.part = {members["number"].count(), members["count"].count()};
  if (part.part.number >= part.part.count) members["number"].refuse("one below \"count\"");
  if (!members["files"].is_there()) return part;
  PartCounts& counts = part.counts.emplace();
  counts.files = members["files"].count();
  counts.documents = members["documents"].count();
  counts.begins_inside = members["begins_inside"].flag();
  counts.continues_document = members["continues_document"].flag();
  counts.first_file_documents = members["first_file_documents"].count();
  counts.ends_inside = members["ends_inside"].flag();
  counts.lines = members["lines"].count();
  if (counts.continues_document && counts.documents == 0) {
    members["documents"].refuse("at least the one that it continues");
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

JoinedPart parse_joined_part(const JsonNode& members) {
  JoinedPart part;
  part.folder = members["folder"].text();
  // A manifest must not name files outside the folder.
  if (!part_of_folder_name(part.folder)) members["folder"].refuse("a part's name");
  part.shards = members["shards"].count();
  part.base = {members["first_sentence"].count(), members["first_token"].count(),
               members["first_document"].count(), members["lines_before"].count(),
               members["documents_of_first_file"].count()};
  part.manifest = parse_file(members["manifest"]);
  part.index = parse_file(members["index"]);
  if (part.manifest.file != shard_format::kManifest) members["manifest"].refuse("manifest.json");
  if (part.index.file != shard_format::kIndex) members["index"].refuse(shard_format::kIndex);
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
  Json& datasets = json["datasets"] = Json::object();
  for (const auto& [dataset, checksum] : shard.checksums) datasets[dataset] = checksum;
  if (shard.position) json["place"] = position_json(*shard.position);
  return json;
}

ShardEntry parse_shard(const JsonNode& members) {
  ShardEntry shard;
  static_cast<PublishedFile&>(shard) = parse_file(members);
  // A manifest must not name files outside the folder.
  const std::size_t slash = shard.file.find('/');
  const bool in_part =
      slash != std::string::npos && part_of_folder_name(shard.file.substr(0, slash)).has_value();
  if (!shard_format::is_shard_file_name(in_part ? shard.file.substr(slash + 1) : shard.file)) {
    members["file"].refuse("a shard's name");
  }
  shard.first_sentence = members["first_sentence"].count();
  shard.sentences = members["sentences"].count();
  shard.unlisted_sentences =
      (members["unlisted_sentences"].is_there() ? members["unlisted_sentences"].count() : 0);
  shard.tokens = members["tokens"].count();
  shard.documents = members["documents"].count();
  shard.truncated_tokens = members["truncated_tokens"].count();
  shard.unknown_tokens = members["unknown_tokens"].count();
  shard.input_hash = members["input_hash"].text();
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
    next_sentence = entry.next_sentence();
    tokens += entry.tokens;
    if (entry.unlisted_sentences > 0 && !entry.lists_sentences()) {
      throw InputError(name + ": " + expected + " has unlisted sentences and no dataset " +
                       path_of(ColumnId::sentence_number) + "; expected both or neither");
    }
    if (std::max(next_sentence, tokens) > kMaxCount) {
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
  if (!manifest.options.empty()) json["options"] = parse_json(manifest.options);
  if (manifest.part) json["part"] = part_json(*manifest.part);
  for (const JoinedPart& part : manifest.parts) json["parts"].push_back(joined_part_json(part));
  return json.dump(1) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& name) {
  const JsonDocument document(text, name, "a run's manifest");
  const JsonNode members = document.root();
  if (members["format"].text() != kFormatName) members["format"].refuse("\"elmo shards\"");
  if (members["version"].count() != shard_format::kVersion) {
    members["version"].refuse(std::to_string(shard_format::kVersion));
  }
  Manifest manifest;
  manifest.fingerprint = members["fingerprint"].named_texts();
  if (members["options"].is_there()) {
    manifest.options = members["options"].object().dump();
  }
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
    manifest.index = parse_file(members["index"]);
    if (manifest.index->file != shard_format::kIndex) members["index"].refuse(shard_format::kIndex);
  }
  return manifest;
}

}  // namespace elmo
