#include "tests/bench/program/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/inference/sentence.h"
#include "io/text/input/input_files.h"

namespace elmo {
namespace {

constexpr std::size_t kWords = 30000;
constexpr std::size_t kShortWords = 150;  // number of words with one syllable
constexpr std::size_t kLongWords = 4000;  // from this word on, three syllables
constexpr std::size_t kParagraphSentences = 6;

constexpr std::array<std::string_view, 20> kBegins = {"b", "c", "d",  "f",  "g",  "h", "l",
                                                      "m", "n", "p",  "r",  "s",  "t", "w",
                                                      "y", "",  "st", "tr", "th", "ch"};
constexpr std::array<std::string_view, 8> kVowelSounds = {"a", "e",  "i",  "o",
                                                          "u", "ea", "ou", "ai"};
constexpr std::array<std::string_view, 8> kEnds = {"", "", "n", "r", "s", "t", "l", "nd"};

using Generator = std::mt19937_64;

template <typename List>
const auto& pick(const List& list, Generator& generator) {
  return list[generator() % list.size()];
}

std::vector<std::string> make_words(Generator& generator) {
  std::vector<std::string> words(kWords);
  for (std::size_t rank = 0; rank < kWords; ++rank) {
    const int syllables = 1 + (rank >= kShortWords ? 1 : 0) + (rank >= kLongWords ? 1 : 0);
    for (int i = 0; i < syllables; ++i) {
      words[rank] += pick(kBegins, generator);
      words[rank] += pick(kVowelSounds, generator);
      words[rank] += pick(kEnds, generator);
    }
  }
  return words;
}

/// Returns the first sentences of a source: at least `tokens` tokens, or all if it has fewer.
class FirstTokens final : public SentenceSource {
 public:
  FirstTokens(SentenceSource& source, std::uint64_t tokens) : source_(source), left_(tokens) {}

  bool next(Sentence& sentence) override {
    if (left_ == 0 || !source_.next(sentence)) return false;
    left_ -= std::min<std::uint64_t>(left_, sentence.size());
    return true;
  }

 private:
  SentenceSource& source_;
  std::uint64_t left_;
};

// Returns a generated text of at least `tokens` tokens.
std::string generated_text(std::size_t tokens) {
  Generator generator(1);
  const std::vector<std::string> words = make_words(generator);
  std::vector<double> frequencies;
  for (std::size_t rank = 1; rank <= kWords; ++rank) {
    frequencies.push_back(1.0 / static_cast<double>(rank));
  }
  std::discrete_distribution<std::size_t> zipf(frequencies.begin(), frequencies.end());
  std::string text;
  std::size_t count = 0;
  for (std::size_t sentence = 1; count < tokens; ++sentence) {
    const std::size_t begin = text.size();
    const std::size_t length = 5 + generator() % 36;
    for (std::size_t i = 0; i < length; ++i) {
      if (i > 0) text += ' ';
      text += words[zipf(generator)];
    }
    text[begin] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[begin])));
    text += sentence % kParagraphSentences == 0 ? ".\n\n" : ". ";
    count += length + 1;
  }
  return text;
}

}  // namespace

BenchText::BenchText(const BenchFlags& flags) : tokens_(flags.tokens) {
  options_.files = flags.files;
  if (flags.files.empty()) generated_ = generated_text(flags.tokens);
  for (const std::string& file : flags.files) {
    if (can_be_read_only_once(file)) {
      throw RequestError(file + ": bench reads its text more than once; give it a file");
    }
  }
}

std::string BenchText::name() const {
  if (options_.files.empty()) return "generated";
  return options_.files.front() + (options_.files.size() > 1 ? ", …" : "");
}

void BenchText::read(const std::function<void(SentenceSource&)>& use) const {
  const std::unique_ptr<TextSource> source =
      options_.files.empty()
          ? open_source(options_, "generated", std::make_unique<MemoryBytes>(generated_))
          : open_source(options_);
  SentenceCutter cutter(*source, kDefaultMaxSentenceTokens);
  FirstTokens first(cutter, tokens_);
  use(first);
}

}  // namespace elmo
