// Labels as numbers, the labels predicted from words alone, and scores with their intervals.
#include "core/analysis/probe_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

using Labels = std::vector<std::int32_t>;

/// Parses sentences of "word/label" separated by spaces.
class WrittenSource final : public ExampleSource {
 public:
  WrittenSource(LabelSet& labels, std::vector<std::string> sentences)
      : labels_(labels), sentences_(std::move(sentences)) {}

  bool next(ExampleGroup& group) override {
    if (next_ == sentences_.size()) return false;
    group = {};
    Sentence& sentence = group.texts.emplace_back();
    sentence.line = next_ + 1;
    const std::string& text = sentences_[next_++];
    TaskRecord record;
    std::vector<std::int32_t> numbers;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t slash = text.find('/', begin);
      const std::size_t end = std::min(text.find(' ', slash), text.size());
      sentence.add(text.substr(begin, slash - begin), {begin, slash});
      numbers.push_back(labels_.add(text.substr(slash + 1, end - slash - 1)));
      begin = end + 1;
    }
    record.gold = std::make_shared<LabelGold>(std::move(numbers));
    if (!text.empty()) group.records.push_back(record);
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  LabelSet& labels_;
  std::string name_ = "file";
  std::vector<std::string> sentences_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("words have their most frequent label") {
  LabelSet labels;
  WrittenSource train(labels, {"a/X b/Y a/Z", "", "a/Z c/Y c/X b/Y"});
  const WordLabels words(train, labels);
  CHECK(words.size() == 3);
  WrittenSource dev(labels, {"a/X b/Q", "", "d/Z c/Y"});
  const LabelCorpus corpus = words.corpus(dev);
  CHECK(corpus.labels == Labels{0, -1, 2, 1});
  CHECK(corpus.by_word == Labels{2, 1, 1, 0});
  CHECK(corpus.unknown == std::vector<bool>{false, false, true, false});
  CHECK(corpus.begins == std::vector<std::size_t>{0, 2, 2, 4});
  CHECK(corpus.sentences() == 3);
}

TEST_CASE("a single label and too many labels are refused") {
  LabelSet one_label;
  WrittenSource one(one_label, {"a/X b/X"});
  CHECK_THROWS_WITH_AS((WordLabels{one, one_label}),
                       "file: found one label only, 'X'; expected at least two", InputError);
  std::vector<std::string> sentences;
  for (int i = 0; i <= 10000; ++i) sentences.push_back("a/" + std::to_string(i));
  LabelSet many_labels;
  WrittenSource many(many_labels, sentences);
  CHECK_THROWS_WITH_AS(
      (WordLabels{many, many_labels}),
      "file: line 10001: found more than 10000 labels; expected fewer kinds of them", InputError);
}

TEST_CASE("scores count all tokens and unknown tokens, with an interval over sentences") {
  LabelCorpus corpus;
  Labels predicted;
  for (std::size_t sentence = 0; sentence < 200; ++sentence) {
    for (std::size_t token = 0; token < 5; ++token) {
      corpus.labels.push_back(1);
      corpus.unknown.push_back(token == 0);
      predicted.push_back(sentence % 10 == 0 ? 0 : 1);  // one sentence in ten is entirely wrong
    }
    corpus.begins.push_back(corpus.labels.size());
  }
  const ProbeScore score = score_labels(corpus, predicted, 1);
  CHECK(score.accuracy == doctest::Approx(90.0));
  CHECK(score.unknown_tokens == 200);
  CHECK(score.unknown == doctest::Approx(90.0));
  // Whole sentences are wrong: ±1.96 √(0.9 · 0.1 / 200), not √(0.9 · 0.1 / 1000).
  CHECK(score.low == doctest::Approx(100 * (0.9 - 0.0416)).epsilon(0.01));
  CHECK(score.high == doctest::Approx(100 * (0.9 + 0.0416)).epsilon(0.01));
  CHECK(score_labels(corpus, predicted, 1).low == score.low);

  const ProbeScore perfect = score_labels(corpus, corpus.labels, 1);
  CHECK(perfect.accuracy == 100.0);
  CHECK(perfect.low == 100.0);
  CHECK(perfect.high == 100.0);
}

TEST_CASE("a label that is not in the training data is never correct") {
  LabelCorpus corpus;
  corpus.labels = {-1, 0};
  corpus.unknown = {false, false};
  corpus.begins = {0, 2};
  const ProbeScore score = score_labels(corpus, Labels{0, 0}, 0);
  CHECK(score.accuracy == 50.0);
  CHECK(score.unknown_tokens == 0);
  CHECK(score.unknown == 0.0);
}

}  // namespace elmo
