#include "io/files/descriptor.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <span>
#include <string>
#include <thread>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/mapped_file.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

TEST_CASE("only a regular file is read whole, and a missing one gives nothing") {
  const TempDir dir;
  std::ofstream(dir / "file") << "12345";
  REQUIRE(::mkfifo((dir / "pipe").c_str(), 0600) == 0);
  CHECK(read_file_if_there(dir / "file") == "12345");
  CHECK(read_file_if_there(dir / "file", 5) == "12345");
  CHECK_THROWS_AS(read_file_if_there(dir / "file", 4), InputError);
  CHECK(read_head(dir / "file", 3) == "123");
  CHECK(read_head(dir / "file", 9) == "12345");
  CHECK_FALSE(read_file_if_there(dir / "missing"));
  CHECK_FALSE(read_file_if_there(dir / "file" / "below"));
  // Opening a FIFO would wait for its writer.
  CHECK_THROWS_WITH_AS(read_file_if_there(dir / "pipe"),
                       doctest::Contains("pipe is not a regular file"), InputError);
  CHECK_THROWS_AS(read_head(dir / "pipe", 1), InputError);
  CHECK_THROWS_AS(file_checksum(dir / "pipe"), InputError);
  CHECK_THROWS_AS(MappedFile(dir / "pipe"), InputError);
  CHECK_THROWS_AS(read_file_if_there(dir.path()), InputError);
}

TEST_CASE("reading at an offset returns fewer bytes only at the end") {
  const TempDir dir;
  std::ofstream(dir / "file") << "12345";
  const Descriptor file = open_regular_file(dir / "file");
  std::string read(3, '.');
  const auto to = std::as_writable_bytes(std::span(read));
  CHECK(read_at(file, to, 1, dir / "file") == 3);
  CHECK(read == "234");
  CHECK(read_at(file, to, 3, dir / "file") == 2);
  CHECK(read == "454");
  CHECK(read_at(file, to, 5, dir / "file") == 0);
  CHECK(read_some(file, to, dir / "file") == 3);
  CHECK(read == "123");
}

TEST_CASE("writing to a non-blocking descriptor waits for its reader") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const std::string text(std::size_t{1} << 20, 'x');  // more than a pipe holds
  std::string read;
  std::thread reader([&] {
    std::string block(4096, '\0');
    for (;;) {
      pollfd ready{ends[0], POLLIN, 0};
      ::poll(&ready, 1, -1);
      const ssize_t count = ::read(ends[0], block.data(), block.size());
      if (count == 0) return;
      if (count > 0) read.append(block, 0, static_cast<std::size_t>(count));
    }
  });
  const bool written = write_all(ends[1], text);
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  CHECK(written);
  CHECK(read == text);
}

TEST_CASE("errors name their file once") {
  const auto message = [](const std::string& text) -> std::string {
    try {
      name_errors("words.txt", [&] { throw InputError(text); });
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  CHECK(message("is empty") == "words.txt: is empty");
  CHECK(message("words.txt: is empty") == "words.txt: is empty");
  CHECK(name_errors("words.txt", [] { return 3; }) == 3);
}

}  // namespace
}  // namespace elmo
