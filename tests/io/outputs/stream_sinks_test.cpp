// npy and jsonl, read from a pipe.
#include "io/outputs/stream_sinks.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/error.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/files.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/outputs/piped.h"

namespace elmo {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    result.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

/// A line for each sentence below a heading.
class Headed final : public StreamSink {
 public:
  Headed(Stream& stream, const OutputRows& rows) : StreamSink(stream, rows) {
    buffer_ = "sentence,tokens\n";
  }

 private:
  void add_sentence(const Sentence& sentence, std::uint64_t number,
                    std::span<const float>) override {
    buffer_ += std::to_string(number) + "," + std::to_string(sentence.size()) + "\n";
  }
  void add_row(const PooledRow&, std::span<const float>) override {}
};

TEST_CASE("an output begins even without rows") {
  const OutputRows rows{.layout = small_layout()};
  const TempDir dir;
  for (const std::uint64_t count : {0U, 2U}) {
    CAPTURE(count);
    const std::string text = piped([&](Stream& stream) {
      Headed sink(stream, rows);
      feed(sink, small_layout(), 0, count, 100);
    });
    CHECK(lines(text).size() == 1 + count);
    CHECK(lines(text).front() == "sentence,tokens");
    PublishedStream<Headed> file({.path = dir / "table.csv", .overwrite = true}, rows);
    feed(file, small_layout(), 0, count, 100);
    CHECK(content_of(dir / "table.csv") == text);
  }
}

TEST_CASE("jsonl has a line per sentence, and its numbers read back exactly") {
  const ActivationLayout layout = small_layout();
  const std::string text = piped([&](Stream& stream) {
    const auto sink = open_jsonl({.stream = &stream}, {.layout = layout, .dtype = Dtype::float32});
    feed(*sink, layout, 0, 9, 100);
  });
  const std::vector<std::string> objects = lines(text);
  REQUIRE(objects.size() == 9);
  for (std::uint64_t number = 0; number < objects.size(); ++number) {
    CAPTURE(number);
    const auto object = nlohmann::json::parse(objects[number]);
    const Sentence sentence = made_sentence(number);
    CHECK(object.size() == 6);
    CHECK(object.at("document") == sentence.document->id);
    CHECK(object.at("sentence") == number);
    CHECK(object.at("line") == sentence.line);
    REQUIRE(object.at("tokens").size() == sentence.size());
    REQUIRE(object.at("vectors").size() == sentence.size());
    const std::vector<float> expected = made_activations(number, sentence.size(), layout);
    std::size_t value = 0;
    for (std::size_t token = 0; token < sentence.size(); ++token) {
      CHECK(object.at("tokens").at(token) == std::string(sentence.token(token)));
      const ByteSpan span = sentence.spans()[token];
      CHECK(object.at("spans").at(token) == nlohmann::json({span.begin, span.end}));
      REQUIRE(object.at("vectors").at(token).size() == 2);
      for (const auto& row : object.at("vectors").at(token)) {
        REQUIRE(row.size() == 3);
        for (const auto& read : row) CHECK(read.get<float>() == expected[value++]);
      }
    }
  }
}

/// Writes one sentence of one token, with one row of three numbers.
std::string one_object(const std::string& token, const std::vector<float>& values, Dtype dtype) {
  return piped([&](Stream& stream) {
    const ActivationLayout layout{{"top"}, static_cast<std::int64_t>(values.size())};
    const auto sink = open_jsonl({.stream = &stream}, {.layout = layout, .dtype = dtype});
    std::vector<Sentence> sentences(1);
    sentences[0].document = std::make_shared<const Document>(Document{0, "a \xff b"});
    sentences[0].add(token, {0, 1});
    sink->write({5, sentences, values});
  });
}

TEST_CASE("jsonl writes the fewest digits, and rounds to float16 on request") {
  CHECK(one_object("a", {0.1F, -2.0F, 1e-9F}, Dtype::float32).find("[[[0.1, -2, 1e-09]]]") !=
        std::string::npos);
  CHECK(one_object("a", {0.1F, -2.0F, 1e-9F}, Dtype::float16).find("[[[0.099975586, -2, 0]]]") !=
        std::string::npos);
  CHECK(one_object("a", {65504.0F, 6e-8F, -1.0F}, Dtype::float16)
            .find("[[[65504, 5.9604645e-08, -1]]]") != std::string::npos);
}

TEST_CASE("jsonl escapes what JSON cannot hold") {
  const std::string text = one_object("\"\\\t\x01é", {1.0F}, Dtype::float32);
  const auto object = nlohmann::json::parse(text);
  CHECK(object.at("tokens").at(0) == "\"\\\t\x01é");
  CHECK(object.at("document") == "a \xEF\xBF\xBD b");
}

TEST_CASE("npy has an array for each sentence, its data aligned") {
  const ActivationLayout layout = small_layout();
  for (const Dtype dtype : {Dtype::float32, Dtype::float16}) {
    const std::string text = piped([&](Stream& stream) {
      const auto sink = open_npy({.stream = &stream}, {.layout = layout, .dtype = dtype});
      feed(*sink, layout, 0, 9, 100);
    });
    std::size_t at = 0;
    for (std::uint64_t number = 0; number < 9; ++number) {
      CAPTURE(number);
      REQUIRE(text.substr(at, 8) == std::string("\x93NUMPY\x01\x00", 8));
      const std::size_t length = static_cast<unsigned char>(text[at + 8]) +
                                 256U * static_cast<unsigned char>(text[at + 9]);
      CHECK((10 + length) % 64 == 0);
      const std::string header = text.substr(at + 10, length);
      CHECK(header.back() == '\n');
      const std::size_t tokens = made_sentence(number).size();
      CHECK(header.find("'shape': (" + std::to_string(tokens) + ", 2, 3)") != std::string::npos);
      CHECK(header.find(dtype == Dtype::float32 ? "'<f4'" : "'<f2'") != std::string::npos);
      at += 10 + length;
      const std::vector<float> expected = made_activations(number, tokens, layout);
      if (dtype == Dtype::float32) {
        REQUIRE(text.size() >= at + 4 * expected.size());
        CHECK(std::ranges::equal(std::as_bytes(std::span(expected)),
                                 std::as_bytes(std::span(text).subspan(at, 4 * expected.size()))));
      }
      at += expected.size() * format_of(dtype).bytes;
    }
    CHECK(at == text.size());
  }
}

TEST_CASE("a reader that has gone is not a system error") {
  ::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  ::close(ends[0]);
  Stream stream(ends[1], "the pipe");
  const ActivationLayout layout = small_layout();
  const auto npy = open_npy({.stream = &stream}, {.layout = layout, .dtype = Dtype::float32});
  CHECK_THROWS_AS(feed(*npy, layout, 0, 9, 100), ClosedPipe);
  const auto jsonl = open_jsonl({.stream = &stream}, {.layout = layout, .dtype = Dtype::float32});
  CHECK_THROWS_AS(feed(*jsonl, layout, 0, 9, 100), ClosedPipe);
  ::close(ends[1]);
  CHECK_THROWS_AS(stream.write("text"), SystemError);
}

}  // namespace
}  // namespace elmo
