// The framing of Arrow's messages. tests/io/outputs/python_readers_test.py and tests/clients read
// their contents.
#include "io/outputs/arrow.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "tests/fixtures/activations.h"
#include "tests/io/outputs/piped.h"

namespace elmo {
namespace {

struct ArrowMessage {
  std::size_t body_begin = 0;
  std::size_t body_size = 0;
};

std::uint32_t number_at(std::string_view bytes, std::size_t place) {
  REQUIRE(place + 4 <= bytes.size());
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + place, sizeof(number));
  return number;
}

/// Returns the bodies from `place` to the end of the stream, and moves `place` past it. The third
/// field of a message's table is its size.
std::vector<ArrowMessage> arrow_messages(std::string_view bytes, std::size_t& place) {
  std::vector<ArrowMessage> messages;
  while (true) {
    REQUIRE(number_at(bytes, place) == 0xFFFFFFFF);
    const std::size_t size = number_at(bytes, place + 4);
    place += 8;
    if (size == 0) return messages;
    const std::size_t root = place + number_at(bytes, place);
    const std::size_t vtable = root - number_at(bytes, root);
    std::uint16_t offset = 0;
    std::memcpy(&offset, bytes.data() + vtable + 4 + 2 * 3, sizeof(offset));
    ArrowMessage message{place + size, 0};
    std::memcpy(&message.body_size, bytes.data() + root + offset, sizeof(std::int64_t));
    messages.push_back(message);
    place += size + message.body_size;
  }
}

std::string arrow_stream(const std::function<void(ArrowSink&)>& writing,
                         ArrowForm form = ArrowForm::stream, Dtype dtype = Dtype::float32,
                         RowKind kind = RowKind::tokens) {
  return piped([&](Stream& stream) {
    ArrowSink sink(
        stream,
        {.layout = small_layout(), .dtype = dtype, .kind = kind, .about = {{"model", "none"}}},
        form);
    writing(sink);
  });
}

TEST_CASE(
    "an Arrow stream has a schema, record batches that begin at multiples of 64, and an end") {
  for (const Dtype dtype : {Dtype::float32, Dtype::float16, Dtype::int8}) {
    const std::string bytes = arrow_stream(
        [](ArrowSink& sink) { feed(sink, small_layout(), 0, 9, 100); }, ArrowForm::stream, dtype);
    std::size_t place = 0;
    const std::vector<ArrowMessage> messages = arrow_messages(bytes, place);
    CHECK(place == bytes.size());
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].body_size == 0);
    CHECK(messages[1].body_begin % 64 == 0);
    CHECK(messages[1].body_size % 64 == 0);
    CHECK(bytes.substr(0, messages[0].body_begin).find("[2,3]") != std::string::npos);
    CHECK(bytes.substr(0, messages[0].body_begin).find(R"(["x","top"])") != std::string::npos);
  }
}

TEST_CASE("an Arrow file is a stream between magic words, with an index of record batches") {
  const std::string bytes =
      arrow_stream([](ArrowSink& sink) { feed(sink, small_layout(), 0, 9, 100); }, ArrowForm::file);
  REQUIRE(bytes.starts_with(std::string_view("ARROW1\0\0", 8)));
  REQUIRE(bytes.ends_with("ARROW1"));
  std::size_t place = 8;
  const std::vector<ArrowMessage> messages = arrow_messages(bytes, place);
  REQUIRE(messages.size() == 2);
  CHECK(messages[1].body_begin % 64 == 0);
  const std::size_t size = number_at(bytes, bytes.size() - 10);
  CHECK(place + size + 10 == bytes.size());
}

TEST_CASE("Arrow rows are written when the batch is large, flushed or the last") {
  const ActivationLayout layout = small_layout();
  const auto batches = [&](bool flushed) {
    const std::string bytes = arrow_stream([&](ArrowSink& sink) {
      for (std::uint64_t number = 0; number < 4; ++number) {
        const std::vector<Sentence> sentences{made_sentence(number)};
        const auto values = made_activations(number, sentences[0].size(), layout);
        sink.write({number, sentences, values});
        if (flushed) sink.flush();
      }
      sink.flush();
      sink.flush();
      sink.finish();
    });
    std::size_t place = 0;
    return arrow_messages(bytes, place).size() - 1;
  };
  CHECK(batches(true) == 4);
  CHECK(batches(false) == 1);

  Sentence sentence = made_sentence(3);  // it has three tokens
  REQUIRE(sentence.size() == 3);
  for (int more = 0; more < 30000; ++more) sentence.add("a", {0, 1});
  const std::vector<Sentence> sentences(12, sentence);
  const std::vector<float> values(12 * sentence.size() * 6);
  const std::string bytes = arrow_stream([&](ArrowSink& sink) {
    sink.write({0, sentences, values});
    sink.finish();
  });
  std::size_t place = 0;
  const std::vector<ArrowMessage> messages = arrow_messages(bytes, place);
  REQUIRE(messages.size() == 4);
  CHECK(messages[1].body_size > std::size_t{4} << 20);
  CHECK(messages[1].body_size < std::size_t{7} << 20);
}

TEST_CASE("an Arrow stream without sentences has a schema and an end") {
  const std::string bytes = arrow_stream([](ArrowSink& sink) { sink.finish(); });
  std::size_t place = 0;
  CHECK(arrow_messages(bytes, place).size() == 1);
  CHECK(place == bytes.size());
}

TEST_CASE("Arrow refuses bfloat16, and names without a form") {
  CHECK(not_in_arrow(Dtype::bfloat16).find("bfloat16") != std::string::npos);
  CHECK(not_in_arrow(Dtype::int8).empty());
  CHECK(arrow_form("a/b.arrows") == ArrowForm::stream);
  CHECK(arrow_form("b.arrow") == ArrowForm::file);
  CHECK_THROWS_AS(arrow_form("b.feather"), RequestError);
}

}  // namespace
}  // namespace elmo
