// Members of manifest.json that tell of parts and places.
#pragma once

#include "io/shard/manifest/input_account.h"
#include "io/shard/manifest/json_members.h"
#include "io/shard/manifest/manifest.h"

namespace elmo {

/// Each pair is inverse to each other. Parsing throws as Members.
Json place_json(const ResumePlace& place);
ResumePlace parse_place(const Members& members);
Json part_json(const RunPart& part);
RunPart parse_part(const Json& json, const std::string& name);
Json joined_part_json(const JoinedPart& part);
JoinedPart parse_joined_part(const Json& json, const std::string& name);

/// A published file, with its name.
Json file_json(const PublishedFile& file);
PublishedFile parse_file(const Members& members);

}  // namespace elmo
