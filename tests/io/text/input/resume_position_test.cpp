#include "io/text/input/resume_position.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "core/error.h"
#include "io/shard/shard_run.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/small_run.h"
namespace elmo {
namespace {

ResumePosition at_sentence(std::uint64_t sentence) {
  ResumePosition position;
  position.sentence = sentence;
  return position;
}

TEST_CASE("the last position before a sentence is found, and those before it are dropped") {
  ResumePositions positions;
  CHECK(!positions.last_before(5));
  for (const std::uint64_t sentence : {3U, 10U, 20U, 30U}) positions.add(at_sentence(sentence));
  CHECK(!positions.last_before(2));
  CHECK(positions.last_before(3)->sentence == 3);
  CHECK(positions.last_before(29)->sentence == 20);
  CHECK(positions.size() == 2);
  CHECK(positions.last_before(1'000)->sentence == 30);
  CHECK(positions.last_before(1'001)->sentence == 30);
}

TEST_CASE("of any number of positions few are kept, densest near the end") {
  constexpr std::uint64_t kCount = 1'000'000;
  ResumePositions positions;
  for (std::uint64_t sentence = 0; sentence < kCount; ++sentence) {
    positions.add(at_sentence(sentence));
    REQUIRE(positions.size() <= ResumePositions::kMax);
  }
  for (const std::uint64_t behind : {900'000U, 100'000U, 10'000U, 600U, 300U, 1U}) {
    CAPTURE(behind);
    const auto found = positions.last_before(kCount - behind);
    REQUIRE(found.has_value());
    CHECK(found->sentence <= kCount - behind);
    CHECK(kCount - behind - found->sentence <= behind / 16);
  }
}

TEST_CASE("a resumed run must have the input that it was begun with") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create);
  const ShardRun sink(dir / "run", kRunProvenance, RunMode::resume, small_format());
  CHECK(sink.manifest().complete());
  CHECK(sink.resume_point().next_sentence == kRunSentences);
  MadeSource longer(kRunSentences + 1);
  CHECK(mentions(error_of<InputError>([&] { skip_sentences(longer, sink.resume_point()); }),
                 "continues after the 20 sentences"));
  MadeSource shorter(kRunSentences - 1);
  CHECK(mentions(error_of<InputError>([&] { skip_sentences(shorter, sink.resume_point()); }),
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
  CHECK(mentions(error_of<InputError>([&] { skip_sentences(changed, sink.resume_point()); }),
                 "are not those"));
}

TEST_CASE("boundaries are not part of the input") {
  const TempDir dir;
  ShardFormat format = small_format();
  format.boundaries = true;
  {
    ShardRun sink(dir / "run", kRunProvenance, RunMode::create, format);
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
  const ShardRun again(dir / "run", kRunProvenance, RunMode::resume, format);
  MadeSource source(3);
  CHECK_NOTHROW(skip_sentences(source, again.resume_point()));
}

}  // namespace
}  // namespace elmo
