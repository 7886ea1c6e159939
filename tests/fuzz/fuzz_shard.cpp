// A shard or tables file with any damage is either read or refused with an InputError when it is
// described, checked and read. Damage may crash the library only in the process that screens files.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/screening.h"
#include "io/shard/check.h"
#include "io/shard/shard_reader.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/screening_time.h"

namespace {

/// Makes a run of one shard in scratch() and returns its manifest.
elmo::Manifest sound_run() {
  elmo::ShardFormat format;
  format.layout = elmo::small_layout();
  format.compression = elmo::h5::Compression::gzip;
  elmo::ShardRun run(elmo::scratch(), {{"model", "0123"}}, elmo::RunMode::overwrite, format);
  feed(run, format.layout, 0, 9, 9);
  return run.manifest();
}

void read_all(elmo::ActivationSource& source) {
  elmo::ActivationBlock block;
  for (std::uint64_t next = source.sentence_begin(); next < source.sentence_end();
       next += block.sentences.size()) {
    source.read(next, {}, block);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const elmo::Manifest kManifest = sound_run();
  static const elmo::ShardEntry& kEntry = kManifest.shards.front();
  static const std::string kShard = elmo::content_of(elmo::scratch() / kEntry.file);
  static const std::string kTables = elmo::content_of(elmo::scratch() / kEntry.tables.file);
  if (size == 0) return 0;
  std::string shard = kShard;
  std::string tables = kTables;
  elmo::damage(data[0] % 2 == 0 ? shard : tables, {data + 1, size - 1});
  const std::filesystem::path path = elmo::scratch() / "damaged" / kEntry.file;
  const std::filesystem::path tables_path = elmo::scratch() / "damaged" / kEntry.tables.file;
  std::filesystem::create_directory(path.parent_path());
  std::ofstream(path, std::ios::binary) << shard;
  std::ofstream(tables_path, std::ios::binary) << tables;
  elmo::shorten_screening();
  elmo::may_be_refused([&] {
    elmo::describe_shard(path);
    elmo::describe_shard(tables_path);
    elmo::ShardReader reader(
        elmo::h5::open_screened(path, elmo::h5::ScreeningScope::values),
        elmo::h5::open_screened(tables_path, elmo::h5::ScreeningScope::values));
    read_all(reader);
    check_shard(path, kEntry, kManifest);
  });
  return 0;
}
