#include "core/tasks/common/task_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/core/tasks/little_texts.h"

namespace elmo {
namespace {

std::vector<TaskRecord> records_of(std::initializer_list<int> labels) {
  std::vector<TaskRecord> records;
  for (const int label : labels)
    records.push_back({{0}, std::make_shared<LabelGold>(std::vector{label})});
  return records;
}

TEST_CASE("labels get the shares that they have in other data") {
  // Each count is one higher than the real one: 2, 4 and 1 of 7 here; 2, 2 and 2 of 6 there. Label
  // 3 was never learned.
  std::vector<TaskRecord> records = records_of({0, 1, 1, 1});
  weigh_labels(records_of({2, 0, 3, 1, 3}), 3, records);
  std::array<double, 2> sums{};
  for (const TaskRecord& record : records) {
    CHECK(record.weight > 0.0F);
    sums[static_cast<std::size_t>(record.gold->as<LabelGold>().labels[0])] += double{record.weight};
  }
  CHECK(sums[0] + sums[1] == doctest::Approx(4.0));
  CHECK(double{records[0].weight} / double{records[1].weight} == doctest::Approx(2.0));
  CHECK(records[1].weight == records[3].weight);
}

TEST_CASE("equal label shares give weights of 1") {
  std::vector<TaskRecord> records = records_of({0, 1, 1, 2, 2, 2});
  weigh_labels(records_of({2, 2, 1, 0, 1, 2}), 3, records);
  for (const TaskRecord& record : records) CHECK(record.weight == 1.0F);
}

TEST_CASE("a corpus returns the weights with its examples") {
  std::vector<CorpusText> texts(1);
  texts[0].sentence.add("a", {});
  texts[0].words = {0};
  std::vector<TaskRecord> records = records_of({0, 1});
  records[1].weight = 2.5F;
  TaskCorpus corpus(texts, records, nullptr);
  const std::vector<std::uint64_t> indices{1, 0};
  const TaskBatch batch = corpus.load(indices);
  CHECK(batch[0].weight == 2.5F);
  CHECK(batch[1].weight == 1.0F);
}

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

  std::uint64_t most_tokens = 0;  // largest number of tokens in one read

 private:
  std::uint64_t begin(std::uint64_t number) const { return number == 0 ? 0 : ends_[number - 1]; }

  ActivationLayout layout_;
  std::vector<std::uint64_t> ends_;
};

/// The texts of all sentences; every word of text n has number n.
std::vector<CorpusText> some_texts(Counted& source) {
  std::vector<CorpusText> texts;
  for (std::uint64_t sentence = 0; sentence < source.sentence_end(); ++sentence) {
    CorpusText& text = texts.emplace_back();
    for (std::uint64_t token = 0; token < source.tokens_of(sentence).size(); ++token) {
      text.sentence.add("word", {});
      text.words.push_back(static_cast<std::int32_t>(sentence));
    }
  }
  return texts;
}

/// Text 1 has no example, as if the file had an empty sentence; text 2 has two.
std::vector<TaskRecord> some_records() {
  const auto gold = std::make_shared<LabelGold>(std::vector{1});
  return {{{0}, gold}, {{2}, gold}, {{3}, gold}, {{4, 5}, gold}, {{2}, nullptr}};
}

TEST_CASE("examples have their own activations, kept or read") {
  for (const std::uint64_t kept : {TaskCorpus::kKeptBytes, std::uint64_t{0}}) {
    CAPTURE(kept);
    Counted source(6);
    const std::vector<CorpusText> texts = some_texts(source);
    const std::vector<TaskRecord> records = some_records();
    TaskCorpus corpus(texts, records, &source, kept);
    CHECK(corpus.size() == 5);
    CHECK(corpus.tokens() == 1 + 3 + 1 + 2 + 3 + 3);
    if (kept == 0) CHECK(source.most_tokens == 0);
    const TaskBatch batch = corpus.load(std::vector<std::uint64_t>{3, 0, 1, 4});
    REQUIRE(batch.size() == 4);
    CHECK(batch[0].texts[0].words[0] == 4);
    CHECK(batch[0].texts[0].activations[0] == 7.0F * 6);
    CHECK(batch[0].texts[0].activations.size() == 2 * 6);
    CHECK(batch[0].texts[1].activations[0] == 9.0F * 6);
    CHECK(batch[0].texts[1].activations.size() == 3 * 6);
    CHECK(batch[1].texts[0].activations[0] == 0.0F);
    CHECK(batch[1].texts.size() == 1);
    CHECK(batch[2].texts[0].activations[0] == 3.0F * 6);
    CHECK(batch[2].texts[0].activations.back() == 6.0F * 6 - 1);
    CHECK(batch[2].gold == records[1].gold.get());
    CHECK(batch[3].gold == nullptr);
    CHECK(batch[3].texts[0].activations.data() == batch[2].texts[0].activations.data());
  }
}

TEST_CASE("examples of models without a biLM have no activations") {
  Counted source(6);
  const std::vector<CorpusText> texts = some_texts(source);
  const std::vector<TaskRecord> records = some_records();
  TaskCorpus corpus(texts, records, nullptr);
  CHECK(corpus.load(std::vector<std::uint64_t>{0})[0].texts[0].activations.empty());
}

}  // namespace
}  // namespace elmo
