#include "io/shard/manifest/manifest_json.h"

#include <limits>

#include "io/shard/format/format.h"

namespace elmo {

Json file_json(const PublishedFile& file) {
  return {{"file", file.file}, {"bytes", file.bytes}, {"xxh3_128", file.checksum}};
}

PublishedFile parse_file(const Members& members) {
  return {members.text("file"), members.number("bytes"), members.text("xxh3_128")};
}

Json place_json(const ResumePlace& place) {
  const InputCounters& counters = place.text.counters;
  return {{"file", place.text.file},
          {"byte", place.text.offset},
          {"line", place.text.line},
          {"sentence", place.sentence},
          {"tokens", place.tokens},
          {"document", counters.documents},
          {"first_file_documents", place.text.first_file_documents},
          {"invalid_sequences", counters.invalid_sequences},
          {"bad_records", counters.bad_records},
          {"cuts", counters.cut_sentences},
          {"empty_sentences", counters.empty_sentences},
          {"empty_files", counters.empty_files},
          {"long_sentences", place.cut_sentences},
          {"input_hash", place.input_hash},
          {"text_hash", place.text_hash}};
}

ResumePlace parse_place(const Members& members) {
  ResumePlace place;
  InputCounters& counters = place.text.counters;
  place.text.file = members.number("file");
  place.text.offset = members.number("byte");
  place.text.line = members.number("line");
  if (place.text.line == 0) members.wrong("line", "a line's number, from 1");
  place.sentence = members.number("sentence");
  place.tokens = members.number("tokens");
  counters.documents = members.number("document");
  if (counters.documents > std::numeric_limits<std::uint32_t>::max()) {
    members.wrong("document", "a document's number");
  }
  place.text.first_file_documents = members.number("first_file_documents");
  counters.invalid_sequences = members.number("invalid_sequences");
  counters.bad_records = members.number("bad_records");
  counters.cut_sentences = members.number("cuts");
  counters.empty_sentences = members.number("empty_sentences");
  counters.empty_files = members.number("empty_files");
  place.cut_sentences = members.number("long_sentences");
  place.input_hash = members.text("input_hash");
  place.text_hash = members.text("text_hash");
  return place;
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

}  // namespace elmo
