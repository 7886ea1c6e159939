#include "core/model/vocabulary.h"

#include "core/error.h"

namespace elmo {

Vocabulary::Vocabulary(std::vector<std::string> words, const ReservedWords& reserved, WordForm form)
    : words_(std::move(words)) {
  rows_.reserve(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto [entry, is_new] = rows_.emplace(words_[i], static_cast<std::int64_t>(i));
    if (!is_new) {
      throw InputError("the vocabulary's line " + std::to_string(i + 1) + " repeats the word \"" +
                       excerpt(words_[i]) + "\" of line " + std::to_string(entry->second + 1) +
                       "; expected each word once, in the order of the embedding's rows");
    }
  }
  for (std::size_t i = 0; form != nullptr && i < words_.size(); ++i) {
    std::string equivalent = form(words_[i]);
    if (equivalent != words_[i]) {
      rows_of_forms_.emplace(std::move(equivalent), static_cast<std::int64_t>(i));
    }
  }
  const auto find = [&](std::string_view word) {
    const auto entry = rows_.find(word);
    if (entry != rows_.end()) return entry->second;
    throw InputError("the vocabulary of " + human_count(words_.size(), "word") + " lacks \"" +
                     std::string(word) + "\"; expected " + std::string(reserved.begin_sentence) +
                     ", " + std::string(reserved.end_sentence) + " and " +
                     std::string(reserved.unknown) + " among them");
  };
  if (reserved.are_words) {
    unknown_ = find(reserved.unknown);
    begin_sentence_ = row(reserved.begin_sentence);
    end_sentence_ = row(reserved.end_sentence);
    return;
  }
  begin_sentence_ = find(reserved.begin_sentence);
  end_sentence_ = find(reserved.end_sentence);
  unknown_ = find(reserved.unknown);
  // Removed from the map, so that they are unknown if a text spells them.
  for (const std::string_view word :
       {reserved.begin_sentence, reserved.end_sentence, reserved.unknown}) {
    rows_.erase(word);
  }
}

std::int64_t Vocabulary::row(std::string_view token) const {
  if (const auto entry = rows_.find(token); entry != rows_.end()) return entry->second;
  const auto equivalent = rows_of_forms_.find(token);
  return equivalent == rows_of_forms_.end() ? unknown_ : equivalent->second;
}

bool Vocabulary::contains(std::string_view token) const {
  return rows_.contains(token) || rows_of_forms_.contains(token);
}

}  // namespace elmo
