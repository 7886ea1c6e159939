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
#include "io/shard/check.h"
#include "io/shard/describe.h"
#include "io/shard/run_reader.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fuzz/damage.h"

namespace {

std::filesystem::path scratch() {
  static const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("elmo-fuzz-" + std::to_string(::getpid()));
  return path;
}

struct Sound {
  elmo::ShardEntry entry;
  std::string bytes;
};

Sound sound_shard() {
  elmo::ShardFormat format;
  format.layout = elmo::small_layout();
  format.compression = elmo::h5::Compression::gzip;
  Sound sound;
  {
    elmo::ShardRun run(scratch(), {{"model", "0123"}}, elmo::RunMode::overwrite, format);
    feed(run, format.layout, 0, 9, 9);
    sound.entry = run.manifest().shards.front();
  }
  sound.bytes = elmo::file_content(scratch() / sound.entry.file);
  return sound;
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
  static const Sound kSound = sound_shard();
  std::string file = kSound.bytes;
  elmo::damage(file, {data, size});
  const std::filesystem::path path = scratch() / "damaged.h5";
  std::ofstream(path, std::ios::binary) << file;
  try {
    elmo::describe_shard(path);
    elmo::h5::try_out(path.string(), file.size(), [&] {
      check_shard(path, kSound.entry, elmo::small_layout(), elmo::Dtype::float32);
      read_all(*elmo::open_activations(path));
    });
  } catch (const elmo::InputError&) {
  }
  return 0;
}
