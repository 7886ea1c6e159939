#include "core/model/vocabulary.h"

#include <utility>

#include "core/error.h"

namespace elmo {
namespace {

constexpr std::string_view kBeginSentence = "<S>";
constexpr std::string_view kEndSentence = "</S>";
constexpr std::string_view kUnknown = "<UNK>";

}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> words) : words_(std::move(words)) {
  rows_.reserve(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto [entry, is_new] = rows_.emplace(words_[i], static_cast<std::int64_t>(i));
    if (!is_new) {
      throw InputError("the vocabulary's line " + std::to_string(i + 1) + " repeats the word \"" +
                       words_[i] + "\" of line " + std::to_string(entry->second + 1) +
                       "; expected each word once, in the order of the embedding's rows");
    }
  }
  // Taken out of the map, the reserved words are unknown when a text spells them.
  const auto take = [this](std::string_view word) {
    const auto entry = rows_.find(word);
    if (entry == rows_.end()) {
      throw InputError("the vocabulary's " + std::to_string(words_.size()) +
                       " words do not have \"" + std::string(word) +
                       "\"; expected <S>, </S> and <UNK> among them");
    }
    const std::int64_t row = entry->second;
    rows_.erase(entry);
    return row;
  };
  begin_sentence_ = take(kBeginSentence);
  end_sentence_ = take(kEndSentence);
  unknown_ = take(kUnknown);
}

std::int64_t Vocabulary::row(std::string_view token) const {
  const auto entry = rows_.find(token);
  return entry == rows_.end() ? unknown_ : entry->second;
}

bool Vocabulary::contains(std::string_view token) const { return rows_.contains(token); }

}  // namespace elmo
