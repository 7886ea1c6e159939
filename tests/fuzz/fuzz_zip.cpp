// A zip archive with any damage is either read or refused with an InputError, and unpacked data is
// no larger than allowed. The input is the archive.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/model/archive.h"
#include "io/model/location.h"
#include "tests/fuzz/may_be_refused.h"
#include "tests/fuzz/scratch.h"

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 20;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path path = elmo::scratch();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  elmo::may_be_refused([&] { elmo::locate_model(path); });
  elmo::may_be_refused([&] {
    std::size_t read = 0;
    for (const std::string& member : elmo::zip_members(path)) {
      if (++read > 8) break;
      elmo::may_be_refused([&] {
        if (elmo::read_zip_member(path, member, kMaxBytes).size() > kMaxBytes) std::abort();
      });
      elmo::may_be_refused(
          [&] { const elmo::LocalModelFile file(elmo::ModelFile(member, path), kMaxBytes); });
    }
  });
  std::filesystem::remove(path);
  return 0;
}
