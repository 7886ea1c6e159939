// Publishing, stopping at every step, going on.
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
#include "io/files/checksum.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/manifest.h"
#include "io/shard/resume.h"
#include "io/shard/shard_reader.h"
#include "io/shard/verify.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/no_threads.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/child.h"

namespace elmo {
namespace {

constexpr std::uint64_t kRunSentences = 20;
constexpr std::uint64_t kRunSegment = 8;  // three shards, of 8, 8 and 4 sentences

const Provenance kRunFingerprint{{"model", "0123"}, {"tokenizer", "icu 72.1"}};

ShardFormat small_format() {
  ShardFormat format;
  format.layout = small_layout();
  return format;
}

/// Runs to the end from wherever the folder's run stands.
void run(const std::filesystem::path& folder, RunMode mode,
         const ShardFormat& format = small_format(), const PublishListener& listener = nullptr,
         std::uint64_t sentences = kRunSentences) {
  ShardRun sink(folder, kRunFingerprint, mode, format, listener);
  if (sink.manifest().complete()) return;
  MadeSource source(sentences);
  skip_sentences(source, sink.resume_point());
  if (sink.resume_point().next_sentence > 0) {
    CHECK(sink.resume_point().carried_state ==
          std::vector<float>{static_cast<float>(sink.resume_point().next_sentence), -1.5F});
  }
  feed(sink, format.layout, sink.resume_point().next_sentence, sentences, kRunSegment, 3, true);
}

/// Every file of a folder with its bytes.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename().string()] = content_of(entry.path());
  }
  return files;
}

std::vector<std::string> names(const std::filesystem::path& folder) {
  std::vector<std::string> result;
  for (const auto& [name, bytes] : contents(folder)) result.push_back(name);
  return result;
}

template <typename Error>
std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  FAIL("no error of the expected kind");
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a run's shards hold what was handed over, and its index shows them as one") {
  const TempDir dir;
  for (const Dtype dtype : {Dtype::float32, Dtype::float16, Dtype::bfloat16}) {
    for (const h5::Compression compression : {h5::Compression::none, h5::Compression::gzip}) {
      ShardFormat format = small_format();
      format.dtype = dtype;
      format.compression = compression;
      run(dir / "run", RunMode::overwrite, format);
      CHECK(names(dir / "run") == std::vector<std::string>{"index.h5", "manifest.json",
                                                           "shard-00000.h5", "shard-00001.h5",
                                                           "shard-00002.h5"});

      CHECK(verify_run(dir / "run", nullptr).problems.empty());

      const h5::Reader index(dir / "run" / "index.h5", h5::VirtualDatasets::allowed);
      const h5::Dataset activations = index.dataset(path_of(ColumnId::activations));
      const h5::Dataset tokens = index.dataset(path_of(ColumnId::tokens));
      const h5::Dataset spans = index.dataset(path_of(ColumnId::spans));
      const h5::Dataset numbers = index.dataset(path_of(ColumnId::sentence));
      std::vector<std::uint64_t> offsets(kRunSentences + 1);
      index.dataset(path_of(ColumnId::offsets)).read_rows(0, kRunSentences + 1, std::span(offsets));
      CHECK(offsets.front() == 0);
      CHECK(offsets.back() == tokens.info().rows());
      const h5::Dataset documents = index.dataset(path_of(ColumnId::document_id));
      CHECK(documents.info().rows() == 7);
      CHECK(documents.read_strings(6, 1).front() == "döcument/6.txt");

      for (std::uint64_t number = 0; number < kRunSentences; ++number) {
        CAPTURE(number);
        const Sentence sentence = made_sentence(number);
        const std::uint64_t first = offsets[number];
        const std::uint64_t count = offsets[number + 1] - first;
        REQUIRE(count == sentence.size());
        const std::vector<std::string> words = tokens.read_strings(first, count);
        std::vector<std::uint64_t> bytes(2 * count);
        spans.read_rows(first, count, std::span(bytes));
        std::vector<std::uint64_t> sentence_numbers(count);
        numbers.read_rows(first, count, std::span(sentence_numbers));
        for (std::size_t token = 0; token < count; ++token) {
          CHECK(words[token] == sentence.token(token));
          CHECK(ByteSpan{bytes[2 * token], bytes[2 * token + 1]} == sentence.spans()[token]);
          CHECK(sentence_numbers[token] == number);
        }
        std::uint32_t document = 0;
        std::uint64_t line = 0;
        index.dataset(path_of(ColumnId::sentence_document)).read_rows(number, 1, {&document, 1});
        index.dataset(path_of(ColumnId::sentence_line)).read_rows(number, 1, {&line, 1});
        CHECK(document == sentence.document->number);
        CHECK(line == sentence.line);
        const std::vector<float> expected = made_activations(number, count, format.layout);
        std::vector<float> read(expected.size());
        activations.read_rows(first, count, std::span(read));
        for (std::size_t value = 0; value < read.size(); ++value) {
          const float tolerance = dtype == Dtype::float32   ? 0.0F
                                  : dtype == Dtype::float16 ? 1.0F / 64
                                                            : 1.0F / 8;
          CHECK(std::abs(read[value] - expected[value]) <= tolerance);
        }
      }
    }
  }
}

TEST_CASE("a shard describes itself") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const auto description = describe_shard(dir / "run" / "shard-00001.h5");
  REQUIRE(description.has_value());
  CHECK(description->format == "elmo shard");
  const std::map<std::string, std::string> attributes(description->attributes.begin(),
                                                      description->attributes.end());
  CHECK(attributes.at("layers") == "x, top");
  CHECK(attributes.at("model") == "0123");
  CHECK(attributes.at("first_sentence") == "8");
  CHECK(attributes.at("next_sentence") == "16");
  CHECK(attributes.at("dtype") == "float32");
  CHECK(attributes.at("truncated_tokens") == "0");
  CHECK(description->datasets.size() == 10);
  CHECK(describe_shard(dir / "run" / "index.h5")->format == "elmo index");
}

TEST_CASE("an empty input makes one empty shard") {
  const TempDir dir;
  run(dir / "run", RunMode::create, small_format(), nullptr, 0);
  CHECK(names(dir / "run") ==
        std::vector<std::string>{"index.h5", "manifest.json", "shard-00000.h5"});
  const VerifyReport report = verify_run(dir / "run", nullptr);
  CHECK(report.problems == std::vector<std::string>{});
  CHECK(report.manifest.complete());
  CHECK(h5::Reader(dir / "run" / "shard-00000.h5")
            .dataset(path_of(ColumnId::activations))
            .info()
            .shape == std::vector<std::uint64_t>{0, 2, 3});
}

TEST_CASE("a run killed at any step of publishing continues to the same files") {
  const TempDir dir;
  run(dir / "undisturbed", RunMode::create);
  const auto expected = contents(dir / "undisturbed");
  int steps = 0;
  run(dir / "counted", RunMode::create, small_format(), [&](PublishStep) { ++steps; });
  REQUIRE(steps == 3 + 4 * 8);  // the first manifest, then three shards and the index
  CHECK(contents(dir / "counted") == expected);

  for (int killed_at = 1; killed_at <= steps; ++killed_at) {
    CAPTURE(killed_at);
    const auto folder = dir / ("killed-" + std::to_string(killed_at));
    const int status = in_child([&] {
      int step = 0;
      run(folder, RunMode::resume, small_format(), [&](PublishStep) {
        if (++step == killed_at) ::kill(::getpid(), SIGKILL);
      });
    });
    CHECK(WIFSIGNALED(status));
    run(folder, RunMode::resume);
    CHECK(contents(folder) == expected);
  }
}

/// Hands over one sentence as a segment of its own.
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
  ShardRun sink(dir / "run", kRunFingerprint, RunMode::create, small_format(),
                [&](PublishStep step) {
                  if (step == PublishStep::file_renamed && std::exchange(first, false)) wait.wait();
                });
  write_segment(sink, 0);
  const std::vector<Sentence> sentences{made_sentence(1)};
  const auto values = made_activations(1, sentences.front().size(), small_layout());
  sink.write({1, sentences, values});
  CHECK(parse_manifest(content_of(dir / "run" / "manifest.json"), "manifest").shards.empty());
  second_written.set_value();
  sink.end_segment({2, {}});
  sink.finish();
  CHECK(sink.manifest().shards.size() == 2);
  CHECK(verify_run(dir / "run", nullptr).problems.empty());
}

TEST_CASE("an error in publishing is thrown by a later call, and the run can be resumed") {
  const TempDir dir;
  const auto folder = dir / "run";
  {
    int manifests = 0;
    ShardRun sink(folder, kRunFingerprint, RunMode::create, small_format(), [&](PublishStep step) {
      if (step == PublishStep::manifest_synced) ++manifests;
      if (step == PublishStep::file_checked && manifests == 2) throw SystemError("no more");
    });
    write_segment(sink, 0);
    write_segment(sink, 1);
    CHECK(sink.manifest().shards.size() == 1);
    CHECK(message<SystemError>([&] { write_segment(sink, 2); }) == "no more");
    CHECK(message<SystemError>([&] { sink.finish(); }) == "no more");
    CHECK(sink.manifest().shards.size() == 1);
  }
  CHECK(names(folder) == std::vector<std::string>{"manifest.json", "shard-00000.h5"});
  ShardRun sink(folder, kRunFingerprint, RunMode::resume, small_format());
  CHECK(sink.resume_point().next_sentence == 1);
  write_segment(sink, 1);
  sink.finish();
  CHECK(verify_run(folder, nullptr).problems.empty());
}

TEST_CASE("where no thread can be had a run ends with the reason and can be resumed") {
  const TempDir dir;
  const auto folder = dir / "run";
  {
    ShardRun sink(folder, kRunFingerprint, RunMode::create, small_format());
    write_segment(sink, 0);
    CHECK(sink.manifest().shards.size() == 1);
    const NoThreads none;
    CHECK(contains(message<SystemError>([&] { write_segment(sink, 1); }),
                   "could not start a thread"));
    CHECK(contains(message<SystemError>([&] { sink.finish(); }), "could not start a thread"));
  }
  CHECK(names(folder) == std::vector<std::string>{"manifest.json", "shard-00000.h5"});
  ShardRun sink(folder, kRunFingerprint, RunMode::resume, small_format());
  CHECK(sink.resume_point().next_sentence == 1);
  write_segment(sink, 1);
  sink.finish();
  CHECK(verify_run(folder, nullptr).problems.empty());
}

TEST_CASE("a run killed again and again while it writes continues to the same files") {
  const TempDir dir;
  run(dir / "undisturbed", RunMode::create);
  const auto folder = dir / "killed";
  for (std::uint64_t batches = 1; batches < 6; ++batches) {
    in_child([&] {
      ShardRun sink(folder, kRunFingerprint, RunMode::resume, small_format());
      std::uint64_t next = sink.resume_point().next_sentence;
      for (std::uint64_t batch = 0; batch < batches; ++batch, ++next) {
        const std::vector<Sentence> sentences{made_sentence(next)};
        const auto values = made_activations(next, sentences.front().size(), small_layout());
        sink.write({next, sentences, values});
      }
      ::kill(::getpid(), SIGKILL);
    });
  }
  run(folder, RunMode::resume);
  CHECK(contents(folder) == contents(dir / "undisturbed"));
}

TEST_CASE("a run that is given up leaves what it has published") {
  const TempDir dir;
  {
    ShardRun sink(dir / "run", kRunFingerprint, RunMode::create, small_format());
    const std::vector<Sentence> sentences{made_sentence(0)};
    const auto values = made_activations(0, sentences.front().size(), small_layout());
    sink.write({0, sentences, values});
    CHECK(std::filesystem::exists(dir / "run" / "shard-00000.h5.unfinished"));
    CHECK(std::filesystem::exists(dir / "run" / ".elmo.lock"));
  }
  CHECK(names(dir / "run") == std::vector<std::string>{"manifest.json"});
}

TEST_CASE("a resumed run has to have the settings that it was begun with") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  Provenance changed = kRunFingerprint;
  changed[0].second = "4567";
  const std::string text =
      message<InputError>([&] { ShardRun(dir / "run", changed, RunMode::resume, small_format()); });
  CHECK(contains(text, "model was 0123 and is 4567"));
  CHECK_FALSE(contains(text, "tokenizer"));
  ShardFormat half = small_format();
  half.dtype = Dtype::float16;
  CHECK(contains(
      message<InputError>([&] { ShardRun(dir / "run", kRunFingerprint, RunMode::resume, half); }),
      "dtype was float32 and is float16"));
  changed = kRunFingerprint;
  changed.emplace_back("new", "1");
  CHECK(contains(
      message<InputError>([&] { ShardRun(dir / "run", changed, RunMode::resume, small_format()); }),
      "new was absent and is 1"));
}

TEST_CASE("names that are no UTF-8 do not change from one run to the next") {
  const TempDir dir;
  const Provenance fingerprint{{"input", "na\xEFve.txt"}};
  { const ShardRun first(dir / "run", fingerprint, RunMode::create, small_format()); }
  CHECK_NOTHROW(ShardRun(dir / "run", fingerprint, RunMode::resume, small_format()));
}

TEST_CASE("a resumed run does not resume from a damaged state") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00002.h5";
  std::string bytes = content_of(shard);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(shard, std::ios::binary) << bytes;
  CHECK(contains(message<InputError>([&] { run(dir / "run", RunMode::resume); }),
                 "checksum of the file"));
}

TEST_CASE("a resumed run does not resume from any shard whose bytes have changed") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  for (const char* name : {"shard-00000.h5", "shard-00001.h5", "shard-00002.h5"}) {
    const std::string good = content_of(dir / "run" / name);
    std::string bad = good;
    bad[bad.size() / 3] = static_cast<char>(bad[bad.size() / 3] ^ 1);
    std::ofstream(dir / "run" / name, std::ios::binary) << bad;
    CHECK(contains(message<InputError>([&] { run(dir / "run", RunMode::resume); }),
                   std::string(name) + ": checksum of the file"));
    std::ofstream(dir / "run" / name, std::ios::binary) << good;
  }
  CHECK_NOTHROW(run(dir / "run", RunMode::resume));
}

TEST_CASE("an index that is missing or damaged is rebuilt, the same bytes") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
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
    ShardRun sink(dir / "run", kRunFingerprint, RunMode::resume, small_format());
    CHECK(sink.resume_point().complete);
    CHECK_FALSE(sink.manifest().complete());
    sink.finish();
    CHECK(sink.manifest().complete());
    CHECK(content_of(index) == good);
    CHECK(verify_run(dir / "run", nullptr).problems.empty());
  }
}

TEST_CASE("opening a run notifies of every file before it is read and can be stopped") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const auto before = contents(dir / "run");
  std::vector<std::string> heard;
  {
    const ShardRun sink(dir / "run", kRunFingerprint, RunMode::resume, small_format(), nullptr,
                        [&](const ListedFile& file) { heard.push_back(file.file); });
  }
  CHECK(heard ==
        std::vector<std::string>{"shard-00000.h5", "shard-00001.h5", "shard-00002.h5", "index.h5"});
  struct Leave {};
  CHECK_THROWS_AS(ShardRun(dir / "run", kRunFingerprint, RunMode::resume, small_format(), nullptr,
                           [](const ListedFile&) { throw Leave(); }),
                  Leave);
  CHECK(contents(dir / "run") == before);
}

TEST_CASE("a damaged shard is reported or rejected") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const std::string good = content_of(dir / "run" / "shard-00000.h5");
  for (std::size_t at = 0; at < good.size(); at += 397) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(~bad[at]);
    std::ofstream(dir / "bad.h5", std::ios::binary) << bad;
    try {
      describe_shard(dir / "bad.h5");
    } catch (const InputError& error) {
      CHECK(contains(error.what(), "bad.h5"));
    }
  }
}

TEST_CASE("a resumed run has to have the input that it was begun with") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const ShardRun sink(dir / "run", kRunFingerprint, RunMode::resume, small_format());
  CHECK(sink.manifest().complete());
  CHECK(sink.resume_point().next_sentence == kRunSentences);
  MadeSource longer(kRunSentences + 1);
  CHECK(contains(message<InputError>([&] { skip_sentences(longer, sink.resume_point()); }),
                 "continues after the 20 sentences"));
  MadeSource shorter(kRunSentences - 1);
  CHECK(contains(message<InputError>([&] { skip_sentences(shorter, sink.resume_point()); }),
                 "has 19 sentences, but 20"));

  class Changed final : public SentenceSource {
   public:
    bool next(Sentence& sentence) override {
      const bool read = source_.next(sentence);
      if (read && sentence.line == 2) sentence.line = 7;
      return read;
    }

   private:
    MadeSource source_{kRunSentences};
  } changed;
  CHECK(contains(message<InputError>([&] { skip_sentences(changed, sink.resume_point()); }),
                 "are not those"));
}

TEST_CASE("boundaries are no part of the input") {
  const TempDir dir;
  ShardFormat format = small_format();
  format.boundaries = true;
  {
    ShardRun sink(dir / "run", kRunFingerprint, RunMode::create, format);
    for (std::uint64_t number = 0; number < 3; ++number) {
      const Sentence plain = made_sentence(number);
      Sentence with_boundaries = plain;
      if (plain.size() > 0) {
        with_boundaries.clear();
        with_boundaries.add("<S>", {});
        for (std::size_t token = 0; token < plain.size(); ++token) {
          with_boundaries.add(plain.token(token), plain.spans()[token]);
        }
        with_boundaries.add("</S>", {});
      }
      const std::vector<Sentence> sentences{with_boundaries};
      const auto values = made_activations(number, with_boundaries.size(), format.layout);
      sink.write({number, sentences, values});
    }
    sink.end_segment({3, {}});
    sink.finish();
  }
  const ShardRun again(dir / "run", kRunFingerprint, RunMode::resume, format);
  MadeSource source(3);
  CHECK_NOTHROW(skip_sentences(source, again.resume_point()));
}

TEST_CASE("folders that hold something else are left alone") {
  const TempDir dir;
  std::filesystem::create_directory(dir / "other");
  std::ofstream(dir / "other" / "letter.txt") << "dear";
  for (const RunMode mode : {RunMode::create, RunMode::resume}) {
    CHECK(contains(message<RequestError>([&] { run(dir / "other", mode); }), "letter.txt"));
    CHECK(names(dir / "other") == std::vector<std::string>{"letter.txt"});
  }
  run(dir / "other", RunMode::overwrite);
  CHECK(content_of(dir / "other" / "letter.txt") == "dear");
  CHECK(
      contains(message<RequestError>([&] { run(dir / "other", RunMode::create); }), "holds a run"));
}

TEST_CASE("overwriting removes the run before and nothing else") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  std::ofstream(dir / "run" / "notes.txt") << "mine";
  std::ofstream(dir / "run" / "shard-00009.h5.unfinished") << "left";
  run(dir / "run", RunMode::overwrite, small_format(), nullptr, 2);
  CHECK(names(dir / "run") ==
        std::vector<std::string>{"index.h5", "manifest.json", "notes.txt", "shard-00000.h5"});
}

TEST_CASE("two runs cannot write into one folder, and a dead one does not hinder") {
  const TempDir dir;
  {
    const ShardRun first(dir / "run", kRunFingerprint, RunMode::create, small_format());
    for (const RunMode mode : {RunMode::create, RunMode::resume, RunMode::overwrite}) {
      CHECK(contains(message<SystemError>([&] { run(dir / "run", mode); }), "another run"));
    }
  }
  in_child([&] {
    const ShardRun second(dir / "run", kRunFingerprint, RunMode::resume, small_format());
    ::kill(::getpid(), SIGKILL);
  });
  CHECK(std::filesystem::exists(dir / "run" / ".elmo.lock"));
  CHECK_NOTHROW(run(dir / "run", RunMode::resume));
  CHECK_FALSE(std::filesystem::exists(dir / "run" / ".elmo.lock"));
}

TEST_CASE("a published shard that is missing or cut short is no ground to resume from") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00001.h5";
  std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 1);
  CHECK(contains(message<InputError>([&] { run(dir / "run", RunMode::resume); }),
                 "shard-00001.h5 has "));
  std::filesystem::remove(shard);
  CHECK(contains(message<InputError>([&] { run(dir / "run", RunMode::resume); }),
                 "shard-00001.h5 is missing; expected a file of "));
}

TEST_CASE("a manifest that is none is said to be none") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const std::string good = content_of(dir / "run" / "manifest.json");
  const auto refused = [&](const std::string& text) {
    std::ofstream(dir / "run" / "manifest.json") << text;
    return message<InputError>([&] { run(dir / "run", RunMode::resume); });
  };
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(contains(text, from));
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(contains(refused("{"), "is not JSON"));
  CHECK(contains(refused("[]"), "holds []; expected a run's manifest"));
  CHECK(contains(refused("{}"), "format is missing"));
  CHECK(
      contains(refused(replaced("\"version\": 1", "\"version\": 2")), "version is 2; expected 1"));
  CHECK(contains(refused(replaced("\"sentences\": 8", "\"sentences\": -8")), "a whole number"));
  CHECK(contains(refused(replaced("\"sentences\": 8", "\"sentences\": 9")), "from sentence 9"));
  CHECK(contains(refused(replaced("shard-00001.h5", "../../elsewhere")), "a shard's name"));
  CHECK(contains(refused(std::string(100'000, '[')), "nests deeper than 32 levels"));
}

TEST_CASE("verify finds every flipped bit and every cut") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  for (const char* name : {"shard-00000.h5", "index.h5"}) {
    const auto path = dir / "run" / name;
    const std::string good = content_of(path);
    for (std::size_t at = 0; at < good.size(); at += 397) {
      CAPTURE(at);
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 4);
      std::ofstream(path, std::ios::binary) << bad;
      CHECK_FALSE(verify_run(dir / "run", nullptr).problems.empty());
    }
    for (const std::size_t size : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
      std::ofstream(path, std::ios::binary) << good.substr(0, size);
      CHECK_FALSE(verify_run(dir / "run", nullptr).problems.empty());
    }
    std::filesystem::remove(path);
    CHECK_FALSE(verify_run(dir / "run", nullptr).problems.empty());
    std::ofstream(path, std::ios::binary) << good;
    CHECK(verify_run(dir / "run", nullptr).problems.empty());
  }
  std::filesystem::remove(dir / "run" / "manifest.json");
  CHECK_THROWS_AS(verify_run(dir / "run", nullptr), InputError);
}

TEST_CASE("verify outlives shards whose checksums match and that the HDF5 library crashes on") {
  const TempDir dir;
  run(dir / "run", RunMode::create, small_format(), nullptr, 4);
  const auto path = dir / "run" / "shard-00000.h5";
  const std::string good = content_of(path);
  const std::string manifest = content_of(dir / "run" / "manifest.json");
  const std::string checksum = file_checksum(path);
  const auto seed = std::random_device()();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int repeat = 0; repeat < 150; ++repeat) {
    std::string bad = good;
    for (int changes = 0; changes < 1 + repeat % 3; ++changes) {
      bad[random() % bad.size()] = static_cast<char>(repeat % 2 == 0 ? 0xFF : random());
    }
    std::ofstream(path, std::ios::binary) << bad;
    std::string changed = manifest;
    changed.replace(changed.find(checksum), checksum.size(), file_checksum(path));
    std::ofstream(dir / "run" / "manifest.json") << changed;
    for (const std::string& problem : verify_run(dir / "run", nullptr).problems) {
      CHECK(contains(problem, (dir / "run").string()));
    }
  }
}

TEST_CASE("verify says in plain words which shard is missing") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  std::filesystem::remove(dir / "run" / "shard-00001.h5");
  const VerifyReport report = verify_run(dir / "run", nullptr);
  REQUIRE(report.problems.size() == 1);
  CHECK(contains(report.problems.front(), "shard-00001.h5 is missing; expected a file of "));
}

TEST_CASE("verify goes on behind a file that the system refuses to read") {
  const TempDir dir;
  run(dir / "run", RunMode::create);
  const auto shard = dir / "run" / "shard-00000.h5";
  std::filesystem::remove(shard);
  std::filesystem::create_symlink(shard, shard);
  std::filesystem::remove(dir / "run" / "shard-00001.h5");
  const VerifyReport report = verify_run(dir / "run", nullptr);
  REQUIRE(report.unread.size() == 1);
  CHECK(contains(report.unread.front(), "shard-00000.h5: Too many levels of symbolic links"));
  REQUIRE(report.problems.size() == 1);
  CHECK(contains(report.problems.front(), "shard-00001.h5 is missing"));
}

TEST_CASE("verify finds activations that are no finite numbers") {
  const TempDir dir;
  for (const auto& [word, dtype] : kDtypes) {
    ShardFormat format = small_format();
    format.dtype = dtype;
    ShardRun sink(dir / "run", kRunFingerprint, RunMode::overwrite, format);
    std::vector<Sentence> sentences{made_sentence(0)};
    std::vector<float> values = made_activations(0, sentences.front().size(), format.layout);
    values[1] = std::numeric_limits<float>::infinity();
    values[4] = std::numeric_limits<float>::quiet_NaN();
    sink.write({0, sentences, values});
    sink.end_segment({1, {}});
    sink.finish();
    const VerifyReport report = verify_run(dir / "run", nullptr);
    REQUIRE(report.problems.size() == 1);
    CHECK(contains(report.problems.front(), "2 activations are infinite or no number"));
  }
}

/// Many sentences of 64 KiB of activations.
void write_much(const std::filesystem::path& folder) {
  ShardFormat format = small_format();
  format.layout.width = 8192;
  ShardRun sink(folder, kRunFingerprint, RunMode::resume, format);
  feed(sink, format.layout, sink.resume_point().next_sentence, 60, 20);
}

TEST_CASE("past a limit on file sizes a run fails and can be resumed") {
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
    for (const std::string& name : names(folder)) CHECK_FALSE(contains(name, "unfinished"));
    write_much(folder);
    CHECK(contents(folder) == contents(dir / "undisturbed"));
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
    ~Mounted() { ::umount2(disk.c_str(), MNT_DETACH); }  // what was abandoned is still open
  };
  const Mounted mounted{disk};
  const std::string text = message<SystemError>([&] { write_much(disk / "run"); });
  CHECK(contains(text, "No space left on device"));
  for (const std::string& name : names(disk / "run")) CHECK_FALSE(contains(name, "unfinished"));
  CHECK(::mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m") == 0);
  write_much(disk / "run");
  CHECK(contents(disk / "run") == contents(dir / "undisturbed"));
}

}  // namespace
}  // namespace elmo
