#include "io/train/corpus_vocabulary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "core/error.h"
#include "io/model/folder/vocabulary.h"

namespace elmo {
namespace {

constexpr std::array<const char*, 3> kReservedWords = {"<S>", "</S>", "<UNK>"};

bool may_be_word(const std::string& type) {
  return fits_vocabulary_file(type) &&
         std::ranges::find(kReservedWords, type) == kReservedWords.end();
}

}  // namespace

Vocabulary build_vocabulary(const EncodedCorpus& corpus, const VocabularyLimits& limits) {
  const std::span<const std::string> types = corpus.types();
  const std::span<const std::uint64_t> counts = corpus.counts();
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (counts[i] >= limits.min_count && may_be_word(types[i])) chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : types[a] < types[b];
  });
  if (limits.max_words > 0) {
    const auto room = static_cast<std::size_t>(limits.max_words);
    chosen.resize(std::min(chosen.size(), room - std::min(room, kReservedWords.size())));
  }
  if (chosen.empty()) {
    throw InputError("the vocabulary has no word: of the text's " + std::to_string(types.size()) +
                     " different tokens none occurs " + std::to_string(limits.min_count) +
                     " times or more and finds room; allow rarer words, or more words");
  }

  std::vector<std::string> words(kReservedWords.begin(), kReservedWords.end());
  words.reserve(words.size() + chosen.size());
  for (const std::uint32_t i : chosen) words.push_back(types[i]);
  const std::size_t bytes =
      std::accumulate(words.begin(), words.end(), words.size(),  // line ends
                      [](std::size_t sum, const std::string& word) { return sum + word.size(); });
  if (bytes > kMaxVocabularyBytes) {
    throw InputError("the vocabulary of " + std::to_string(words.size()) + " words takes " +
                     std::to_string(bytes) + " bytes; expected at most " +
                     std::to_string(kMaxVocabularyBytes) +
                     ": leave rare words out, or set how many there may be");
  }
  return Vocabulary(std::move(words));
}

std::vector<std::int32_t> target_rows(const EncodedCorpus& corpus, const Vocabulary& vocabulary) {
  std::vector<std::int32_t> rows(kFirstType + corpus.types().size());
  rows[kBeginSentenceType] = static_cast<std::int32_t>(vocabulary.begin_sentence());
  rows[kEndSentenceType] = static_cast<std::int32_t>(vocabulary.end_sentence());
  std::transform(
      corpus.types().begin(), corpus.types().end(), rows.begin() + kFirstType,
      [&](const std::string& type) { return static_cast<std::int32_t>(vocabulary.row(type)); });
  return rows;
}

std::uint64_t unknown_tokens(const EncodedCorpus& corpus, const Vocabulary& vocabulary) {
  std::uint64_t unknown = 0;
  for (std::size_t i = 0; i < corpus.types().size(); ++i) {
    if (!vocabulary.contains(corpus.types()[i])) unknown += corpus.counts()[i];
  }
  return unknown;
}

Corpus training_view(const EncodedCorpus& corpus, const std::vector<std::int32_t>& targets,
                     std::span<const std::int32_t> rows) {
  return {corpus.tokens(), corpus.sentence_ends(), corpus.types(), targets, rows};
}

}  // namespace elmo
