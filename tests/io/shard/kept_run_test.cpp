// Runs that have rows for some tokens only.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "core/inference/output_layers.h"
#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/run_reader.h"
#include "io/shard/shard_run.h"
#include "io/shard/verify.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"

namespace elmo {
namespace {

constexpr std::uint64_t kKeptRunSentences = 40;

// Keeps every third token of every second sentence.
Sentence kept_sentence(std::uint64_t number) {
  Sentence sentence = made_sentence(number);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t token = 0; token < sentence.size() && number % 2 == 1; token += 3) {
    kept.push_back(token);
  }
  sentence.keep(std::move(kept));
  return sentence;
}

class KeptSource final : public SentenceSource {
 public:
  explicit KeptSource(std::uint64_t count) : count_(count) {}
  bool next(Sentence& sentence) override {
    if (next_ == count_) return false;
    sentence = kept_sentence(next_++);
    return true;
  }

 private:
  std::uint64_t count_;
  std::uint64_t next_ = 0;
};

ShardFormat kept_format() {
  ShardFormat format;
  format.layout = small_layout();
  format.selected = true;
  return format;
}

// Passes the sentences with a kept token, beginning with `first`, to the run, `segment` of them per
// segment. Ends after `segments` segments, if given.
void feed_kept(ShardRun& run, std::uint64_t first, std::size_t segment, int segments = -1) {
  std::vector<Sentence> sentences;
  std::vector<std::uint64_t> numbers;
  std::vector<float> values;
  const auto end = [&](std::uint64_t next) {
    run.write({first, sentences, values, numbers});
    run.end_segment({next, {}, 0, 0});
    sentences.clear();
    numbers.clear();
    values.clear();
  };
  for (std::uint64_t number = first; number < kKeptRunSentences; ++number) {
    Sentence sentence = kept_sentence(number);
    if (sentence.is_left_out()) continue;
    if (sentences.size() == segment) {
      end(number);
      if (--segments == 0) return;
    }
    const std::vector<float> made = made_activations(number, sentence.kept_count(), small_layout());
    values.insert(values.end(), made.begin(), made.end());
    sentences.push_back(std::move(sentence));
    numbers.push_back(number);
  }
  end(kKeptRunSentences);
  run.finish();
}

const Provenance kKeptRunFingerprint{{"model", "0123"}, {shard_format::kSelection, "every third"}};

TEST_CASE("a run of kept tokens lists the sentences that have one") {
  const TempDir dir;
  {
    ShardRun run(dir / "run", kKeptRunFingerprint, RunMode::create, kept_format());
    feed_kept(run, 0, 5, 2);
  }
  {  // the run continues
    ShardRun run(dir / "run", kKeptRunFingerprint, RunMode::resume, kept_format());
    KeptSource source(kKeptRunSentences);
    CHECK(skip_sentences(source, run.resume_point()));
    CHECK(kept_sentence(run.resume_point().next_sentence).kept_count() > 0);
    feed_kept(run, run.resume_point().next_sentence, 5);
  }
  const ShardRun again(dir / "run", kKeptRunFingerprint, RunMode::resume, kept_format());
  CHECK(again.resume_point().complete);
  CHECK(again.resume_point().next_sentence == kKeptRunSentences);
  KeptSource source(kKeptRunSentences);
  CHECK(skip_sentences(source, again.resume_point()));
  KeptSource longer(kKeptRunSentences + 1);
  CHECK_THROWS_AS(skip_sentences(longer, again.resume_point()), InputError);
  CHECK(verify_run(dir / "run").problems.empty());

  const h5::Reader index(dir / "run" / "index.h5", h5::VirtualDatasets::allowed);
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> positions;
  std::vector<std::string> tokens;
  for (std::uint64_t number = 0; number < kKeptRunSentences; ++number) {
    const Sentence sentence = kept_sentence(number);
    if (sentence.is_left_out()) continue;
    numbers.push_back(number);
    texts.push_back(sentence.text());
    for (std::size_t kept = 0; kept < sentence.kept_count(); ++kept) {
      positions.push_back(static_cast<std::uint32_t>(sentence.kept_token(kept)));
      tokens.emplace_back(sentence.token(sentence.kept_token(kept)));
    }
  }
  const auto numbers_of = [&]<typename T>(const char* path, T) {
    const h5::Dataset dataset = index.dataset(path);
    std::vector<T> values(dataset.info().rows());
    dataset.read_rows(0, values.size(), std::span(values));
    return values;
  };
  CHECK(numbers_of(path_of(ColumnId::sentence_number), std::uint64_t{}) == numbers);
  CHECK(numbers_of(path_of(ColumnId::position), std::uint32_t{}) == positions);
  CHECK(index.dataset(path_of(ColumnId::sentence_text)).read_strings(0, texts.size()) == texts);
  CHECK(index.dataset(path_of(ColumnId::tokens)).read_strings(0, tokens.size()) == tokens);

  RunReader reader(dir / "run");
  CHECK(reader.sentence_end() == numbers.size());
  CHECK(reader.token_count() == tokens.size());
  ActivationBlock block;
  for (std::uint64_t entry = 0; entry < numbers.size(); ++entry) {
    reader.read(entry, {1, 1}, block);
    CHECK(block.first_sentence == entry);
    CHECK(block.activations ==
          made_activations(numbers[entry], block.sentences.front().size(), small_layout()));
  }
}

TEST_CASE("sentences out of order are refused in a run of kept tokens") {
  const TempDir dir;
  ShardRun run(dir / "run", kKeptRunFingerprint, RunMode::create, kept_format());
  const std::vector<Sentence> sentences{kept_sentence(3), kept_sentence(1)};
  const std::vector<std::uint64_t> numbers{3, 1};
  const std::vector<float> values((sentences[0].kept_count() + sentences[1].kept_count()) * 6);
  CHECK_THROWS_AS(run.write({0, sentences, values, numbers}), std::logic_error);
}

TEST_CASE("a pooled run has a row per unit, with its source") {
  const TempDir dir;
  ShardFormat format = kept_format();
  format.selected = false;
  format.pooled = true;
  {
    ShardRun run(dir / "run", {{"model", "0123"}, {shard_format::kPooling, "mean by document"}},
                 RunMode::create, format);
    UnitPooling pooling(small_layout(), {PoolKind::mean, PoolUnit::document});
    for (std::uint64_t number = 0; number < kKeptRunSentences; ++number) {
      const std::vector<Sentence> sentences{made_sentence(number)};
      const auto values = made_activations(number, sentences[0].size(), small_layout());
      pooling.add({number, sentences, values});
      if (number + 1 == kKeptRunSentences) pooling.end_unit();
      run.write({number, sentences, pooling.values(), {}, pooling.rows()});
      pooling.clear();
      if (number % 12 == 11 && number + 1 < kKeptRunSentences) {  // at the end of a document
        pooling.end_unit();
        run.write({number + 1, {}, pooling.values(), {}, pooling.rows()});
        pooling.clear();
        run.end_segment({number + 1, {}, 0, 0});
      }
    }
    run.end_segment({kKeptRunSentences, {}, 0, 0});
    run.finish();
  }
  CHECK(verify_run(dir / "run").problems.empty());
  RunReader reader(dir / "run");
  REQUIRE(reader.sentence_end() == 14);  // documents have three sentences; the last one has one
  CHECK(reader.manifest().shards[0].sentences == 4);
  CHECK(reader.manifest().shards[0].unlisted_sentences == 8);
  ActivationBlock block;
  reader.read(5, {1, 1}, block);
  CHECK(block.sentences.front().token(0) == made_sentence(15).document->id);
  CHECK(block.sentences.front().document->number == 5);
}

}  // namespace
}  // namespace elmo
