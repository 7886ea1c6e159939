#include "core/tasks/common/task_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/core/tasks/little_texts.h"

namespace elmo {
namespace {

/// Sentences of 1, 2, 3, 1, … tokens; number i of all activations is i.
class Counted final : public ActivationSource {
 public:
  explicit Counted(std::uint64_t sentences) : layout_{{"x", "forward_1", "backward_1"}, 2} {
    for (std::uint64_t i = 0; i < sentences; ++i) ends_.push_back(begin(i) + i % 3 + 1);
  }

  const ActivationLayout& layout() const override { return layout_; }
  std::uint64_t sentence_begin() const override { return 0; }
  std::uint64_t sentence_end() const override { return ends_.size(); }
  std::uint64_t token_count() const override { return ends_.back(); }
  TokenRange tokens_of(std::uint64_t number) override { return {begin(number), ends_[number]}; }
  void read(std::uint64_t /*number*/, const BlockLimit& /*limit*/,
            ActivationBlock& /*block*/) override {
    FAIL("not asked for");
  }
  void read_activations(TokenRange tokens, std::span<float> values) override {
    const auto width = static_cast<std::uint64_t>(layout_.values_per_token());
    REQUIRE(values.size() == tokens.size() * width);
    most_tokens = std::max(most_tokens, tokens.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(tokens.begin * width + i);
    }
  }

  std::uint64_t most_tokens = 0;  // read at once

 private:
  std::uint64_t begin(std::uint64_t number) const { return number == 0 ? 0 : ends_[number - 1]; }

  ActivationLayout layout_;
  std::vector<std::uint64_t> ends_;
};

/// Sentence 1 of the source has no example, as where a file has an empty one.
std::vector<TaskRecord> some_records(Counted& source) {
  std::vector<TaskRecord> records;
  for (const std::uint64_t sentence : {0U, 2U, 3U, 4U}) {
    TaskRecord& record = records.emplace_back();
    record.sentence = sentence;
    for (std::uint64_t token = 0; token < source.tokens_of(sentence).size(); ++token) {
      record.text.add("word", {});
      record.words.push_back(static_cast<std::int32_t>(sentence));
      record.labels.push_back(1);
    }
  }
  records[3].second_sentence = 5;
  records[3].second.add("a", {});
  records[3].second_words = {7, 7, 7};
  return records;
}

TEST_CASE("examples have their own activations, whether these are kept or read") {
  for (const std::uint64_t kept : {TaskCorpus::kKeptBytes, std::uint64_t{0}}) {
    CAPTURE(kept);
    Counted source(6);
    const std::vector<TaskRecord> records = some_records(source);
    TaskCorpus corpus(records, &source, kept);
    CHECK(corpus.size() == 4);
    CHECK(corpus.tokens() == 1 + 3 + 1 + 2 + 3);
    if (kept == 0) CHECK(source.most_tokens == 0);
    const TaskBatch batch = corpus.load(std::vector<std::uint64_t>{3, 0, 1});
    REQUIRE(batch.size() == 3);
    CHECK(batch[0].text.words[0] == 4);
    CHECK(batch[0].text.activations[0] == 7.0F * 6);
    CHECK(batch[0].text.activations.size() == 2 * 6);
    CHECK(batch[0].second.activations[0] == 9.0F * 6);
    CHECK(batch[0].second.activations.size() == 3 * 6);
    CHECK(batch[1].text.activations[0] == 0.0F);
    CHECK(batch[1].second.sentence == nullptr);
    CHECK(batch[2].text.activations[0] == 3.0F * 6);
    CHECK(batch[2].text.activations.back() == 6.0F * 6 - 1);
    CHECK(batch[2].labels.size() == 3);
  }
}

TEST_CASE("examples of models without a biLM have no activations") {
  Counted source(6);
  const std::vector<TaskRecord> records = some_records(source);
  TaskCorpus corpus(records, nullptr);
  CHECK(corpus.load(std::vector<std::uint64_t>{0})[0].text.activations.empty());
}

}  // namespace
}  // namespace elmo
