#include "io/shard/verify.h"

#include <functional>
#include <span>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "io/h5/screening.h"
#include "io/shard/check.h"
#include "io/shard/index.h"

namespace elmo {
namespace {

using Texts = std::vector<std::string>;

void append(Texts& texts, const Texts& more) {
  texts.insert(texts.end(), more.begin(), more.end());
}

/// Adds to the report the problems that `find` returns, or the reason why the system refused to
/// read. Returns the state of the file.
FileState add(VerifyReport& report, const std::function<Texts()>& find) {
  try {
    const Texts problems = find();
    append(report.problems, problems);
    return problems.empty() ? FileState::sound : FileState::damaged;
  } catch (const SystemError& error) {
    report.unread.emplace_back(error.what());
    return FileState::not_read;
  }
}

/// Runs `find` on the file at `path` and the files that it refers to, of `bytes` bytes in total, in
/// a separate process, because they may be crafted to crash the library.
Texts find_apart(const std::filesystem::path& path, std::uint64_t bytes,
                 const std::function<Texts()>& find) {
  constexpr char kEnd = '\0';
  const auto find_joined = [&] {
    std::string joined;
    for (const std::string& problem : find()) joined += problem + kEnd;
    return joined;
  };
  try {
    Texts problems;
    std::istringstream texts(h5::run_apart(path.string(), h5::limits_of_size(bytes), find_joined));
    for (std::string problem; std::getline(texts, problem, kEnd);) problems.push_back(problem);
    return problems;
  } catch (const InputError& error) {
    return {error.what()};
  }
}

/// Returns the problems of check_shard, and one for activations that are not finite.
Texts check_values(const std::filesystem::path& path, const ShardEntry& shard,
                   const Manifest& manifest) {
  ShardCheck check = check_shard(path, shard, manifest);
  if (check.not_finite != 0) {
    check.problems.push_back(path.string() + ": " + std::to_string(check.not_finite) +
                             " activations are infinite or no number; expected finite ones");
  }
  return std::move(check.problems);
}

std::uint64_t bytes_of_all(const Manifest& manifest) {
  std::uint64_t bytes = manifest.index ? manifest.index->bytes : 0;
  for (const ShardEntry& shard : manifest.shards) bytes += shard.stored_bytes();
  return bytes;
}

/// Checks the index, if there is one, against shards without problems.
void verify_index(VerifyReport& report, const std::filesystem::path& folder) {
  const Manifest& manifest = report.manifest;
  if (!manifest.index) return;
  const std::filesystem::path path = folder / manifest.index->file;
  FileState& state = report.states[manifest.index->file];
  state = add(report, [&] { return check_file(path, *manifest.index); });
  if (!report.sound()) return;
  state = add(report, [&] {
    return find_apart(path, bytes_of_all(manifest),
                      [&] { return check_index(folder, path, manifest, IndexCheck::all_values); });
  });
}

/// Checks that a part is the one that was merged; if not, its merged shards are damaged.
Texts compare_part(const std::filesystem::path& folder, const Manifest& part,
                   std::span<const ShardEntry> merged,
                   std::map<std::string, FileState>& merged_states) {
  Problems problems(folder.string());
  problems.expect_equal("number of shards", part.shards.size(), merged.size());
  for (std::size_t number = 0; number < merged.size(); ++number) {
    const ShardEntry& expected = merged[number];
    const bool same = number < part.shards.size() &&
                      part.shards[number].checksum == expected.checksum &&
                      part.shards[number].sentences == expected.sentences &&
                      part.shards[number].tokens == expected.tokens;
    if (same) continue;
    merged_states[expected.file] = FileState::damaged;
    if (part.shards.size() != merged.size()) continue;
    problems.expect(false, part.shards[number].file + " has changed since the merge",
                    "the merged file; merge the parts again");
  }
  return std::move(problems.texts());
}

/// Checks every part as a run of its own.
void verify_parts(VerifyReport& report, const std::filesystem::path& folder) {
  std::span<const ShardEntry> shards = report.manifest.shards;
  for (const JoinedPart& joined : report.manifest.parts) {
    const std::filesystem::path path = folder / joined.folder;
    add(report, [&]() -> Texts {
      try {
        if (!require_manifest(path).parts.empty()) {
          return {path.string() + " is a merged run; expected a part; merge the parts again"};
        }
        const VerifyReport part = verify_run(path);
        append(report.unread, part.unread);
        for (const auto& [file, state] : part.states) {
          report.states[joined.folder + "/" + file] = state;
        }
        Texts problems = part.problems;
        append(problems,
               compare_part(path, part.manifest, shards.first(joined.shards), report.states));
        append(problems, check_file(path / joined.manifest.file, joined.manifest));
        return problems;
      } catch (const InputError& error) {
        return {error.what()};
      }
    });
    shards = shards.subspan(joined.shards);
  }
}

void verify_shards(VerifyReport& report, const std::filesystem::path& folder) {
  const Manifest& manifest = report.manifest;
  for (const ShardEntry& shard : manifest.shards) {
    bool intact = true;  // only intact files are opened
    for (const ListedFile& file : shard.files()) {
      FileState& state = report.states[file.file];
      state = add(report, [&] { return check_file(folder / file.file, file); });
      intact = intact && state == FileState::sound;
    }
    if (!intact) continue;
    const std::filesystem::path path = folder / shard.file;
    report.states[shard.file] = add(report, [&] {
      return find_apart(path, shard.stored_bytes(),
                        [&] { return check_values(path, shard, manifest); });
    });
  }
}

}  // namespace

VerifyReport verify_run(const std::filesystem::path& folder) {
  VerifyReport report{require_manifest(folder), {}, {}, {}};
  if (report.manifest.parts.empty()) {
    verify_shards(report, folder);
  } else {
    verify_parts(report, folder);
  }
  verify_index(report, folder);
  return report;
}

}  // namespace elmo
