#include "core/tasks/common/word_vocabulary.h"

namespace elmo {

bool WordVocabulary::add(std::string_view word, bool rare) {
  const auto row = static_cast<std::int32_t>(rows());
  if (!rows_.try_emplace(std::string(word), row).second) return false;
  words_.emplace_back(word);
  rare_.push_back(rare ? 1 : 0);
  return true;
}

std::int32_t WordVocabulary::row(std::string_view word) const {
  const auto found = rows_.find(word);
  return found == rows_.end() ? 0 : found->second;
}

}  // namespace elmo
