// How deep JSON that nobody vouches for nests.
#pragma once

#include <string_view>

namespace elmo {

/// Whether arrays and objects of a text of JSON stand within each other more than 32 levels deep,
/// which nothing that is written here does: nlohmann's ordered_json copies values level by level
/// while it parses, until the stack is full. Of a text that is no JSON: anything, but whatever of
/// it is JSON up to the mistake is not as deep where this is false. Any thread.
bool nests_deeply(std::string_view text);

}  // namespace elmo
