// Files, folders and pipes as inputs.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "io/text/input_files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/text/reading.h"

namespace elmo {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

InputOptions inputs(std::vector<std::string> files) {
  InputOptions options;
  options.files = std::move(files);
  return options;
}

}  // namespace

TEST_CASE("a folder is its regular files at any depth in the byte order of their paths") {
  const TempDir folder;
  write(folder / "b.txt", "b");
  write(folder / "B.txt", "B");
  write(folder / "a" / "z.txt", "z");
  write(folder / "a.txt", "a");
  write(folder / "\xc3\xa9.txt", "e");
  write(folder / ".hidden.txt", "no");
  write(folder / ".hidden" / "inside.txt", "no");
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  fs::create_symlink("b.txt", folder / "link.txt");
  fs::create_symlink("a", folder / "link");
  fs::create_symlink("nowhere", folder / "dangling");

  std::vector<std::string> names;
  for (const InputFile& file : list_input_files({folder.path()})) {
    names.push_back(fs::path(file.path).lexically_relative(folder.path()));
    CHECK(file.size == 1);
  }
  CHECK(names == Strings{"B.txt", "a.txt", "a/z.txt", "b.txt", "link.txt", "\xc3\xa9.txt"});
}

TEST_CASE("inputs are read in the order given, each file a document") {
  const TempDir folder;
  write(folder / "two", "Second.");
  write(folder / "one" / "x", "First. Again.");
  write(folder / "empty", "");
  const auto source = open_source(inputs({folder / "two", folder / "empty", folder / "one"}));
  const ReadText read = read_all(*source);
  CHECK(read.tokens() == Strings{"Second|.", "", "First|.", "Again|."});
  CHECK(read.sentences[0].document == (folder / "two").string());
  CHECK(read.sentences[1].document == (folder / "empty").string());
  CHECK(read.sentences[3].document == (folder / "one" / "x").string());
  CHECK(read.counters.documents == 3);
  CHECK(read.counters.empty_sentences == 1);
  CHECK(read.counters.bytes == 20);
  CHECK(source->progress().bytes_read == 20);
  CHECK(source->progress().total_bytes == 20);
}

TEST_CASE("documents are numbered in the order of the input") {
  const TempDir folder;
  write(folder / "1", "a");
  write(folder / "2", "b");
  const auto source = open_source(inputs({folder.path()}));
  Sentence sentence;
  REQUIRE(source->next(sentence));
  CHECK(sentence.document->number == 0);
  REQUIRE(source->next(sentence));
  CHECK(sentence.document->number == 1);
  CHECK_FALSE(source->next(sentence));
  CHECK_FALSE(source->next(sentence));
}

TEST_CASE("an input that is not there is named") {
  const TempDir folder;
  write(folder / "there", "x");
  const std::string missing = folder / "missing";
  CHECK_THROWS_WITH_AS(open_source(inputs({folder / "there", missing})),
                       (missing + ": no such file or folder; check the name").c_str(), InputError);
  fs::create_directory(folder / "empty");
  CHECK_THROWS_AS(open_source(inputs({folder / "empty"})), InputError);
  CHECK_THROWS_AS(open_source(inputs({"-", "-"})), RequestError);
}

TEST_CASE("a file that is named like compressed data must be compressed") {
  const TempDir folder;
  write(folder / "text.gz", "plain");
  const auto source = open_source(inputs({folder / "text.gz"}));
  Sentence sentence;
  CHECK_THROWS_AS(source->next(sentence), InputError);
}

TEST_CASE("a pipe is read to its end, and its size is not known") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string text = "From a pipe.";
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const auto source = open_source(inputs({"/dev/fd/" + std::to_string(ends[0])}));
  CHECK(read_all(*source).tokens() == Strings{"From|a|pipe|."});
  CHECK(source->progress().bytes_read == text.size());
  CHECK_FALSE(source->progress().total_bytes.has_value());
  ::close(ends[0]);
}

TEST_CASE("a read that waits for a pipe gives up when told to stop") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::atomic<bool> stop = false;
  InputOptions options = inputs({"/dev/fd/" + std::to_string(ends[0]), "-"});
  options.format = InputFormat::jsonl;
  options.stop = &stop;
  std::thread interrupter([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  Sentence sentence;
  CHECK_THROWS_AS(open_source(options)->next(sentence), ReadingStopped);
  interrupter.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace elmo
