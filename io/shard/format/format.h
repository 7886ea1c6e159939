// Names of files and attributes in the shard format, described by io/shard/FORMAT.md. The names of
// datasets are in columns.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/files/lock.h"

namespace elmo::shard_format {

inline constexpr std::uint64_t kVersion = 1;

// Files of a run's folder.
inline constexpr const char* kManifest = "manifest.json";
inline constexpr const char* kIndex = "index.h5";
inline constexpr const char* kLock = kFolderLockFile;

/// "shard-00042.h5"
std::string shard_file_name(std::size_t number);
/// True for names that shard_file_name returns.
bool is_shard_file_name(std::string_view name);
/// True for all names of files that a run may leave in its folder.
bool is_run_file_name(std::string_view name);

// Attributes of the root group.
inline constexpr const char* kFormat = "format";
inline constexpr const char* kShardFormat = "elmo shard";
inline constexpr const char* kIndexFormat = "elmo index";
inline constexpr const char* kFormatVersion = "format_version";
inline constexpr const char* kLayers = "layers";
inline constexpr const char* kFirstSentence = "first_sentence";
inline constexpr const char* kNextSentence = "next_sentence";
inline constexpr const char* kInputHash = "input_hash";
inline constexpr const char* kTruncatedTokens = "truncated_tokens";
inline constexpr const char* kUnknownTokens = "unknown_tokens";

// Fingerprint components of every run; also attributes.
inline constexpr const char* kDtype = "dtype";
inline constexpr const char* kCompression = "compression";
inline constexpr const char* kLayout = "layout";
inline constexpr const char* kBoundaries = "boundaries";

// Components of runs whose rows are not all tokens.
inline constexpr const char* kSelection = "selection";
inline constexpr const char* kPooling = "pooling";

// Components of parts. All parts of a run have the same sample of the input.
inline constexpr const char* kPart = "part";
inline constexpr const char* kInputSample = "input_sample";

}  // namespace elmo::shard_format
