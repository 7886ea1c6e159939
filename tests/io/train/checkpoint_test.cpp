#include "io/train/checkpoint.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/error.h"
#include "io/files/paths.h"
#include "io/h5/writer.h"
#include "io/train/provenance.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/models.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeepAll = 100;

/// Returns arrays like a trainer's: of several ranks, one larger than a block that is read at once.
class State {
 public:
  explicit State(float first) : weights_(300 * 1000), bias_(7), cube_(24), empty_(0) {
    std::iota(weights_.begin(), weights_.end(), first);
    std::iota(bias_.begin(), bias_.end(), first);
    std::iota(cube_.begin(), cube_.end(), first);
  }

  std::vector<StateArray> arrays() {
    return {{"model/layer/W", {300, 1000}, weights_},
            {"model/layer/b", {7}, bias_},
            {"lanes/cell", {2, 3, 4}, cube_},
            {"lanes/none", {0, 4}, empty_}};
  }

  bool operator==(const State&) const = default;

 private:
  std::vector<float> weights_;
  std::vector<float> bias_;
  std::vector<float> cube_;
  std::vector<float> empty_;
};

const Provenance kSettings{{"lanes", "2"}, {"corpus", "süß"}, {"empty", ""}};

Checkpoint at_step(std::uint64_t step) {
  return {step,
          40 * step,
          {{1, 2, 3}, {std::uint64_t{1} << 60, 5, step}},
          kSettings,
          "{\"started\": 1}"};
}

fs::path write(const fs::path& folder, std::uint64_t step, std::size_t kept = kKeepAll) {
  State state(static_cast<float>(step));
  return write_checkpoint(folder, at_step(step), state.arrays(), kept);
}

Checkpoint read_checkpoint(const fs::path& path, const Provenance& expected,
                           std::span<const StateArray> arrays) {
  return read_checkpoint_file(open_checkpoint_file(path), expected, arrays);
}

void truncate_by(const fs::path& path, std::uintmax_t bytes) {
  fs::resize_file(path, fs::file_size(path) - bytes);
}

void flip_bit(const fs::path& path, std::streamoff place) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(place);
  const int byte = file.get();
  file.seekp(place);
  file.put(static_cast<char>(byte ^ 1));
}

/// Limits the size of this process's files, as if the disk were full.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_CASE("a checkpoint is read back") {
  const TempDir dir;
  const fs::path path = write(dir.path(), 1234);
  CHECK(path == dir / "checkpoints" / "step-0000001234.h5");
  CHECK(names_in(dir / "checkpoints") == std::vector<std::string>{"step-0000001234.h5"});
  State state(0);
  const Checkpoint read = read_checkpoint(path, kSettings, state.arrays());
  const Checkpoint written = at_step(1234);
  CHECK(read.step == written.step);
  CHECK(read.tokens == written.tokens);
  CHECK(read.positions == written.positions);
  CHECK(read.provenance == written.provenance);
  CHECK(read.metadata == written.metadata);
  CHECK(state == State(1234));
}

TEST_CASE("a learner without lanes has no positions, which earlier versions stored as no rows") {
  const TempDir dir;
  State state(0);
  Checkpoint checkpoint = at_step(5);
  checkpoint.positions.clear();
  write_checkpoint_file(dir / "new.h5", checkpoint, state.arrays());
  const h5::Reader file = open_checkpoint_file(dir / "new.h5");
  CHECK_FALSE(file.exists("positions"));
  CHECK(read_checkpoint_head(file).positions.empty());

  h5::Writer earlier(dir / "earlier.h5");
  earlier.write_attribute("format", std::string_view("elmo checkpoint"));
  earlier.write_attribute("version", std::uint64_t{1});
  earlier.write_attribute("step", std::uint64_t{5});
  earlier.write_attribute("tokens", std::uint64_t{200});
  earlier.write_attribute("metadata", std::string_view("{}"));
  earlier.write("fingerprint/names", std::vector<std::string>{"lanes"});
  earlier.write("fingerprint/values", std::vector<std::string>{"2"});
  earlier.write("positions", std::vector<std::uint64_t>{0, 3}, h5::Element::uint64, {});
  earlier.close();
  const Checkpoint read = read_checkpoint_head(h5::Reader(dir / "earlier.h5"));
  CHECK(read.step == 5);
  CHECK(read.positions.empty());
}

TEST_CASE(
    "a checkpoint is read from the file that was verified, even if its path has another file") {
  const TempDir dir;
  const fs::path path = write(dir.path(), 1234);
  const h5::Reader file = open_checkpoint_file(path);
  fs::remove(path);
  std::ofstream(path) << "something else";
  State state(0);
  CHECK(read_checkpoint_head(file).step == 1234);
  CHECK(read_checkpoint_file(file, kSettings, state.arrays()).step == 1234);
  CHECK(state == State(1234));
}

TEST_CASE("arrays are found by name, in any order") {
  const TempDir dir;
  const fs::path path = write(dir.path(), 1);
  State state(0);
  std::vector<StateArray> arrays = state.arrays();
  std::reverse(arrays.begin(), arrays.end());
  read_checkpoint(path, kSettings, arrays);
  CHECK(state == State(1));
}

TEST_CASE("the same state makes the same bytes") {
  const TempDir dir;
  CHECK(content_of(write(dir / "a", 5)) == content_of(write(dir / "b", 5)));
}

TEST_CASE("a run resumes from its newest checkpoint") {
  const TempDir dir;
  State state(0);
  CHECK_FALSE(read_newest_checkpoint(dir.path(), kSettings, state.arrays()));
  for (const std::uint64_t step : {9UL, 10000000000UL, 100UL}) write(dir.path(), step);
  // The checkpoint written last is the newest: the run did not continue from later steps.
  CHECK(names_in(dir / "checkpoints") ==
        std::vector<std::string>{"step-0000000009.h5", "step-0000000100.h5"});
  const auto resumed = read_newest_checkpoint(dir.path(), kSettings, state.arrays());
  REQUIRE(resumed);
  CHECK(resumed->path.filename() == "step-0000000100.h5");
  CHECK(resumed->checkpoint.step == 100);
  CHECK(resumed->damaged.empty());
  CHECK(state == State(100));
}

TEST_CASE("steps are compared as numbers") {
  const TempDir dir;
  for (const std::uint64_t step : {9999999999UL, 10000000000UL}) write(dir.path(), step);
  CHECK(find_checkpoints(dir.path()).front().filename() == "step-10000000000.h5");
}

TEST_CASE("the newest checkpoints are kept, and other files are left alone") {
  const TempDir dir;
  fs::create_directories(dir / "checkpoints");
  for (const char* name : {"step-.h5", "step-7.h5.txt", "step-x.h5", "notes.unfinished"}) {
    std::ofstream(dir / "checkpoints" / name) << "mine";
  }
  for (std::uint64_t step = 1; step <= 5; ++step) {
    write(dir.path(), step, 2);
    CHECK(find_checkpoints(dir.path()).size() == std::min<std::size_t>(step, 2));
  }
  CHECK(names_in(dir / "checkpoints") ==
        std::vector<std::string>{"notes.unfinished", "step-.h5", "step-0000000004.h5",
                                 "step-0000000005.h5", "step-7.h5.txt", "step-x.h5"});
  write(dir.path(), 6, 0);
  CHECK(find_checkpoints(dir.path()).size() == 1);
}

TEST_CASE("an interrupted writer's file is not read, and is removed by the next writer") {
  const TempDir dir;
  write(dir.path(), 1);
  const fs::path unfinished = dir / "checkpoints" / "step-0000000002.h5.unfinished";
  fs::copy_file(find_checkpoints(dir.path()).front(), unfinished);
  CHECK(find_checkpoints(dir.path()).size() == 1);
  write(dir.path(), 3);
  CHECK(names_in(dir / "checkpoints") ==
        std::vector<std::string>{"step-0000000001.h5", "step-0000000003.h5"});
}

TEST_CASE("a truncated or damaged checkpoint is reported and the previous one is used") {
  const TempDir dir;
  write(dir.path(), 1);
  const fs::path newest = write(dir.path(), 2);
  SUBCASE("a byte short") { truncate_by(newest, 1); }
  SUBCASE("half") { truncate_by(newest, fs::file_size(newest) / 2); }
  SUBCASE("empty") { fs::resize_file(newest, 0); }
  SUBCASE("a bit of an array") {
    flip_bit(newest, static_cast<std::streamoff>(fs::file_size(newest) / 2));
  }
  SUBCASE("no HDF5") { std::ofstream(newest) << "no checkpoint"; }
  State state(0);
  const auto resumed = read_newest_checkpoint(dir.path(), kSettings, state.arrays());
  REQUIRE(resumed);
  CHECK(resumed->checkpoint.step == 1);
  REQUIRE(resumed->damaged.size() == 1);
  CHECK(resumed->damaged.front().find(newest.string()) != std::string::npos);
  CHECK(state == State(1));
  CHECK_THROWS_AS(read_checkpoint(newest, kSettings, state.arrays()), InputError);
  CHECK(state == State(1));

  // The run continues even though a damaged checkpoint of a later step exists.
  write(dir.path(), 2, 2);
  CHECK(names_in(dir / "checkpoints").size() == 2);
}

TEST_CASE("a flipped bit anywhere costs no more than the checkpoint") {
  const TempDir dir;
  std::vector<float> values{1, 2, 3};
  const std::vector<StateArray> arrays{{"values", {3}, values}};
  const fs::path path = write_checkpoint(dir.path(), at_step(1), arrays, 1);
  const fs::path damaged = dir / "damaged.h5";
  const auto size = static_cast<std::streamoff>(fs::file_size(path));
  for (std::streamoff place = 0; place < size; place += 61) {
    fs::copy_file(path, damaged, fs::copy_options::overwrite_existing);
    flip_bit(damaged, place);
    try {
      read_checkpoint(damaged, kSettings, arrays);
    } catch (const InputError&) {
    }
    CHECK(values == std::vector<float>{1, 2, 3});
  }
}

TEST_CASE("if no checkpoint is sound, all are named") {
  const TempDir dir;
  for (const std::uint64_t step : {1UL, 2UL}) truncate_by(write(dir.path(), step), 1);
  State state(0);
  try {
    read_newest_checkpoint(dir.path(), kSettings, state.arrays());
    FAIL("a damaged checkpoint was read");
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const char* name : {"step-0000000001.h5", "step-0000000002.h5"}) {
      CHECK(message.find(name) != std::string::npos);
    }
  }
}

TEST_CASE("a checkpoint of a run with other settings is refused, naming them") {
  const TempDir dir;
  const fs::path path = write(dir.path(), 1);
  State state(0);
  Provenance other = kSettings;
  other[0].second = "64";
  const std::string message = path.string() +
                              " is of a run with other settings: lanes was 2 and is 64; "
                              "continue with the same ones";
  CHECK_THROWS_WITH_AS(read_checkpoint(path, other, state.arrays()), message.c_str(), InputError);
  CHECK_THROWS_WITH_AS(read_newest_checkpoint(dir.path(), other, state.arrays()), message.c_str(),
                       InputError);
  CHECK(state == State(0));
}

TEST_CASE("arrays of another run are refused, and nothing is overwritten") {
  const TempDir dir;
  const fs::path path = write(dir.path(), 1);
  State state(0);
  std::vector<StateArray> arrays = state.arrays();
  std::string expected;
  SUBCASE("another shape") {
    arrays[1].shape = {1, 7};
    expected = ": model/layer/b is (7); expected (1, 7)";
  }
  SUBCASE("one more") {
    arrays[1].name = "more";
    expected = ": more is missing; expected (7)";
  }
  SUBCASE("one less") {
    arrays.pop_back();
    expected = ": holds 4 arrays; expected the 3 of this run";
  }
  CHECK_THROWS_WITH_AS(read_checkpoint(path, kSettings, arrays), (path.string() + expected).c_str(),
                       InputError);
  CHECK(state == State(0));
}

TEST_CASE("other HDF5 files are not checkpoints") {
  const TempDir dir;
  const fs::path path = dir / "other.h5";
  {
    h5::Writer file(path);
    file.write_attribute("format", "something else");
    file.write_attribute("version", std::uint64_t{1});
    file.close();
  }
  State state(0);
  CHECK_THROWS_WITH_AS(read_checkpoint(path, kSettings, state.arrays()),
                       doctest::Contains("expected \"elmo checkpoint\" of version 1"), InputError);
}

TEST_CASE("a failed write leaves the earlier checkpoints and nothing else") {
  const TempDir dir;
  write(dir.path(), 1, 1);
  const std::vector<std::string> before = names_in(dir / "checkpoints");
  for (const rlim_t bytes : {rlim_t{0}, rlim_t{1} << 12, rlim_t{1} << 20}) {
    // Runs in a child process, because HDF5 leaks memory there.
    const int status = in_child([&] {
      const FileSizeLimit limit(bytes);
      try {
        write(dir.path(), 2, 1);
      } catch (const SystemError& error) {
        const bool told = std::string(error.what()).find("File too large") != std::string::npos;
        ::_exit(told && names_in(dir / "checkpoints") == before ? 77 : 1);
      }
    });
    CHECK(WEXITSTATUS(status) == 77);
  }
  State state(0);
  const auto resumed = read_newest_checkpoint(dir.path(), kSettings, state.arrays());
  REQUIRE(resumed);
  CHECK(resumed->checkpoint.step == 1);
  write(dir.path(), 2, 1);
  CHECK(names_in(dir / "checkpoints") == std::vector<std::string>{"step-0000000002.h5"});
}

TEST_CASE("a folder that cannot be made is a system error") {
  const TempDir dir;
  std::ofstream(dir / "file") << "in the way";
  CHECK_THROWS_AS(write(dir / "file", 1), SystemError);
}

TEST_CASE("a checkpoint whose parameters are not finite is refused with the position") {
  const TempDir folder;
  std::vector<float> values(600 * 1000, 0.5F);  // more than one read takes
  const std::vector<StateArray> arrays{{"parameters/W", {600, 1000}, values}};
  values[451 * 1000 + 7] = std::nanf("");
  const fs::path path = write_checkpoint(folder.path(), at_step(3), arrays, kKeepAll);
  CHECK_THROWS_WITH_AS(read_checkpoint(path, kSettings, arrays),
                       doctest::Contains("state/parameters/W[451, 7] is NaN"), InputError);

  const std::vector<StateArray> moments{{"second_moment/W", {600, 1000}, values}};
  CHECK_NOTHROW(read_checkpoint(write_checkpoint(folder.path(), at_step(4), moments, kKeepAll),
                                kSettings, moments));
}

}  // namespace
}  // namespace elmo
