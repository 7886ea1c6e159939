#include "io/shard/format/format.h"

#include <algorithm>

#include "io/files/atomic_file.h"

namespace elmo::shard_format {
namespace {

constexpr std::string_view kShardPrefix = "shard-";
constexpr std::string_view kShardSuffix = ".h5";
constexpr std::size_t kShardDigits = 5;  // at least; larger numbers have more digits

}  // namespace

std::string shard_file_name(std::size_t number) {
  std::string digits = std::to_string(number);
  digits.insert(0, kShardDigits - std::min(kShardDigits, digits.size()), '0');
  return std::string(kShardPrefix) + digits + std::string(kShardSuffix);
}

bool is_shard_file_name(std::string_view name) {
  if (!name.starts_with(kShardPrefix) || !name.ends_with(kShardSuffix)) return false;
  if (name.size() < kShardPrefix.size() + kShardDigits + kShardSuffix.size()) return false;
  name.remove_prefix(kShardPrefix.size());
  name.remove_suffix(kShardSuffix.size());
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_run_file_name(std::string_view name) {
  const std::optional<std::string> finished = finished_name(name);
  if (finished) name = *finished;
  return name == kManifest || name == kIndex || name == kLock || is_shard_file_name(name);
}

}  // namespace elmo::shard_format
