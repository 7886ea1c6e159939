// A shard damaged anywhere is either read or refused with an InputError, when it is described,
// checked and read; it may crash the library in the child process that tries it out, nothing else.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/h5/trial.h"
#include "io/shard/check/check.h"
#include "io/shard/describe.h"
#include "io/shard/read/run_reader.h"
#include "io/shard/write/shard_run.h"
#include "io/trials.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"

namespace {

constexpr const char* kReading = "damaged shard";

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

/// Checks and reads a damaged shard, which should be the one that the folder's manifest lists.
std::string read_damaged(std::span<const std::string> arguments) {
  const elmo::Manifest manifest = elmo::read_manifest(arguments[0]).value();
  check_shard(arguments[1], manifest.shards.front(), manifest.layout, manifest.dtype);
  read_all(*elmo::open_activations(arguments[1]));
  return "";
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  elmo::h5::TrialReadings readings = elmo::trial_readings();
  readings[kReading] = read_damaged;
  elmo::h5::serve_trials(*argc, *argv, readings);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = sound_shard();
  std::string file = kSound;
  elmo::damage(file, {data, size});
  const std::filesystem::path path = scratch() / "damaged.h5";
  std::ofstream(path, std::ios::binary) << file;
  try {
    elmo::describe_shard(path);
    elmo::h5::try_out({kReading,
                       {scratch().string(), path.string()},
                       path.string(),
                       elmo::h5::trial_limits(file.size())});
  } catch (const elmo::InputError&) {
  }
  return 0;
}
