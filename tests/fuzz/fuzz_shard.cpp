// A shard damaged anywhere is either read or refused with an InputError, when it is described,
// checked and read; it may crash the library in the process that probes it, nothing else.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/probe.h"
#include "io/shard/check.h"
#include "io/shard/shard_reader.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"

namespace {

std::filesystem::path scratch() {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("elmo-fuzz-" + std::to_string(::getpid()));
  return path;
}

/// The bytes of a shard that scratch()'s manifest lists.
std::string sound_shard() {
  elmo::ShardFormat format;
  format.layout = elmo::small_layout();
  format.compression = elmo::h5::Compression::gzip;
  std::string name;
  {
    elmo::ShardRun run(scratch(), {{"model", "0123"}}, elmo::RunMode::overwrite, format);
    feed(run, format.layout, 0, 9, 9);
    name = run.manifest().shards.front().file;
  }
  return elmo::content_of(scratch() / name);
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
  static const std::string kSound = sound_shard();
  static const elmo::Manifest kManifest = elmo::read_manifest(scratch()).value();
  std::string file = kSound;
  elmo::damage(file, {data, size});
  const std::filesystem::path path = scratch() / "damaged.h5";
  std::ofstream(path, std::ios::binary) << file;
  try {
    elmo::describe_shard(path);
    elmo::ShardReader reader(elmo::h5::open_probed(path, elmo::h5::ProbeScope::values));
    read_all(reader);
    check_shard(path, kManifest.shards.front(), kManifest.layout, kManifest.dtype);
  } catch (const elmo::InputError&) {
  }
  return 0;
}
