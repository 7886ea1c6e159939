// Publishing, stopping at every step, and resuming.
#include "io/shard/shard_run.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/shard/verify.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/no_threads.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/child.h"
#include "tests/io/fixtures/small_run.h"

namespace elmo {
namespace {

TEST_CASE("a run killed at any step of publishing continues to the same files") {
  const TempDir dir;
  run_to_end(dir / "undisturbed", RunMode::create);
  const auto expected = contents_of(dir / "undisturbed");
  int steps = 0;
  run_to_end(dir / "counted", RunMode::create, small_format(), [&](PublishStep) { ++steps; });
  REQUIRE(steps == 3 + 3 * (5 + 8) + 8);  // first manifest, three shards, index
  CHECK(contents_of(dir / "counted") == expected);

  for (int killed_at = 1; killed_at <= steps; ++killed_at) {
    CAPTURE(killed_at);
    const auto folder = dir / ("killed-" + std::to_string(killed_at));
    const int status = in_child([&] {
      int step = 0;
      run_to_end(folder, RunMode::resume, small_format(), [&](PublishStep) {
        if (++step == killed_at) ::kill(::getpid(), SIGKILL);
      });
    });
    CHECK(WIFSIGNALED(status));
    run_to_end(folder, RunMode::resume);
    CHECK(contents_of(folder) == expected);
  }
}

/// Passes one sentence as its own segment.
void write_segment(ShardRun& sink, std::uint64_t number) {
  const std::vector<Sentence> sentences{made_sentence(number)};
  const auto values = made_activations(number, sentences.front().size(), small_layout());
  sink.write({number, sentences, values});
  sink.end_segment({number + 1, {}});
}

TEST_CASE("a shard is published while the next one is written") {
  const TempDir dir;
  std::promise<void> second_written;
  std::shared_future<void> wait = second_written.get_future().share();
  bool first = true;
  ShardRun sink(dir / "run", kRunProvenance, RunMode::create, small_format(),
                [&](PublishStep step) {
                  if (step == PublishStep::file_renamed && std::exchange(first, false)) wait.wait();
                });
  write_segment(sink, 0);
  const std::vector<Sentence> sentences{made_sentence(1)};
  const auto values = made_activations(1, sentences.front().size(), small_layout());
  sink.write({1, sentences, values});
  CHECK(read_manifest(dir / "run").value_or(Manifest()).shards.empty());
  second_written.set_value();
  sink.end_segment({2, {}});
  sink.finish();
  CHECK(sink.manifest().shards.size() == 2);
  CHECK(verify_run(dir / "run").problems.empty());
}

TEST_CASE("an error in publishing is thrown by a later call, and the run can be resumed") {
  const TempDir dir;
  const auto folder = dir / "run";
  {
    int manifests = 0;
    ShardRun sink(folder, kRunProvenance, RunMode::create, small_format(), [&](PublishStep step) {
      if (step == PublishStep::manifest_synced) ++manifests;
      if (step == PublishStep::file_checked && manifests == 2) throw SystemError("no more");
    });
    write_segment(sink, 0);
    write_segment(sink, 1);
    CHECK(sink.manifest().shards.size() == 1);
    CHECK(error_of<SystemError>([&] { write_segment(sink, 2); }) == "no more");
    CHECK(error_of<SystemError>([&] { sink.finish(); }) == "no more");
    CHECK(sink.manifest().shards.size() == 1);
  }
  CHECK(names_of(folder) ==
        std::vector<std::string>{"manifest.json", "shard-00000.h5", "tables-00000.h5"});
  ShardRun sink(folder, kRunProvenance, RunMode::resume, small_format());
  CHECK(sink.resume_point().next_sentence == 1);
  write_segment(sink, 1);
  sink.finish();
  CHECK(verify_run(folder).problems.empty());
}

TEST_CASE("if no thread can be started, a run ends with the reason and can be resumed") {
  const TempDir dir;
  const auto folder = dir / "run";
  {
    ShardRun sink(folder, kRunProvenance, RunMode::create, small_format());
    write_segment(sink, 0);
    CHECK(sink.manifest().shards.size() == 1);
    const NoThreads none;
    CHECK(mentions(error_of<SystemError>([&] { write_segment(sink, 1); }),
                   "could not start a thread"));
    CHECK(mentions(error_of<SystemError>([&] { sink.finish(); }), "could not start a thread"));
  }
  CHECK(names_of(folder) ==
        std::vector<std::string>{"manifest.json", "shard-00000.h5", "tables-00000.h5"});
  ShardRun sink(folder, kRunProvenance, RunMode::resume, small_format());
  CHECK(sink.resume_point().next_sentence == 1);
  write_segment(sink, 1);
  sink.finish();
  CHECK(verify_run(folder).problems.empty());
}

TEST_CASE("a run killed repeatedly while it writes continues to the same files") {
  const TempDir dir;
  run_to_end(dir / "undisturbed", RunMode::create);
  const auto folder = dir / "killed";
  for (std::uint64_t batches = 1; batches < 6; ++batches) {
    in_child([&] {
      ShardRun sink(folder, kRunProvenance, RunMode::resume, small_format());
      std::uint64_t next = sink.resume_point().next_sentence;
      for (std::uint64_t batch = 0; batch < batches; ++batch, ++next) {
        const std::vector<Sentence> sentences{made_sentence(next)};
        const auto values = made_activations(next, sentences.front().size(), small_layout());
        sink.write({next, sentences, values});
      }
      ::kill(::getpid(), SIGKILL);
    });
  }
  run_to_end(folder, RunMode::resume);
  CHECK(contents_of(folder) == contents_of(dir / "undisturbed"));
}

TEST_CASE("an abandoned run leaves its published shards, or nothing") {
  const TempDir dir;
  const auto abandon = [&](std::uint64_t published) {
    ShardRun sink(dir / "a" / "run", kRunProvenance, RunMode::create, small_format());
    for (std::uint64_t number = 0; number < published; ++number) write_segment(sink, number);
    const std::vector<Sentence> sentences{made_sentence(published)};
    const auto values = made_activations(published, sentences.front().size(), small_layout());
    sink.write({published, sentences, values});
    CHECK(std::filesystem::exists(dir / "a" / "run" /
                                  (shard_format::shard_file_name(published) + ".unfinished")));
    CHECK(std::filesystem::exists(dir / "a" / "run" / ".elmo.lock"));
  };
  abandon(0);
  CHECK(names_of(dir.path()).empty());
  abandon(1);
  CHECK(names_of(dir / "a" / "run") ==
        std::vector<std::string>{"manifest.json", "shard-00000.h5", "tables-00000.h5"});
}

TEST_CASE("a resumed run must have the settings that it was begun with") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  Provenance changed = kRunProvenance;
  changed[0].second = "4567";
  const std::string text = error_of<InputError>(
      [&] { ShardRun(dir / "run", changed, RunMode::resume, small_format()); });
  CHECK(mentions(text, "model was 0123 and is 4567"));
  CHECK_FALSE(mentions(text, "tokenizer"));
  ShardFormat half = small_format();
  half.dtype = Dtype::float16;
  CHECK(mentions(
      error_of<InputError>([&] { ShardRun(dir / "run", kRunProvenance, RunMode::resume, half); }),
      "dtype was float32 and is float16"));
  changed = kRunProvenance;
  changed.emplace_back("new", "1");
  CHECK(mentions(error_of<InputError>(
                     [&] { ShardRun(dir / "run", changed, RunMode::resume, small_format()); }),
                 "new was absent and is 1"));
}

TEST_CASE("names that are not UTF-8 stay the same from run to run") {
  const TempDir dir;
  const Provenance provenance{{"input", "na\xEFve.txt"}};
  { const ShardRun first(dir / "run", provenance, RunMode::create, small_format()); }
  CHECK_NOTHROW(ShardRun(dir / "run", provenance, RunMode::resume, small_format()));
}

TEST_CASE("a resumed run does not resume from a damaged state") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00002.h5";
  std::string bytes = content_of(shard);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(shard, std::ios::binary) << bytes;
  CHECK(mentions(error_of<InputError>([&] { run_to_end(dir / "run", RunMode::resume); }),
                 "checksum of the file"));
}

TEST_CASE("a resumed run does not resume from any shard whose bytes have changed") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  for (const char* name :
       {"shard-00000.h5", "shard-00001.h5", "shard-00002.h5", "tables-00001.h5"}) {
    const std::string good = content_of(dir / "run" / name);
    std::string bad = good;
    bad[bad.size() / 3] = static_cast<char>(bad[bad.size() / 3] ^ 1);
    std::ofstream(dir / "run" / name, std::ios::binary) << bad;
    CHECK(mentions(error_of<InputError>([&] { run_to_end(dir / "run", RunMode::resume); }),
                   std::string(name) + ": checksum of the file"));
    std::ofstream(dir / "run" / name, std::ios::binary) << good;
  }
  CHECK_NOTHROW(run_to_end(dir / "run", RunMode::resume));
}

TEST_CASE("a missing or damaged index is rebuilt with the same bytes") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto index = dir / "run" / "index.h5";
  const std::string good = content_of(index);
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), flipped}) {
    if (bad.empty()) {
      std::filesystem::remove(index);
    } else {
      std::ofstream(index, std::ios::binary) << bad;
    }
    ShardRun sink(dir / "run", kRunProvenance, RunMode::resume, small_format());
    CHECK(sink.resume_point().complete);
    CHECK_FALSE(sink.manifest().complete());
    sink.finish();
    CHECK(sink.manifest().complete());
    CHECK(content_of(index) == good);
    CHECK(verify_run(dir / "run").problems.empty());
  }
}

TEST_CASE("opening a run notifies of every file before it is read and can be stopped") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto before = contents_of(dir / "run");
  std::vector<std::string> announced;
  {
    const ShardRun sink(dir / "run", kRunProvenance, RunMode::resume, small_format(), nullptr,
                        [&](const ListedFile& file) { announced.push_back(file.file); });
  }
  CHECK(announced == std::vector<std::string>{"tables-00000.h5", "shard-00000.h5",
                                              "tables-00001.h5", "shard-00001.h5",
                                              "tables-00002.h5", "shard-00002.h5", "index.h5"});
  struct Leave {};
  CHECK_THROWS_AS(ShardRun(dir / "run", kRunProvenance, RunMode::resume, small_format(), nullptr,
                           [](const ListedFile&) { throw Leave(); }),
                  Leave);
  CHECK(contents_of(dir / "run") == before);
}

TEST_CASE("folders with other files are left alone") {
  const TempDir dir;
  std::filesystem::create_directory(dir / "other");
  std::ofstream(dir / "other" / "letter.txt") << "dear";
  for (const RunMode mode : {RunMode::create, RunMode::resume}) {
    CHECK(mentions(error_of<RequestError>([&] { run_to_end(dir / "other", mode); }), "letter.txt"));
    CHECK(names_of(dir / "other") == std::vector<std::string>{"letter.txt"});
  }
  run_to_end(dir / "other", RunMode::overwrite);
  CHECK(content_of(dir / "other" / "letter.txt") == "dear");
  CHECK(mentions(error_of<RequestError>([&] { run_to_end(dir / "other", RunMode::create); }),
                 "holds a run"));
}

TEST_CASE("another program's manifest is not overwritten") {
  const TempDir dir;
  std::filesystem::create_directory(dir / "web");
  for (const char* text : {R"({"name": "app"})", R"({"format": "web"})"}) {
    std::ofstream(dir / "web" / "manifest.json") << text;
    CHECK(mentions(error_of<RequestError>([&] { run_to_end(dir / "web", RunMode::overwrite); }),
                   "of another program"));
    CHECK(content_of(dir / "web" / "manifest.json") == text);
  }
  std::ofstream(dir / "web" / "manifest.json") << "damaged";
  CHECK_NOTHROW(run_to_end(dir / "web", RunMode::overwrite));
}

TEST_CASE("overwriting removes only the previous run") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  std::ofstream(dir / "run" / "notes.txt") << "mine";
  std::ofstream(dir / "run" / "shard-00009.h5.unfinished") << "left";
  std::ofstream(dir / "run" / "tables-00009.h5") << "left";
  run_to_end(dir / "run", RunMode::overwrite, small_format(), nullptr, 2);
  CHECK(names_of(dir / "run") == std::vector<std::string>{"index.h5", "manifest.json", "notes.txt",
                                                          "shard-00000.h5", "tables-00000.h5"});
}

TEST_CASE("a run is overwritten when there is something to replace it") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto before = contents_of(dir / "run");
  { const ShardRun unused(dir / "run", kRunProvenance, RunMode::overwrite, small_format()); }
  CHECK(contents_of(dir / "run") == before);
  run_to_end(dir / "run", RunMode::overwrite, small_format(), nullptr, 0);
  CHECK(require_manifest(dir / "run").shards.front().sentences == 0);
}

TEST_CASE("two runs cannot write into one folder, and a dead run does not block it") {
  const TempDir dir;
  {
    const ShardRun first(dir / "run", kRunProvenance, RunMode::create, small_format());
    for (const RunMode mode : {RunMode::create, RunMode::resume, RunMode::overwrite}) {
      CHECK(mentions(error_of<SystemError>([&] { run_to_end(dir / "run", mode); }), "another run"));
    }
  }
  in_child([&] {
    const ShardRun second(dir / "run", kRunProvenance, RunMode::resume, small_format());
    ::kill(::getpid(), SIGKILL);
  });
  CHECK(std::filesystem::exists(dir / "run" / ".elmo.lock"));
  CHECK_NOTHROW(run_to_end(dir / "run", RunMode::resume));
  CHECK_FALSE(std::filesystem::exists(dir / "run" / ".elmo.lock"));
}

TEST_CASE("a run does not resume from a published shard that is missing or cut short") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00001.h5";
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 1);
  CHECK(mentions(error_of<InputError>([&] { run_to_end(dir / "run", RunMode::resume); }),
                 "shard-00001.h5 has "));
  std::filesystem::remove(shard);
  CHECK(mentions(error_of<InputError>([&] { run_to_end(dir / "run", RunMode::resume); }),
                 "shard-00001.h5 is missing; expected a file of "));
}

/// Passes many sentences with 64 KiB of activations each.
void write_much(const std::filesystem::path& folder) {
  ShardFormat format = small_format();
  format.layout.width = 8192;
  ShardRun sink(folder, kRunProvenance, RunMode::resume, format);
  feed(sink, format.layout, sink.resume_point().next_sentence, 60, 20);
}

TEST_CASE("at a limit on file sizes a run fails and can be resumed") {
  const TempDir dir;
  write_much(dir / "undisturbed");
  for (const rlim_t limit : {2'000U, 100'000U, 1'000'000U, 3'500'000U}) {
    CAPTURE(limit);
    const auto folder = dir / std::to_string(limit);
    const int status = in_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit sizes{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &sizes);
      write_much(folder);
    });
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    for (const std::string& name : names_of(folder)) CHECK_FALSE(mentions(name, "unfinished"));
    write_much(folder);
    CHECK(contents_of(folder) == contents_of(dir / "undisturbed"));
  }
}

TEST_CASE("on a full disk a run fails with the reason and can be resumed") {
  const TempDir dir;
  write_much(dir / "undisturbed");
  const auto disk = dir / "disk";
  std::filesystem::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=6m") != 0) {
    MESSAGE("skipped: only root can mount a small disk");
    return;
  }
  struct Mounted {
    const std::filesystem::path& disk;
    ~Mounted() { ::umount2(disk.c_str(), MNT_DETACH); }  // abandoned files are still open
  };
  const Mounted mounted{disk};
  const std::string text = error_of<SystemError>([&] { write_much(disk / "run"); });
  CHECK(mentions(text, "No space left on device"));
  for (const std::string& name : names_of(disk / "run")) CHECK_FALSE(mentions(name, "unfinished"));
  CHECK(::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0);
  write_much(disk / "run");
  CHECK(contents_of(disk / "run") == contents_of(dir / "undisturbed"));
}

}  // namespace
}  // namespace elmo
