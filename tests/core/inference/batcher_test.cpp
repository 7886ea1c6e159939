#include "core/inference/batcher.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/inference/collect.h"
#include "tests/fixtures/models.h"

namespace elmo {
namespace {

const Bilm& batched_model() {
  static const Bilm small(small_options(), random_parameters(small_options(), 1),
                          Precision::float32);
  return small;
}

bool never(const Batch& /*batch*/) { return false; }

BatchOptions options_of(std::size_t batch_tokens) {
  BatchOptions options;
  options.batch_tokens = batch_tokens;
  options.bytes_per_row = 100;
  return options;
}

// Returns the tokens of a batch's sentences; "|" follows the last sentence of a segment.
std::vector<std::string> batches(const Sentences& sentences, const BatchOptions& options,
                                 const std::function<bool(const Batch&)>& ends_early = never,
                                 std::uint64_t first_sentence = 0) {
  ListSource source(sentences);
  const std::atomic<bool> stopped = false;
  Batcher batcher(batched_model(), source, options, first_sentence, ends_early, stopped);
  std::vector<std::string> result;
  std::uint64_t next = first_sentence;
  while (const auto batch = batcher.next()) {
    CHECK(batch->first_sentence == next);
    next += batch->sentences.size();
    std::size_t tokens = 0;
    std::uint64_t text_bytes = 0;
    std::string& text = result.emplace_back();
    for (const Sentence& sentence : batch->sentences) {
      text += text.empty() ? "" : " ";
      text += sentence.size() == 0 ? "-" : sentence.characters();
      tokens += sentence.size();
      text_bytes += sentence.token_bytes();
    }
    if (batch->ends_segment) text += "|";
    CHECK(batch->tokens == tokens);
    CHECK(batch->passed_tokens == tokens);
    CHECK(batch->text_bytes == text_bytes);
  }
  CHECK(!batcher.next());
  return result;
}

TEST_CASE("a batch takes sentences until the next would exceed its tokens") {
  using Texts = std::vector<std::string>;
  const Sentences sentences{{"a", "b"}, {"c"}, {"d", "e", "f", "g"}, {}, {"h"}};
  CHECK(batches(sentences, options_of(3)) == Texts{"ab c", "defg", "- h|"});
  CHECK(batches(sentences, options_of(4)) == Texts{"ab c", "defg -", "h|"});
  CHECK(batches(sentences, options_of(1)) == Texts{"ab", "c", "defg", "-", "h|"});
  CHECK(batches(sentences, options_of(100)) == Texts{"ab c defg - h|"});
  CHECK(batches({{}, {}, {}}, options_of(2)) == Texts{"- -", "-|"});
}

TEST_CASE("computed boundaries take room in a batch") {
  using Texts = std::vector<std::string>;
  BatchOptions options = options_of(6);
  options.with_boundaries = true;
  const Sentences sentences{{"a"}, {}, {"b"}, {"c", "d"}, {"e"}, {}};
  CHECK(batches(sentences, options) == Texts{"a - b", "cd", "e -|"});
  options.with_boundaries = false;
  CHECK(batches(sentences, options) == Texts{"a - b cd e -|"});
}

TEST_CASE("tokens of a sentence are counted with its batch") {
  ListSource source({{"a"}, {"left", "out"}, {"b", "c", "d"}, {"left"}, {"e"}});
  source.keep = [](std::size_t s) {
    return s % 2 == 0 ? std::nullopt : std::optional(std::vector<std::uint32_t>());
  };
  const std::atomic<bool> stopped = false;
  Batcher batcher(batched_model(), source, options_of(2), 0, never, stopped);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;  // sentences and tokens
  while (const auto batch = batcher.next()) {
    counts.emplace_back(batch->next_sentence - batch->first_sentence, batch->passed_tokens);
  }
  using Counts = decltype(counts);
  CHECK(counts == Counts{{2, 3}, {2, 4}, {1, 1}});
}

TEST_CASE("an input without sentences is one empty segment, but not after other segments") {
  CHECK(batches({}, options_of(3)) == std::vector<std::string>{"|"});
  CHECK(batches({}, options_of(3), never, 5).empty());
}

TEST_CASE("a segment ends before it exceeds its bytes") {
  BatchOptions options = options_of(10);
  options.segment_bytes = 320;  // three tokens of 100 bytes and their text
  CHECK(batches({{"a"}, {"b"}, {"c"}, {"d"}, {"e", "f", "g", "h"}, {"i"}}, options) ==
        std::vector<std::string>{"a b c|", "d|", "efgh|", "i|"});
}

TEST_CASE("a batch ends before its text exceeds the limit, however few its tokens") {
  BatchOptions options = options_of(100);
  options.text_bytes = 10;
  CHECK(batches({{"aaaa"}, {"bbbb"}, {"cccc"}, {"dddddddddddddd"}, {"e"}}, options) ==
        std::vector<std::string>{"aaaa bbbb", "cccc", "dddddddddddddd", "e|"});
  CHECK(BatchOptions().text_bytes <= std::uint64_t{64} << 20);
}

TEST_CASE("a batch that ends early continues with its segment") {
  const Sentences sentences{{"a"}, {"b"}, {"c"}};
  CHECK(batches(sentences, options_of(10), [](const Batch& batch) {
          return !batch.sentences.empty();
        }) == std::vector<std::string>{"a", "b", "c", "|"});
  int asked = 0;
  CHECK(batches(sentences, options_of(10), [&](const Batch& batch) {
          return !batch.sentences.empty() && ++asked == 2;
        }) == std::vector<std::string>{"a b", "c|"});
  CHECK(batches(sentences, options_of(10), [](const Batch&) { return true; }).empty());
}

TEST_CASE("tokens are compared once, repeated sentences found, rows laid out") {
  const Sentences sentences{{"a", "b"}, {}, {"b", "c"}, {"a", "b"}, {"ab"}};
  for (const bool boundaries : {false, true}) {
    BatchOptions options = options_of(100);
    options.with_boundaries = boundaries;
    ListSource source(sentences);
    const std::atomic<bool> stopped = false;
    Batcher batcher(batched_model(), source, options, 0, never, stopped);
    const auto batch = batcher.next();
    REQUIRE(batch);
    CHECK(batch->distinct == std::vector<std::string_view>{"a", "b", "c", "ab"});
    CHECK(batch->copy_of[3] == 0);
    for (const std::size_t s : {0U, 1U, 2U, 4U}) CHECK(!batch->copy_of[s]);
    constexpr std::uint32_t kB = Batch::kBegin;
    constexpr std::uint32_t kE = Batch::kEnd;
    const std::vector<std::uint32_t> tokens =
        boundaries ? std::vector<std::uint32_t>{kB, 0, 1, kE, kB, 1, 2, kE, kB, 0, 1, kE, kB, 3, kE}
                   : std::vector<std::uint32_t>{0, 1, 1, 2, 0, 1, 3};
    CHECK(batch->token_of_row == tokens);
    CHECK(batch->row_count == tokens.size());
    CHECK(batch->rows[1].size == 0);
    CHECK(batch->rows[2].begin == (boundaries ? 4 : 2));

    options.find_duplicates = false;
    ListSource again(sentences);
    Batcher all(batched_model(), again, options, 0, never, stopped);
    CHECK(!all.next()->copy_of[3]);
  }
}

}  // namespace
}  // namespace elmo
