// Arrays in several files that form one output.
#include <doctest/doctest.h>

#include <string>

#include "io/outputs/sinks.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/files/system_calls.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

void write_npy(const std::filesystem::path& path, std::uint64_t sentences) {
  RowCounts counts{0, sentences};
  for (std::uint64_t number = 0; number < sentences; ++number) {
    counts.tokens += made_sentence(number).size();
  }
  const OutputRows rows{.layout = small_layout(), .dtype = Dtype::int8, .counts = counts};
  feed(*make_npy_files({.path = path.string(), .overwrite = true}, rows), rows.layout, 0, sentences,
       sentences);
}

struct Arrays {
  explicit Arrays(const std::filesystem::path& dir)
      : activations(content_or_none(dir / "a.npy")),
        offsets(content_or_none(dir / "a.offsets.npy")),
        scales(content_or_none(dir / "a.scales.npy")) {}

  static std::string content_or_none(const std::filesystem::path& path) {
    return std::filesystem::exists(path) ? content_of(path) : "none";
  }
  bool operator==(const Arrays&) const = default;

  std::string activations, offsets, scales;
};

TEST_CASE("a writer of arrays killed at any step never leaves old and new ones together") {
  const TempDir old_dir;
  write_npy(old_dir / "a.npy", 5);
  const Arrays old_arrays(old_dir.path());
  const TempDir new_dir;
  write_npy(new_dir / "a.npy", 9);
  const Arrays new_arrays(new_dir.path());
  for (int renames = 1; renames <= 3; ++renames) {
    CAPTURE(renames);
    const TempDir dir;
    write_npy(dir / "a.npy", 5);
    const int status = in_child([&] {
      const AnsweredCalls answered({.last_rename = renames});
      write_npy(dir / "a.npy", 9);
    });
    CHECK(WIFSIGNALED(status));
    const Arrays found(dir.path());
    CHECK((found == old_arrays || found == new_arrays || found.activations == "none"));
    write_npy(dir / "a.npy", 9);
    CHECK(Arrays(dir.path()) == new_arrays);
  }
}

}  // namespace
}  // namespace elmo
