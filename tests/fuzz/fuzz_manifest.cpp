// A manifest of any bytes is either read or refused with an InputError. A manifest that was read is
// written as text that reads back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "io/shard/manifest.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/may_be_refused.h"

namespace {

std::string sound_manifest() {
  elmo::Manifest manifest;
  manifest.provenance = {{"model", "0123"}, {"input", "größe.txt"}};
  manifest.layout = {{"x", "forward_1", "backward_1"}, 4};
  manifest.index = {"index.h5", 1000, "00ff"};
  elmo::ShardEntry shard;
  shard.file = "shard-00000.h5";
  shard.bytes = 2000;
  shard.sentences = 7;
  shard.tokens = 90;
  shard.checksums = {{"tokens", "0f"}};
  manifest.shards = {shard};
  shard.file = "shard-00001.h5";
  shard.first_sentence = 7;
  manifest.shards.push_back(shard);
  return manifest_text(manifest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = sound_manifest();
  if (size == 0) return 0;
  // Uses the bytes themselves, or as changes to a valid manifest.
  std::string text(reinterpret_cast<const char*>(data), size);
  if (data[0] % 2 == 0) {
    text = kSound;
    elmo::damage(text, {data + 1, size - 1});
  }
  elmo::may_be_refused([&] {
    const std::string once = manifest_text(elmo::parse_manifest(text, "manifest"));
    const std::string twice = manifest_text(elmo::parse_manifest(once, "manifest"));
    if (once != twice) std::abort();
  });
  return 0;
}
