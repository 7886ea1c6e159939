// A checkpoint with any damage is either refused with an InputError or read unchanged: its checksum
// covers all of it. It must not crash the program or make it use much memory. The input is a list
// of changes to a valid file.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.h"
#include "io/train/checkpoint.h"
#include "tests/fixtures/files.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/screening_time.h"

namespace {

struct State {
  std::vector<float> weights = std::vector<float>(6, 0.5F);
  std::vector<float> moments = std::vector<float>(6, 0.25F);

  std::vector<elmo::StateArray> arrays() {
    return {{"parameters/W", {3, 2}, weights}, {"first_moment/W", {3, 2}, moments}};
  }
};

const elmo::Provenance kSettings{{"lanes", "2"}, {"corpus", "abc"}};

std::string sound_file() {
  State state;
  const elmo::Checkpoint checkpoint{7, 70, {{1, 2, 3}, {0, 5, 6}}, kSettings, "1.5 [0]"};
  elmo::write_checkpoint_file(elmo::scratch(), checkpoint, state.arrays());
  return elmo::content_of(elmo::scratch());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = sound_file();
  std::string file = kSound;
  elmo::damage(file, {data, size});
  std::ofstream(elmo::scratch(), std::ios::binary) << file;
  State state;
  elmo::shorten_screening();
  elmo::may_be_refused([&] {
    const elmo::Checkpoint read = elmo::read_checkpoint_file(
        elmo::open_checkpoint_file(elmo::scratch()), kSettings, state.arrays());
    if (read.step != 7 || read.positions.size() != 2) std::abort();
    if (state.weights != State().weights || state.moments != State().moments) std::abort();
  });
  return 0;
}
