// Files, folders and pipes as input.
#include "io/text/input/input_files.h"

#include <doctest/doctest.h>
#include <fcntl.h>
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
#include "io/files/descriptor.h"
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

/// Returns the names, inside the folder, of the one-byte files found in it.
std::vector<std::string> input_names(const fs::path& folder, LeftOut* left_out) {
  std::vector<std::string> names;
  for (const InputFile& file : list_input_files({folder}, left_out)) {
    names.push_back(fs::path(file.path).lexically_relative(folder));
    CHECK(file.size == 1);
  }
  return names;
}

}  // namespace

TEST_CASE("a folder is its regular files at any depth, in the byte order of their paths") {
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

  LeftOut left_out;
  CHECK(input_names(folder.path(), &left_out) ==
        Strings{"B.txt", "a.txt", "a/z.txt", "b.txt", "link.txt", "\xc3\xa9.txt"});
  CHECK(left_out.count == 2);
  CHECK(left_out.first == (folder / "dangling").string());
  const auto source = open_source(inputs({folder.path()}));
  CHECK(source->counters().left_out == 2);
  CHECK(source->counters().first_left_out == (folder / "dangling").string());
}

TEST_CASE("links to folders are followed, and no folder is read twice") {
  const TempDir folder;
  const TempDir elsewhere;
  write(folder / "in" / "a", "1");
  write(elsewhere / "b", "2");
  write(elsewhere / "deep" / "c", "3");
  fs::create_symlink(elsewhere.path(), folder / "out");
  fs::create_symlink(elsewhere.path(), folder / "out again");
  fs::create_symlink("..", folder / "in" / "loop");
  fs::create_symlink(folder.path(), elsewhere / "deep" / "back");
  fs::create_symlink("self", folder / "self");
  LeftOut left_out;
  CHECK(input_names(folder.path(), &left_out) == Strings{"in/a", "out/b", "out/deep/c"});
  CHECK(left_out.count == 1);
  CHECK(left_out.first == (folder / "self").string());
  // A folder that is named is read, even if another name leads to it.
  CHECK(list_input_files({folder.path(), elsewhere.path()}).size() == 6);
}

TEST_CASE("an entry of a folder that cannot be examined is an error that names it") {
  const TempDir folder;
  write(folder / "a", "1");
  // A file whose path is longer than the system accepts.
  const std::string name(100, 'd');
  const std::string file(250, 'f');
  std::string path = folder.path().string();
  Descriptor deepest = open_descriptor(path, O_RDONLY | O_DIRECTORY);
  while (path.size() + name.size() < 4000) {
    REQUIRE(::mkdirat(deepest.get(), name.c_str(), 0700) == 0);
    deepest = Descriptor(::openat(deepest.get(), name.c_str(), O_RDONLY | O_DIRECTORY));
    path += "/" + name;
  }
  REQUIRE(Descriptor(::openat(deepest.get(), file.c_str(), O_CREAT | O_WRONLY, 0600)));
  path += "/" + file;
  LeftOut left_out;
  CHECK_THROWS_WITH_AS(list_input_files({folder.path()}, &left_out),
                       (path + ": cannot be read: File name too long").c_str(), SystemError);
  CHECK(left_out.count == 0);
  REQUIRE(::unlinkat(deepest.get(), file.c_str(), 0) == 0);
  CHECK(list_input_files({folder.path()}, &left_out).size() == 1);
}

TEST_CASE("the output is not an input of the folder that holds it") {
  const TempDir folder;
  write(folder / "a", "1");
  write(folder / "out" / "shard", "2");
  write(folder / "out" / "deep" / "shard", "3");
  fs::create_symlink("out", folder / "link");
  fs::create_symlink("a", folder / "again");
  const auto names = [&](const std::string& written) {
    Strings paths;
    LeftOut left_out;
    for (const InputFile& file : list_input_files({folder.path()}, &left_out, written)) {
      paths.push_back(fs::path(file.path).lexically_relative(folder.path()));
    }
    CHECK(left_out.count == 0);
    return paths;
  };
  CHECK(names("") == Strings{"a", "again", "out/deep/shard", "out/shard"});
  CHECK(names(folder / "out") == Strings{"a", "again"});
  CHECK(names(folder / "link") == Strings{"a", "again"});
  CHECK(names(folder / "missing").size() == 4);
  CHECK(names(folder / "out" / "shard") == Strings{"a", "again", "out/deep/shard"});
  CHECK(list_input_files({folder / "out" / "shard"}, nullptr, folder / "out").size() == 1);
  CHECK_THROWS_AS(list_input_files({folder / "out"}, nullptr, folder / "link"), RequestError);
  CHECK_THROWS_AS(list_input_files({folder / "again"}, nullptr, folder / "a"), RequestError);

  const auto source = open_source(inputs({folder.path()}), {.written = folder / "out"});
  Sentence sentence;
  std::size_t sentences = 0;
  while (source->next(sentence)) ++sentences;
  CHECK(sentences == 2);
}

TEST_CASE("input that can be read only once is detected without reading from it") {
  const TempDir folder;
  write(folder / "file", "x");
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  CHECK(can_be_read_only_once("-"));
  CHECK(can_be_read_only_once(folder / "fifo"));
  CHECK(can_be_read_only_once("/dev/fd/" + std::to_string(ends[0])));
  CHECK(can_be_read_only_once("/dev/null"));
  CHECK_FALSE(can_be_read_only_once(folder / "file"));
  CHECK_FALSE(can_be_read_only_once(folder.path()));
  CHECK_FALSE(can_be_read_only_once(folder / "missing"));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("a file that is truncated while it is read is an error, not a short text") {
  const TempDir folder;
  const std::string path = folder / "text";
  std::string text;
  while (text.size() < (std::size_t{4} << 20)) text += "one line of many\n";
  write(path, text);
  InputOptions options = inputs({path});
  options.format = InputFormat::tokens;
  const auto source = open_source(options);
  Sentence sentence;
  REQUIRE(source->next(sentence));
  fs::resize_file(path, 1000);
  const auto read_on = [&] {
    while (source->next(sentence)) {
    }
  };
  CHECK_THROWS_WITH_AS(read_on(), doctest::Contains("was truncated while being read"), InputError);
}

TEST_CASE("UTF-16 and UTF-32 are refused with the command that converts them") {
  using namespace std::string_view_literals;
  const auto error = [](std::string_view text, InputFormat format) -> std::string {
    InputOptions options;
    options.format = format;
    try {
      read_text(text, options);
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  for (const auto& [word, format] : kInputFormats) {
    for (const std::string_view text : {"\xff\xfe"sv,
                                        "\xff\xfe"
                                        "a\0"sv,
                                        "\xfe\xff\0a"sv}) {
      CHECK(error(text, format).ends_with("convert it with: iconv -f UTF-16 -t UTF-8"));
    }
    for (const std::string_view text : {"\xff\xfe\0\0a\0\0\0"sv, "\0\0\xfe\xff\0\0\0a"sv}) {
      CHECK(error(text, format).ends_with("convert it with: iconv -f UTF-32 -t UTF-8"));
    }
  }
  CHECK(read_text("\xff a").tokens() == Strings{"\xef\xbf\xbd|a"});
  CHECK(read_text("\xef\xbb\xbf\xef\xbb\xbf a").tokens() == Strings{"a"});
}

TEST_CASE("inputs are read in the order given, each file a document") {
  const TempDir folder;
  write(folder / "two", "Second.");
  write(folder / "one" / "x", "First. Again.");
  write(folder / "empty", "");
  const auto source = open_source(inputs({folder / "two", folder / "empty", folder / "one"}));
  const ReadText read = read_all(*source);
  CHECK(read.tokens() == Strings{"Second|.", "First|.", "Again|."});
  CHECK(read.sentences[0].document == (folder / "two").string());
  CHECK(read.sentences[2].document == (folder / "one" / "x").string());
  CHECK(read.counters.documents == 3);
  CHECK(read.counters.empty_files == 1);
  CHECK(read.counters.empty_sentences == 0);
  CHECK(read.counters.bytes == 20);
  CHECK(source->fraction(6) == 1.0);
  CHECK(source->fraction(3) == 0.5);
}

TEST_CASE("a file without any text has no sentence, in any format") {
  for (const auto& [word, format] : kInputFormats) {
    for (const bool lines : {false, true}) {
      for (const std::string_view text : {"", "\xef\xbb\xbf"}) {
        InputOptions options;
        options.format = format;
        options.lines = lines;
        const ReadText read = read_text(text, options);
        CHECK(read.sentences.empty());
        CHECK(read.counters.empty_files == 1);
        CHECK(read.counters.documents == (traits_of(format).has_records ? 0 : 1));
        CHECK(read.counters.bytes == text.size());
      }
    }
  }
}

TEST_CASE("documents are numbered in input order, empty files included") {
  const TempDir folder;
  write(folder / "1", "a");
  write(folder / "1b", "");
  write(folder / "2", "b");
  const auto source = open_source(inputs({folder.path()}));
  Sentence sentence;
  REQUIRE(source->next(sentence));
  CHECK(sentence.document->number == 0);
  REQUIRE(source->next(sentence));
  CHECK(sentence.document->number == 2);
  CHECK_FALSE(source->next(sentence));
  CHECK_FALSE(source->next(sentence));
}

TEST_CASE("a missing input is named") {
  const TempDir folder;
  write(folder / "there", "x");
  const std::string missing = folder / "missing";
  CHECK_THROWS_WITH_AS(open_source(inputs({folder / "there", missing})),
                       (missing + ": no such file or folder; check the name").c_str(), InputError);
  fs::create_directory(folder / "empty");
  CHECK_THROWS_AS(open_source(inputs({folder / "empty"})), InputError);
  CHECK_THROWS_AS(open_source(inputs({"-", "-"})), RequestError);
}

TEST_CASE("a file named like compressed data must be compressed") {
  const TempDir folder;
  write(folder / "text.gz", "plain");
  const auto source = open_source(inputs({folder / "text.gz"}));
  Sentence sentence;
  CHECK_THROWS_AS(source->next(sentence), InputError);
}

TEST_CASE("a pipe is read to its end, and its size is unknown") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string text = "From a pipe.";
  REQUIRE(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const auto source = open_source(inputs({"/dev/fd/" + std::to_string(ends[0])}));
  CHECK(read_all(*source).tokens() == Strings{"From|a|pipe|."});
  CHECK_FALSE(source->fraction(1).has_value());
  ::close(ends[0]);
}

TEST_CASE("a read that waits for a pipe ends on request") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  std::atomic<bool> stop = false;
  InputOptions options = inputs({"/dev/fd/" + std::to_string(ends[0]), "-"});
  options.format = InputFormat::jsonl;
  std::thread interrupter([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  Sentence sentence;
  CHECK_THROWS_AS(open_source(options, {.stop = &stop})->next(sentence), ReadingStopped);
  interrupter.join();
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace elmo
