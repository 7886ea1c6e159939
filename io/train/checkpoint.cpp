#include "io/train/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/atomic_file.h"
#include "io/files/paths.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "checkpoints";
constexpr std::string_view kCheckpointPrefix = "step-";
constexpr std::string_view kCheckpointSuffix = ".h5";

std::string file_name(std::uint64_t step) {
  std::string digits = std::to_string(step);
  constexpr std::size_t kDigits = 10;
  digits.insert(0, kDigits - std::min(kDigits, digits.size()), '0');
  return std::string(kCheckpointPrefix) + digits + std::string(kCheckpointSuffix);
}

/// The step of the checkpoint with that name; nothing for other names.
std::optional<std::uint64_t> step_of(std::string_view name) {
  if (!name.starts_with(kCheckpointPrefix) || !name.ends_with(kCheckpointSuffix))
    return std::nullopt;
  name.remove_prefix(kCheckpointPrefix.size());
  name.remove_suffix(std::min(kCheckpointSuffix.size(), name.size()));
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return step;
}

bool is_unfinished(std::string_view name) {
  const std::optional<std::string> finished = finished_name(name);
  return finished && step_of(*finished);
}

/// The folder of a run's checkpoints. Creates it if missing.
fs::path prepare_folder(const fs::path& run) {
  fs::path folder = run / kFolder;
  make_folder(folder);
  for (const std::string& name : names_in(folder)) {
    if (is_unfinished(name)) remove_path(folder / name);
  }
  return folder;
}

void remove_others(const fs::path& run, std::uint64_t step, std::size_t kept) {
  std::size_t found = 0;
  for (const fs::path& path : find_checkpoints(run)) {
    const bool later = step_of(path.filename().string()) > step;
    if (later || ++found > std::max<std::size_t>(kept, 1)) remove_path(path);
  }
}

}  // namespace

fs::path write_checkpoint(const fs::path& folder, const Checkpoint& checkpoint,
                          std::span<const StateArray> arrays, std::size_t kept) {
  const std::uint64_t step = checkpoint.counters.step;
  const fs::path checkpoints = prepare_folder(folder);
  AtomicFile file(checkpoints / file_name(step));
  write_checkpoint_file(file.temporary_path(), checkpoint, arrays);
  file.publish();
  remove_others(folder, step, kept);
  return file.path();
}

std::vector<fs::path> find_checkpoints(const fs::path& folder) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (std::string& name : names_in(folder / kFolder)) {
    if (const auto step = step_of(name)) found.emplace_back(*step, std::move(name));
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  paths.reserve(found.size());
  for (const auto& [step, name] : found) paths.push_back(folder / kFolder / name);
  return paths;
}

std::optional<RestoredCheckpoint> read_newest_checkpoint(const fs::path& folder,
                                                         const RunFingerprint& expected,
                                                         std::span<const StateArray> arrays) {
  std::vector<std::string> damaged;
  for (const fs::path& path : find_checkpoints(folder)) {
    std::optional<h5::Reader> file;
    try {
      file = open_checkpoint_file(path);
    } catch (const InputError& error) {
      damaged.emplace_back(error.what());
      continue;
    }
    return RestoredCheckpoint{path, read_checkpoint_file(*file, expected, arrays),
                              std::move(damaged)};
  }
  if (damaged.empty()) return std::nullopt;
  std::string all = (folder / kFolder).string() + ": none of the checkpoints is sound:";
  for (const std::string& reason : damaged) all += "\n  " + reason;
  throw InputError(all);
}

}  // namespace elmo
