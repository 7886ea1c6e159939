// A run's shards, value by value.
#include "io/shard/shard_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "io/h5/reader.h"
#include "io/shard/format.h"
#include "io/shard/verify.h"
#include "tests/fixtures/activations.h"
#include "tests/fixtures/temp_dir.h"
#include "tests/io/fixtures/small_run.h"

namespace elmo {
namespace {

TEST_CASE("a run's shards hold what was written, and its index shows them as one") {
  const TempDir dir;
  for (const Dtype dtype : {Dtype::float32, Dtype::float16, Dtype::bfloat16}) {
    for (const h5::Compression compression : {h5::Compression::none, h5::Compression::gzip}) {
      ShardFormat format = small_format();
      format.dtype = dtype;
      format.compression = compression;
      run_to_end(dir / "run", RunMode::overwrite, format);
      CHECK(names_of(dir / "run") ==
            std::vector<std::string>{"index.h5", "manifest.json", "shard-00000.h5",
                                     "shard-00001.h5", "shard-00002.h5", "tables-00000.h5",
                                     "tables-00001.h5", "tables-00002.h5"});
      CHECK(verify_run(dir / "run").problems.empty());

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
        std::vector<std::uint32_t> document_numbers(count);
        index.dataset(path_of(ColumnId::document))
            .read_rows(first, count, std::span(document_numbers));
        for (std::size_t token = 0; token < count; ++token) {
          CHECK(words[token] == sentence.token(token));
          CHECK(ByteSpan{bytes[2 * token], bytes[2 * token + 1]} == sentence.spans()[token]);
          CHECK(sentence_numbers[token] == number);
          CHECK(document_numbers[token] == sentence.document->number);
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

TEST_CASE("an empty input makes one empty shard") {
  const TempDir dir;
  run_to_end(dir / "run", RunMode::create, small_format(), nullptr, 0);
  CHECK(names_of(dir / "run") ==
        std::vector<std::string>{"index.h5", "manifest.json", "shard-00000.h5", "tables-00000.h5"});
  const VerifyReport report = verify_run(dir / "run");
  CHECK(report.problems == std::vector<std::string>{});
  CHECK(report.manifest.complete());
  CHECK(h5::Reader(dir / "run" / "shard-00000.h5")
            .dataset(path_of(ColumnId::activations))
            .info()
            .shape == std::vector<std::uint64_t>{0, 2, 3});
}

}  // namespace
}  // namespace elmo
